//! The look-up of names outside of the recorded process, from its file or from separate debug files.

mod files;
mod lookup;
mod missing;
mod resolve;
mod rewrite;

// The tests of the look-up inside of the process compare it with this one.
#[cfg(all(test, feature = "heap", any(target_os = "linux", target_os = "android")))]
pub(super) use lookup::look_up;
pub use missing::MissingNames;
pub use rewrite::Symbolized;

use super::stacks;
use crate::Recording;
use resolve::Resolved;
use std::path::PathBuf;

/// The files in which names of recorded addresses are searched.
///
/// The search begins with the file from which the program was loaded. If this file has no debug
/// information, the search continues with the file named in its `.gnu_debuglink`, then with the
/// given folders, and at last with `/usr/lib/debug`. Only files with the recorded build id are
/// read, so no name is from another build.
///
/// ```no_run
/// use memprof::session::{Recording, SymbolSearch};
///
/// let mut recording = Recording::read_file("memory_profile_20261121_083000.json")?;
/// let missing = SymbolSearch::new().debug_dir("/srv/debug").resolve(&mut recording);
/// for module in missing {
///     eprintln!("{module}");
/// }
/// println!("{}", recording.leak_list());
/// # Ok::<(), memprof::session::RecordingError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymbolSearch {
    debug_dirs: Vec<PathBuf>,
}

impl SymbolSearch {
    /// Returns a search without added folders.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a folder of debug files.
    ///
    /// The search tries these files in the folder, where `HEX` is the build id:
    /// `buildid/HEX/debuginfo` and `HEX/debuginfo` as in debuginfod's layout,
    /// `.build-id/HE/X.debug` as in distributions, and each file directly in the folder, whatever
    /// its name.
    #[must_use]
    pub fn debug_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.debug_dirs.push(folder.into());
        self
    }

    /// Names the addresses of a recording that have no names. Afterwards, joins the call sites of
    /// one place, and the suspects of one place and operation.
    ///
    /// Returns the modules in which names were not found.
    ///
    /// # Cost
    /// The call reads the debug information of each module with such addresses: about 0.1 s for
    /// each 100 MB.
    pub fn resolve(&self, recording: &mut Recording) -> Vec<MissingNames> {
        self.resolve_all(recording).missing
    }

    fn resolve_all(&self, recording: &mut Recording) -> Resolved {
        let resolve = |all: &mut _| resolve::resolve(all, &recording.metadata.program, self);
        let mut all = resolve(&mut recording.summary);
        let of_stacks = stacks::resolve(&mut recording.stacks, resolve);
        let of_stacks = of_stacks.unwrap_or_default();
        let is_known = |of: &MissingNames| all.missing.iter().any(|known| known.path == of.path);
        let new: Vec<_> = of_stacks.missing.into_iter().filter(|of| !is_known(of)).collect();
        all.missing.extend(new);
        all.named += of_stacks.named;
        all
    }
}
