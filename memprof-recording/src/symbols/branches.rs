//! The step that finds which stacks allocate at one line, once the names are known.
//!
//! In a process without names, it is unknown whether stacks with the same innermost frames allocate
//! at one line. So the process records the narrowest branches of its call paths that certainly grow, and the
//! wider ones around them. The widest branch whose shared frames have a line of the user's code has
//! all stacks of this line, and replaces the branches within it. If it does not grow, the line is no
//! suspect. Branches that are even wider have several lines.

use super::apply::{Named, SiteKey, frames, site_key};
use crate::Recording;
use crate::document::{Doubt, Estimate, Leak, LeakVerdict, Place, StackRow, Summary};
use core::time::Duration;
use memprof_profile::text::{CUT_ADDRESS, CodeOrigin, DIFFERENT_CALLERS};
use std::collections::{BTreeMap, HashMap};

/// The frames that the stacks of a suspect share.
struct Branch {
    addresses: Vec<u64>,
    operation: Vec<String>,
    /// `false` for a single stack.
    has_callers: bool,
    has_line: bool,
    /// No shared frame is in the program's own code, or in one of its dependencies.
    is_foreign: bool,
}

impl Branch {
    fn of(leak: &Leak, named: &Named, program: &str) -> Self {
        let shared = shared(leak);
        let frames = || frames(shared, named);
        Self {
            addresses: shared.iter().map(|frame| frame.address.unwrap_or(CUT_ADDRESS)).collect(),
            operation: leak.operation.clone(),
            has_callers: leak.different_callers.is_some(),
            has_line: frames().any(|frame| frame.origin(Some(program)) == CodeOrigin::Workspace),
            is_foreign: frames()
                .all(|frame| frame.is_named() && !frame.origin(Some(program)).is_own()),
        }
    }

    /// Returns whether a stack is in the branch.
    fn contains(&self, stack: &PeakStack<'_>) -> bool {
        self.operation == stack.operation && stack.addresses.starts_with(&self.addresses)
    }

    /// Returns true if all stacks of this branch are in `wider`.
    fn is_within(&self, wider: &Self) -> bool {
        wider.operation == self.operation && self.addresses.starts_with(&wider.addresses)
    }
}

/// A stack that was live at the peak.
pub(super) struct PeakStack<'r> {
    addresses: &'r [u64],
    operation: &'r [String],
    bytes: f64,
}

/// Returns the stacks that were live at the recorded peak.
pub(super) fn at_peak(recording: &Recording) -> Vec<PeakStack<'_>> {
    let operations: HashMap<u32, &[String]> =
        recording.operation_paths.iter().map(|path| (path.path, &path.names[..])).collect();
    let rows = recording.peak_stacks().into_iter().flat_map(|moment| &moment.rows);
    let stack = |row: &StackRow| {
        let operation = match row.path {
            Some(path) => operations.get(&path)?,
            None => &[][..],
        };
        let addresses = recording.stacks.addresses.get(&row.stack)?;
        Some(PeakStack { addresses, operation, bytes: row.live.value })
    };
    rows.filter_map(stack).collect()
}

/// Returns the suspect at the line that holds nearly all of these stacks, if this line certainly
/// grew. `many` are all stacks of a branch that grows.
///
/// A line that the compiler inlines into many functions is many branches, each of which may have too
/// few samples. Other lines cannot have grown by more than they hold.
fn at_main_line<'s>(
    many: &Leak,
    stacks: impl Iterator<Item = &'s PeakStack<'s>>,
    seconds: f64,
    key: impl Fn(&[Place]) -> Option<SiteKey>,
) -> Option<Leak> {
    /// The smallest share of the memory that the line must hold.
    const SHARE: f64 = 0.9;
    let mut lines: BTreeMap<_, (f64, Vec<Place>)> = BTreeMap::new();
    let mut all = 0.0;
    for PeakStack { addresses, bytes, .. } in stacks {
        let at = |address: &u64| Place { address: Some(*address), ..Place::default() };
        let stack: Vec<Place> = addresses.iter().map(at).collect();
        lines.entry(key(&stack)).or_insert((0.0, stack)).0 += bytes;
        all += bytes;
    }
    let (key, (bytes, stack)) = lines.into_iter().max_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
    let (share, others) = (bytes / all, (all - bytes) / seconds);
    let [low, high] = many.bytes_per_second_interval;
    let is_certain = key.is_some() && share >= SHARE && low > others;
    is_certain.then(|| Leak {
        place: stack[0].clone(),
        stack,
        different_callers: None,
        bytes_per_second: many.bytes_per_second * share,
        bytes_per_second_interval: [low - others, high],
        bytes_per_call: many.bytes_per_call.map(|bytes| bytes * share),
        live: Estimate { value: many.live.value * share, ..many.live },
        ..many.clone()
    })
}

