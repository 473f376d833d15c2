//! The lookup of names, from the program's file or from separate debug files.

mod apply;
mod branches;
mod files;
mod lookup;

use crate::document::{Line, Module, Place, StackTable, Summary};
use crate::{Recording, RecordingError};
use apply::Named;
pub use files::MissingNames;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) use files::hexadecimal;
use lookup::look_up;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
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
        self.resolve_all(recording).1
    }

    /// Also returns the number of addresses that got names, excluding those in system libraries.
    fn resolve_all(&self, recording: &mut Recording) -> (usize, Vec<MissingNames>) {
        let mut unnamed = apply::unnamed(&recording.summary);
        unnamed.append(&mut apply::unnamed_of_stacks(&recording.stacks));
        let addresses = match self.deadline {
            Some(_) => most_important(recording, &unnamed),
            None => unnamed.iter().map(|&address| (address, 0)).collect(),
        };
        let left_out = unnamed.iter().filter(|address| !addresses.contains_key(address));
        let mut named: Named = left_out.map(|&address| (address, Vec::new())).collect();
        let (mut count, mut missing) = (0, Vec::new());
        let Recording { summary, stacks, .. } = recording;
        let mut known: HashMap<Module, bool> = HashMap::new();
        let modules = summary.modules.iter_mut().chain(&mut stacks.modules);
        for module in modules.filter(|module| !module.looked_up) {
            let looked_up = known.entry(module.clone()).or_insert_with(|| {
                // A hostile file may have many modules, and ranges that end before they start.
                let inside = |[start, end]: &[u64; 2]| addresses.range(*start..*end.max(start));
                let inside = module.ranges.iter().flat_map(inside);
                let inside: Addresses = inside.map(|(&address, &rank)| (address, rank)).collect();
                if inside.is_empty() {
                    return false;
                }
                let (found, lacking) = look_up(module, &inside, self);
                let looked_up = lacking.is_none() && self.deadline.is_none();
                if !is_system(module) {
                    count += found.values().filter(|frames| !frames.is_empty()).count();
                    missing.extend(lacking);
                }
                named.extend(found);
                looked_up
            });
            module.looked_up = *looked_up;
        }
        apply::to_summary(summary, &named, &recording.metadata.program, stacks);
        apply::to_stacks(stacks, &named);
        (count, missing)
    }
}

/// Addresses, each with the rank of the most important stack that has it. If time is short, the
/// stacks of the lowest ranks have their names.
type Addresses = BTreeMap<u64, usize>;

