//! The look-up of names outside of the recorded process, from its file or from separate debug files.

mod files;
mod lookup;
mod missing;
mod resolve;
mod rewrite;
mod units;

pub use missing::MissingNames;
pub use rewrite::Symbolized;

use super::stacks;
use crate::Recording;
use resolve::Resolved;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

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
    /// The time at which a search in the recorded process ends.
    deadline: Option<Instant>,
}

impl SymbolSearch {
    /// Returns a search without added folders.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a search for a program that prints its own recording: in its own files, for the 50
    /// stacks that matter most, within one second.
    pub fn in_this_process() -> Self {
        const LONGEST: Duration = Duration::from_secs(1);
        Self { deadline: Some(Instant::now() + LONGEST), ..Self::default() }
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
        let wanted = self.deadline.map(|_| printed(recording));
        let wanted = wanted.as_ref();
        let resolve =
            |all: &mut _| resolve::resolve(all, &recording.metadata.program, wanted, self);
        let mut all = resolve(&mut recording.summary);
        let of_stacks = stacks::resolve(&mut recording.stacks, wanted, resolve);
        let of_stacks = of_stacks.unwrap_or_default();
        let is_known = |of: &MissingNames| all.missing.iter().any(|known| known.path == of.path);
        let new: Vec<_> = of_stacks.missing.into_iter().filter(|of| !is_known(of)).collect();
        all.missing.extend(new);
        all.named += of_stacks.named;
        all
    }
}

/// Returns the addresses of the stacks that a program prints: suspects, then the call sites with the
/// most live memory, then those at the peak.
fn printed(recording: &Recording) -> BTreeSet<u64> {
    const STACKS: usize = 50;
    let summary = &recording.summary;
    let leaks = summary.leaks.iter().chain(&summary.doubtful_leaks).map(|leak| &leak.stack);
    let sites = summary.unexplained_sites.iter().chain(&summary.sites).map(|site| &site.stack);
    let addresses = leaks.chain(sites).take(STACKS);
    let addresses = addresses.flatten().filter_map(|place| place.address);
    let rows = recording.peak_stacks().map_or(&[][..], |peak| &peak.rows);
    let stacks =
        rows.iter().take(STACKS).filter_map(|row| recording.stacks.addresses.get(&row.stack));
    addresses.chain(stacks.flatten().copied()).collect()
}