/// Replaces the suspects by the widest branches with a line, and marks those without any line.
pub(super) fn take_lines(
    summary: &mut Summary,
    named: &Named,
    program: &str,
    peak: &[PeakStack<'_>],
) {
    let seconds = summary.leak_watch.map_or(0, |watch| watch.watched_ns);
    let seconds = Duration::from_nanos(seconds).as_secs_f64();
    let branch = |leak: &Leak| Branch::of(leak, named, program);
    let key = |stack: &[Place]| {
        let place = frames(stack, named).find(|frame| frame.origin(None).is_own())?;
        site_key(place, frames(stack, named), program)
    };
    let mut wider = core::mem::take(&mut summary.wider_leaks);
    wider.sort_by_key(|leak| shared(leak).len());
    let mut lines: Vec<Branch> = Vec::new();
    let is_of_line =
        |lines: &[Branch], branch: &Branch| lines.iter().any(|line| branch.is_within(line));
    let mut suspects = Vec::new();
    let mut doubtful = Vec::new();
    for leak in wider {
        let branch = branch(&leak);
        if !branch.has_line || is_of_line(&lines, &branch) {
            continue;
        }
        lines.push(branch);
        if leak.doubt.is_none() {
            suspects.push(leak);
        } else if leak.bytes_per_second_interval[0] > 0.0 {
            doubtful.push(leak);
        }
    }
    let leaks = core::mem::take(&mut summary.leaks);
    let branches: Vec<Branch> = leaks.iter().map(branch).collect();
    for (mut leak, branch) in leaks.into_iter().zip(&branches) {
        if is_of_line(&lines, branch) {
            continue;
        }
        if branch.has_callers && branch.is_foreign {
            let is_narrower = |it: &&Branch| it.addresses.len() > branch.addresses.len();
            let narrower: Vec<&Branch> = branches.iter().filter(is_narrower).collect();
            let is_own = |stack: &&PeakStack<'_>| {
                branch.contains(stack) && !narrower.iter().any(|it| it.contains(stack))
            };
            let own = peak.iter().filter(is_own);
            if let Some(line) = at_main_line(&leak, own, seconds, key) {
                suspects.push(line);
                continue;
            }
            leak.doubt = Some(Doubt::ManyCallers);
            let outermost = frames(shared(&leak), named).last().cloned();
            leak.place = outermost.unwrap_or_else(|| function("the allocator"));
            doubtful.push(leak);
        } else {
            suspects.push(leak);
        }
    }
    for leak in core::mem::take(&mut summary.doubtful_leaks) {
        let branch = branch(&leak);
        let is_of_many = branch.has_callers && branch.is_foreign;
        if !is_of_many && !is_of_line(&lines, &branch) {
            doubtful.push(leak);
        }
    }
    for leak in suspects.iter_mut().chain(&mut doubtful) {
        if !branch(leak).has_line && leak.different_callers.is_some() {
            let shared = shared(leak).len();
            leak.stack.truncate(shared);
            leak.stack.push(function(DIFFERENT_CALLERS));
        }
        leak.different_callers = None;
    }
    if let Some(watch) = summary.leak_watch.as_mut().filter(|_| suspects.is_empty())
        && watch.verdict == LeakVerdict::Leaks
    {
        let grows = watch.process_bytes_per_second.is_some() || !doubtful.is_empty();
        watch.verdict = if grows { LeakVerdict::NoCertainSite } else { LeakVerdict::NothingGrows };
    }
    (summary.leaks, summary.doubtful_leaks) = (suspects, doubtful);
}

fn function(name: &str) -> Place {
    Place { function: Some(name.to_owned()), ..Place::default() }
}

/// Returns the frames of a suspect's stack that all its stacks share. The stack has no names: each
/// frame is an address.
fn shared(leak: &Leak) -> &[Place] {
    let callers = leak.different_callers.unwrap_or_default();
    &leak.stack[..leak.stack.len().saturating_sub(callers)]
}

#[cfg(test)]
mod tests {
    use super::{PeakStack, take_lines};
    use crate::document::{Doubt, Estimate, Leak, LeakVerdict, LeakWatch, Place, Summary};
    use crate::symbols::apply::Named;

    fn place(function: &str, file: &str) -> Place {
        let [function, file] = [function, file].map(|text| Some(text.to_owned()));
        Place { function, file, line: Some(7), ..Place::default() }
    }

