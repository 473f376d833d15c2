//! The lookup of names, from the program's file or from separate debug files.

mod apply;
mod files;
mod lookup;

use crate::document::{Line, Module, StackTable, Summary};
use crate::{Recording, RecordingError};
use apply::Named;
pub use files::MissingNames;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) use files::hexadecimal;
use lookup::look_up;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A search for the names of recorded addresses.
///
/// The search begins with the file from which the program was loaded. If this file has no debug
/// information, the search continues with the file named in its `.gnu_debuglink`, then with the
/// given folders, and finally with `/usr/lib/debug`. Only files with the recorded build id are
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

    /// Returns a search for a program that prints its own recording: in its own files, for the
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

    /// Names the addresses of a recording that have no names. Afterwards, merges the call sites of
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
        let mut resolved = Resolved::default();
        let summary = &mut recording.summary;
        let addresses = apply::unnamed(summary);
        let named = self.look_up(&mut summary.modules, addresses, wanted.as_ref(), &mut resolved);
        apply::to_summary(summary, &named, &recording.metadata.program);
        let stacks = &mut recording.stacks;
        let addresses = apply::unnamed_of_stacks(stacks);
        let named = self.look_up(&mut stacks.modules, addresses, wanted.as_ref(), &mut resolved);
        apply::to_stacks(stacks, &named);
        resolved
    }

    /// Looks up addresses in the files of these modules; if `wanted` is given, only its addresses.
    fn look_up(
        &self,
        modules: &mut [Module],
        mut addresses: BTreeSet<u64>,
        wanted: Option<&BTreeSet<u64>>,
        resolved: &mut Resolved,
    ) -> Named {
        addresses.retain(|address| wanted.is_none_or(|wanted| wanted.contains(address)));
        let mut named = Named::new();
        for module in modules.iter_mut().filter(|module| !module.looked_up) {
            // A hostile file may have many modules, and ranges that end before they start.
            let inside =
                |[start, end]: &[u64; 2]| addresses.range(*start..*end.max(start)).copied();
            let addresses: BTreeSet<u64> = module.ranges.iter().flat_map(inside).collect();
            if addresses.is_empty() {
                continue;
            }
            let (found, lacking) = look_up(module, &addresses, self);
            module.looked_up = lacking.is_none();
            if !is_system(module) {
                resolved.named += found.len();
                let is_new = |of: &MissingNames| {
                    !resolved.missing.iter().any(|known| known.path() == of.path())
                };
                resolved.missing.extend(lacking.filter(is_new));
            }
            named.extend(found);
        }
        named
    }
}

/// The number of addresses after which a program that prints its own recording adds no further
/// stack: 50 stacks without common callers have about as many.
const MAX_ADDRESSES: usize = 1500;

/// Addresses of suspects, then of the call sites with most live memory, then of those at the peak.
///
/// Clears stacks with other addresses: with the names of the callers alone, their place would be a
/// caller.
fn printed(recording: &mut Recording) -> BTreeSet<u64> {
    let summary = &mut recording.summary;
    let leaks = summary.leaks.iter_mut().chain(&mut summary.doubtful_leaks);
    let sites = summary.unexplained_sites.iter_mut().chain(&mut summary.sites);
    let stacks = leaks.map(|leak| &mut leak.stack).chain(sites.map(|site| &mut site.stack));
    let mut addresses = BTreeSet::new();
    for stack in stacks {
        let mut its = stack.iter().filter_map(|place| place.address);
        if addresses.len() < MAX_ADDRESSES {
            addresses.extend(its);
        } else if !its.all(|address| addresses.contains(&address)) {
            stack.clear();
        }
    }
    addresses.extend(recording.stacks.addresses.values().flatten());
    addresses
}

#[derive(Debug, Default)]
struct Resolved {
    /// The number of addresses that got names, excluding those in system libraries.
    named: usize,
    missing: Vec<MissingNames>,
}

/// These libraries start threads and call `main`. Their names explain no allocation of the program.
fn is_system(module: &Module) -> bool {
    let folders = ["/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"];
    let is_file = module.path.contains('/');
    !is_file || folders.iter().any(|folder| module.path.starts_with(folder))
}

/// A recording's text with names, and the modules in which names were not found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Symbolized {
    /// The text of the recording, in the same form.
    pub text: String,
    /// The number of addresses that got names, excluding those in system libraries.
    pub named: usize,
    /// The modules in which names were not found.
    pub missing: Vec<MissingNames>,
}

impl SymbolSearch {
    /// Returns the text of a recording with the names of its addresses.
    ///
    /// Only the last summary and the stacks change; everything else is copied.
    ///
    /// ```no_run
    /// use memprof::session::SymbolSearch;
    ///
    /// let text = std::fs::read_to_string("memory_profile_20261121_083000.json")?;
    /// let named = SymbolSearch::new().symbolize(&text)?;
    /// std::fs::write("named.json", named.text)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text is not a recording, as
    /// [`Recording::from_text`](crate::Recording::from_text) does.
    ///
    /// # Cost
    /// The call reads as much as [`resolve`](Self::resolve).
    pub fn symbolize(&self, text: &str) -> Result<Symbolized, RecordingError> {
        // Read the recording first, so that all errors of the format are reported.
        let mut recording = Recording::from_text(text)?;
        let Resolved { named, missing } = self.resolve_all(&mut recording);
        let Recording { summary, stacks, .. } = recording;
        let text = if Recording::is_timeline(text) {
            timeline(text, &summary, stacks)?
        } else {
            let old: Parts<'_> = serde_json::from_str(text)?;
            let mut new = vec![(old.summary, serde_json::to_string(&summary)?)];
            if let Some(old) = old.stacks {
                new.push((old, serde_json::to_string(&[stacks])?));
            }
            replaced(text, new)
        };
        Ok(Symbolized { text, named, missing })
    }
}

/// Replaces the last summary of a timeline, and adds the stacks with their names.
fn timeline(
    text: &str,
    summary: &Summary,
    stacks: StackTable,
) -> Result<String, serde_json::Error> {
    let mut summaries = text.lines().filter_map(|line| serde_json::from_str(line).ok());
    let mut new = match summaries.next_back() {
        Some(Parts { summary: old, .. }) => {
            replaced(text, vec![(old, serde_json::to_string(summary)?)])
        }
        None => text.to_owned(),
    };
    if stacks != StackTable::default() {
        // The last line may be torn.
        if !new.ends_with('\n') {
            new.push('\n');
        }
        // These stacks replace those of the same numbers.
        new.push_str(&serde_json::to_string(&Line::Stacks(Cow::Owned(stacks)))?);
        new.push('\n');
    }
    Ok(new)
}

#[derive(Deserialize)]
struct Parts<'t> {
    #[serde(borrow)]
    summary: &'t RawValue,
    #[serde(borrow)]
    stacks: Option<&'t RawValue>,
}

fn replaced(text: &str, mut parts: Vec<(&RawValue, String)>) -> String {
    let start = |part: &RawValue| part.get().as_ptr().addr() - text.as_ptr().addr();
    parts.sort_by_key(|(old, _)| start(old));
    let (mut new, mut copied) = (String::with_capacity(text.len()), 0);
    for (old, with) in parts {
        new.push_str(&text[copied..start(old)]);
        new.push_str(&with);
        copied = start(old) + old.get().len();
    }
    new.push_str(&text[copied..]);
    new
}