/// Returns the addresses that a program looks up to print its own recording: those of the suspects,
/// then those of the stacks with most live memory.
fn most_important(recording: &Recording, unnamed: &BTreeSet<u64>) -> Addresses {
    /// The number of addresses after which no further stack is added: 50 stacks without common
    /// callers have about as many.
    const MAX: usize = 1500;
    let summary = &recording.summary;
    let leaks = summary.leaks.iter().chain(&summary.wider_leaks).chain(&summary.doubtful_leaks);
    let leaks = leaks.map(|leak| (f64::INFINITY, &leak.stack));
    let sites = summary.unexplained_sites.iter().chain(&summary.sites);
    let sites = sites.map(|site| (site.live.value, &site.stack));
    let addresses = |stack: &Vec<Place>| stack.iter().filter_map(|frame| frame.address).collect();
    let of_summary = leaks.chain(sites).map(|(bytes, stack)| (bytes, addresses(stack)));
    let rows = recording.live_stacks.iter().flat_map(|moment| &moment.rows);
    let rows = rows.filter_map(|row| {
        let stack = recording.stacks.addresses.get(&row.stack)?;
        Some((row.live.value, Cow::Borrowed(&stack[..])))
    });
    let mut stacks: Vec<(f64, Cow<'_, [u64]>)> = of_summary.chain(rows).collect();
    stacks.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut ranked = Addresses::new();
    for (rank, (_, stack)) in stacks.iter().enumerate() {
        if ranked.len() >= MAX {
            break;
        }
        for address in stack.iter().filter(|address| unnamed.contains(address)) {
            ranked.entry(*address).or_insert(rank);
        }
    }
    ranked
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
        let (named, missing) = self.resolve_all(&mut recording);
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

#[cfg(test)]
mod limits_tests {
    use super::{SymbolSearch, hexadecimal};
    use crate::Recording;
    use crate::document::{Module, Place, StackTable};
    use object::SymbolKind;
    use object::read::{Object, ObjectSymbol};
    use serde_json::json;
    use std::collections::BTreeSet;
    use std::time::{Duration, Instant};
    use std::{env, fs};

    /// Returns a recording of this program with these stacks, which have less and less memory.
    fn recording(stacks: &[&[u64]], build_id: String) -> Recording {
        let path = env::current_exe().expect("it runs");
        let module = Module::new(path.to_string_lossy(), Some(build_id), 0, vec![[1, u64::MAX]]);
        let live =
            |number: usize| json!({"value": 1000 - number, "standard_error": 0, "samples": 1});
        let site = |(number, stack): (usize, &&[u64])| {
            let stack: Vec<_> = stack.iter().map(|at| json!({"address": at})).collect();
            json!({"place": stack[0], "live": live(number), "live_blocks": live(1), "stack": stack})
        };
        let sites: Vec<_> = stacks.iter().enumerate().map(site).collect();
        let row = |number| json!([number, null, null, 1000 - number, 0, 1, 0, 1]);
        let rows: Vec<_> = (0..stacks.len()).map(row).collect();
        let document = json!({
            "format": "memprof session", "version": 1, "snapshots": [],
            "metadata": {
                "program": "app", "pid": 1, "memprof": "0.1.0", "platform": "p", "ended": "finished",
                "started_unix_ns": 0, "generated_at": "t", "generated_ns": 1, "interval_ns": 1,
                "snapshots": 0, "operations_tracked": true,
            },
            "summary": {"sites": sites, "modules": [module]},
            "live_stacks": [{"at_ns": 1, "trigger": "peak", "live_bytes": 9, "rows": rows}],
        });
        let mut recording = Recording::from_text(&document.to_string()).expect("it is whole");
        let addresses = (0..).zip(stacks.iter().map(|stack| stack.to_vec())).collect();
        recording.stacks = StackTable { modules: vec![module], addresses, ..StackTable::default() };
        recording
    }

    /// Returns which stacks of the table have names, and whether those of the summary have. None has
    /// some of its names.
    fn named(recording: &Recording) -> (Vec<bool>, BTreeSet<bool>) {
        let is_named = |stack: &Vec<Place>| {
            let named = stack.iter().filter(|frame| frame.is_named()).count();
            assert!(named == 0 || named == stack.len(), "{stack:?}");
            named > 0
        };
        let names = recording.stacks.named();
        let frames = |number: &u32| recording.stacks.frames_of(*number, &names);
        let table: Vec<_> = recording.stacks.addresses.keys().map(frames).collect();
        let sites = recording.summary.sites.iter().map(|site| &site.stack);
        // Sites of one line are joined, and the lines depend on the build.
        (table.iter().map(is_named).collect(), sites.map(is_named).collect())
    }

    #[test]
    fn a_stack_with_an_address_that_is_not_looked_up_is_unnamed() {
        let path = env::current_exe().expect("it runs");
        let bytes = fs::read(path).expect("it can be read");
        let object = object::File::parse(&bytes[..]).expect("it is an executable");
        let id = object.build_id().expect("it is whole").expect("linkers write one");
        let of_this_crate = |name: &str| name.contains("memprof_recording");
        let code = object.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
        let code = code.filter(|symbol| symbol.name().is_ok_and(of_this_crate));
        let code = code.flat_map(|one| (one.address()..one.address() + one.size()).skip(1));
        let code: Vec<u64> = code.step_by(8).take(1502).collect();
        // The last stack has addresses of the first one, and two that are beyond the limit.
        let last = [&code[..50], &code[1500..]].concat();
        let stacks = [&code[..750], &code[750..1500], &code[700..800], &last];
        for (seconds, expected) in [(300, [true, true, true, false]), (0, [false; 4])] {
            let deadline = Some(Instant::now() + Duration::from_secs(seconds));
            let mut recording = recording(&stacks, hexadecimal(id));
            SymbolSearch { deadline, ..SymbolSearch::new() }.resolve(&mut recording);
            let of_summary = BTreeSet::from(expected);
            assert_eq!(named(&recording), (expected.to_vec(), of_summary), "{seconds}");
            let sites = recording.live_sites(&recording.live_stacks[0]);
            let of_site = sites.last().and_then(|site| site.allocates.function.as_deref());
            assert_eq!(of_site, Some("unnamed: not looked up by the program itself"));
        }
    }
}