    /// The frames of the addresses 1 to 9: std, a dependency, and lines of the user's code.
    fn named() -> Named {
        let std = "/rustc/59807616e1/library/alloc/src/raw_vec.rs";
        let dependency = "/cargo/registry/src/index-1949cf8c6b5b557f/bytes-1.0.0/src/bytes.rs";
        let files = [std, std, dependency].into_iter().chain(["src/main.rs"; 6]);
        let frames = (1..).zip(files).map(|(address, file)| {
            let frame = Place { address: Some(address), ..place(&format!("f{address}"), file) };
            (address, vec![frame])
        });
        frames.collect()
    }

    /// The stack begins with the innermost address. The last `callers` ones are those in which the
    /// stacks differ.
    fn leak(stack: &[u64], callers: usize, bytes: f64) -> Leak {
        let at = |address: &u64| Place { address: Some(*address), ..Place::default() };
        Leak {
            place: at(&stack[0]),
            operation: Vec::new(),
            bytes_per_second: bytes,
            bytes_per_call: None,
            bytes_per_second_interval: [bytes, bytes],
            live: Estimate::new(bytes, 0.0, 20),
            live_blocks: Estimate::new(1.0, 0.0, 20),
            stack: stack.iter().map(at).collect(),
            stack_number: None,
            different_callers: Some(callers).filter(|callers| *callers > 0),
            held_by: Vec::new(),
            freed_at_end: false,
            doubt: None,
            allocated_type: None,
        }
    }

    fn summary(leaks: Vec<Leak>, wider_leaks: Vec<Leak>, doubtful_leaks: Vec<Leak>) -> Summary {
        summary_of(&named(), leaks, wider_leaks, doubtful_leaks, &[])
    }

    fn summary_of(
        named: &Named,
        leaks: Vec<Leak>,
        wider_leaks: Vec<Leak>,
        doubtful_leaks: Vec<Leak>,
        peak: &[PeakStack<'_>],
    ) -> Summary {
        let mut summary = Summary { leaks, wider_leaks, doubtful_leaks, ..Summary::default() };
        summary.leak_watch = Some(LeakWatch {
            verdict: LeakVerdict::Leaks,
            observations: 10,
            watched_ns: 1_000_000_000,
            process_bytes: 1,
            process_bytes_per_second: None,
            smallest_found_bytes_per_second: None,
        });
        take_lines(&mut summary, named, "app", peak);
        assert!(summary.wider_leaks.is_empty());
        summary
    }

    /// Returns the growth of each suspect, and the last frame of its stack.
    fn found(leaks: &[Leak]) -> Vec<String> {
        let last = |leak: &Leak| {
            let last = leak.stack.last().expect("it has a stack");
            last.function.clone().unwrap_or_else(|| last.address.unwrap_or_default().to_string())
        };
        leaks.iter().map(|leak| format!("{}: {}", leak.bytes_per_second, last(leak))).collect()
    }

    #[test]
    fn the_widest_branch_with_a_line_has_all_stacks_of_the_line() {
        let narrow = vec![leak(&[1, 4, 5, 6], 0, 20.0), leak(&[1, 4, 7, 8, 9], 2, 30.0)];
        let line = leak(&[1, 4, 5, 6], 2, 80.0);
        let all = leak(&[1, 4, 5, 6], 3, 90.0);
        let doubtful = vec![leak(&[1, 4, 8, 9], 0, 9.0), leak(&[1, 5, 8, 9], 0, 8.0)];
        let summary = summary(narrow, vec![all, line], doubtful);
        assert_eq!(found(&summary.leaks), ["80: 6"]);
        assert_eq!(found(&summary.doubtful_leaks), ["8: 9"]);
    }

    #[test]
    fn a_line_is_no_suspect_if_other_paths_free_what_one_adds() {
        let path = || vec![leak(&[1, 4, 5, 6], 0, 20.0)];
        let doubtful = |bytes: f64| {
            vec![Leak { doubt: Some(Doubt::Unsteady), ..leak(&[1, 4, 5, 6], 2, bytes) }]
        };
        let grown = summary(path(), doubtful(10.0), Vec::new());
        assert!(grown.leaks.is_empty());
        assert_eq!(found(&grown.doubtful_leaks), ["10: 6"]);
        let same = summary(path(), doubtful(-1.0), Vec::new());
        assert!(same.leaks.is_empty() && same.doubtful_leaks.is_empty());
        assert_eq!(same.leak_watch.map(|it| it.verdict), Some(LeakVerdict::NothingGrows));
    }

    #[test]
    fn the_rest_of_a_line_is_within_the_line() {
        let leaks = vec![leak(&[1, 4, 5, 6], 0, 20.0), leak(&[1, 4, 7, 8], 2, 30.0)];
        let doubtful = Leak { doubt: Some(Doubt::FewSamples), ..leak(&[1, 4, 8, 9], 2, 5.0) };
        let line = leak(&[1, 4, 5, 6], 2, 55.0);
        let summary = summary(leaks, vec![line], vec![doubtful]);
        assert_eq!(found(&summary.leaks), ["55: 6"]);
        assert!(summary.doubtful_leaks.is_empty());
    }

    #[test]
    fn a_function_that_calls_itself_has_a_frame_for_each_call() {
        let path = leak(&[1, 4, 5, 5, 5, 5, 6], 0, 20.0);
        let line = leak(&[1, 4, 5, 5, 5, 5, 6], 5, 80.0);
        let summary = summary(vec![path], vec![line], Vec::new());
        assert_eq!(found(&summary.leaks), ["80: 6"]);
    }

    #[test]
    fn the_rest_of_a_dependency_is_a_suspect_beside_its_lines() {
        let leaks = vec![leak(&[1, 3, 4, 5], 0, 20.0), leak(&[1, 3, 6, 7], 2, 30.0)];
        let dependency = leak(&[1, 3, 6, 7], 2, 50.0);
        let summary = summary(leaks, vec![dependency], Vec::new());
        assert_eq!(found(&summary.leaks), ["20: 5", "30: different callers"]);
    }

    #[test]
    fn each_line_below_a_common_function_is_a_suspect() {
        let lines = vec![leak(&[1, 2, 4, 5], 0, 20.0), leak(&[1, 2, 6, 7], 1, 30.0)];
        let common = leak(&[1, 2, 6, 7], 2, 50.0);
        let summary = summary(lines, vec![common], Vec::new());
        assert_eq!(found(&summary.leaks), ["20: 5", "30: 7"]);
    }

    #[test]
    fn a_dependency_that_many_lines_call_is_a_suspect_without_their_lines() {
        let summary = summary(vec![leak(&[1, 3, 5, 6], 2, 50.0)], Vec::new(), Vec::new());
        assert_eq!(found(&summary.leaks), ["50: different callers"]);
        assert_eq!(summary.leaks[0].stack.len(), 3);
    }

    #[test]
    fn growth_of_the_standard_library_alone_is_no_suspect() {
        let summary = summary(vec![leak(&[1, 2, 5, 6], 2, 50.0)], Vec::new(), Vec::new());
        assert!(summary.leaks.is_empty());
        assert_eq!(found(&summary.doubtful_leaks), ["50: different callers"]);
        let [leak] = &summary.doubtful_leaks[..] else { panic!("it is the only one") };
        assert_eq!(leak.doubt, Some(Doubt::ManyCallers));
        assert_eq!(leak.place.function.as_deref(), Some("f2"));
        assert_eq!(summary.leak_watch.map(|it| it.verdict), Some(LeakVerdict::NoCertainSite));
    }

    #[test]
    fn a_line_that_holds_nearly_all_memory_of_many_callers_is_the_suspect() {
        // The addresses 5 and 6 are the same line, inlined into two functions.
        let mut named = named();
        let line = place("keep", "src/main.rs");
        for address in [5, 6] {
            let inlined = Place { address: Some(address), ..line.clone() };
            named.entry(address).or_default().insert(0, inlined);
        }
        let check = |bytes_of_line: f64, bytes_of_other: f64| {
            let many = vec![leak(&[1, 2, 5, 8], 2, 50.0)];
            let stack = |addresses, bytes| PeakStack { addresses, operation: &[], bytes };
            let half = bytes_of_line / 2.0;
            let peak = [
                stack(&[1, 2, 5, 8], half),
                stack(&[1, 2, 6, 9], half),
                stack(&[1, 2, 4], bytes_of_other),
            ];
            summary_of(&named, many, Vec::new(), Vec::new(), &peak)
        };
        let found = check(95.0, 5.0);
        let [leak] = &found.leaks[..] else { panic!("the line is found") };
        assert_eq!((leak.bytes_per_second, leak.bytes_per_second_interval), (47.5, [45.0, 50.0]));
        assert_eq!(leak.stack.iter().filter_map(|frame| frame.address).next_back(), Some(8));
        for [line, other] in [[80.0, 20.0], [940.0, 60.0]] {
            let unknown = check(line, other);
            assert!(unknown.leaks.is_empty(), "{line} {other}");
            assert_eq!(unknown.doubtful_leaks[0].doubt, Some(Doubt::ManyCallers));
        }
    }

    #[test]
    fn frames_without_names_may_be_the_programs_own() {
        let summary = summary(vec![leak(&[1, 99, 6, 7], 2, 50.0)], Vec::new(), Vec::new());
        assert_eq!(found(&summary.leaks), ["50: different callers"]);
    }
}
