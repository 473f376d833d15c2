//! The step that finds which stacks allocate at one line, once the names are known.
//!
//! In a process without names, it is unknown whether stacks with the same innermost frames allocate
//! at one line. So the process records the narrowest branches of its call paths that certainly grow,
//! and the wider ones around them. The widest branch whose shared frames have a line of the user's
//! code has all stacks of this line, and replaces the branches within it. If it does not grow, the
//! line is no suspect. Branches that are even wider have several lines.
//!
//! If the shared frames are only functions of the standard library, the branch lists its stacks, and
//! the line that holds most of its memory is the suspect.

use super::apply::{Named, SiteKey, frames, site_key};
use crate::document::{CodeLine, Doubt, Estimate, Leak, LeakVerdict, Place, StackTable, Summary};
use core::time::Duration;
use memprof_profile::text::{CUT_ADDRESS, CodeOrigin, DIFFERENT_CALLERS};
use std::collections::BTreeMap;

/// Replaces the suspects by the widest branches with a line, and marks those without any line.
pub(super) fn take_lines(summary: &mut Summary, named: &Named, program: &str, stacks: &StackTable) {
    let seconds = summary.leak_watch.map_or(0, |watch| watch.watched_ns);
    let seconds = Duration::from_nanos(seconds).as_secs_f64();
    let reader = Reader { named, program, stacks, seconds };
    let mut taken = Taken::default();
    taken.take_widest(core::mem::take(&mut summary.wider_leaks), &reader);
    taken.take_narrowest(core::mem::take(&mut summary.leaks), &reader);
    taken.take_doubtful(core::mem::take(&mut summary.doubtful_leaks), &reader);
    taken.doubt_full_vectors(&reader);
    let Taken { mut suspects, mut doubtful, .. } = taken;
    for leak in suspects.iter_mut().chain(&mut doubtful) {
        reader.cut_callers(leak);
    }
    if let Some(watch) = summary.leak_watch.as_mut().filter(|_| suspects.is_empty())
        && watch.verdict == LeakVerdict::Leaks
    {
        let grows = watch.process_bytes_per_second.is_some() || !doubtful.is_empty();
        watch.verdict = if grows { LeakVerdict::NoCertainSite } else { LeakVerdict::NothingGrows };
    }
    (summary.leaks, summary.doubtful_leaks) = (suspects, doubtful);
}

/// The names and stacks of a recording that a reader has.
struct Reader<'n> {
    named: &'n Named,
    program: &'n str,
    stacks: &'n StackTable,
    /// The time that was watched.
    seconds: f64,
}

/// The frames that the stacks of a suspect share.
struct Branch {
    addresses: Vec<u64>,
    operation: Vec<String>,
    has_line: bool,
    /// The stacks differ, and no shared frame is in the program's own code or in one of its
    /// dependencies.
    is_foreign: bool,
}

impl Branch {
    /// Returns true if all stacks of this branch are in `wider`.
    fn is_within(&self, wider: &Self) -> bool {
        wider.operation == self.operation && self.addresses.starts_with(&wider.addresses)
    }
}

impl Reader<'_> {
    fn branch(&self, leak: &Leak) -> Branch {
        let shared = shared(leak);
        let frames = || frames(shared, self.named);
        let is_foreign =
            |frame: &Place| frame.is_named() && !frame.origin(Some(self.program)).is_own();
        let is_yours = |frame: &Place| frame.origin(Some(self.program)) == CodeOrigin::Workspace;
        Branch {
            addresses: shared.iter().map(|frame| frame.address.unwrap_or(CUT_ADDRESS)).collect(),
            operation: leak.operation.clone(),
            has_line: frames().any(is_yours),
            is_foreign: leak.different_callers.is_some() && frames().all(is_foreign),
        }
    }

    fn site_key(&self, stack: &[Place]) -> Option<SiteKey> {
        let place = frames(stack, self.named).find(|frame| frame.origin(None).is_own())?;
        site_key(place, frames(stack, self.named), self.program)
    }

    /// Returns the suspects at the line that holds most of the memory of a branch that certainly
    /// grows; none if this line may not have grown. `many` are all stacks of the branch.
    ///
    /// A line that the compiler inlines into many functions is many branches, each of which may have
    /// too few samples. So is a line that calls several functions which allocate. Other lines cannot
    /// have grown by more than they hold.
    fn at_main_line(&self, many: &Leak) -> Vec<Leak> {
        /// The smallest share of the memory that the line must hold. If it had stopped growing
        /// before the last quarter, the branch would have grown at a fifth of its pace since, and
        /// would be no suspect.
        const SHARE: f64 = 0.8;
        #[derive(Default)]
        struct Line {
            bytes: f64,
            /// The bytes of each call site, and its largest stack.
            sites: BTreeMap<SiteKey, (f64, Vec<Place>)>,
        }
        let mut lines: BTreeMap<CodeLine, Line> = BTreeMap::new();
        for (number, bytes) in &many.stacks {
            let Some(addresses) = self.stacks.addresses.get(number) else { continue };
            let at = |address: &u64| Place { address: Some(*address), ..Place::default() };
            let stack: Vec<Place> = addresses.iter().map(at).collect();
            let Some(key) = self.site_key(&stack) else { continue };
            let line = key.1.clone().unwrap_or_else(|| key.0.clone());
            let line = lines.entry(line).or_default();
            line.bytes += bytes;
            line.sites.entry(key).or_insert((0.0, stack)).0 += bytes;
        }
        let all = many.live.value;
        let main = lines.into_values().max_by(|a, b| a.bytes.total_cmp(&b.bytes));
        let main = main.unwrap_or_default();
        let others = (all - main.bytes) / self.seconds;
        let [low, high] = many.bytes_per_second_interval;
        let is_certain = main.bytes >= SHARE * all && low > others;
        if !is_certain {
            return Vec::new();
        }
        let growth = many.bytes_per_second * main.bytes / all;
        let one = Leak { stacks: Vec::new(), different_callers: None, ..many.clone() };
        let parts = main.sites.into_values().map(|(bytes, stack)| {
            let (share, share_of_line) = (bytes / all, bytes / main.bytes);
            let part = growth * share_of_line;
            // The distances of all parts combine to those of the line.
            let [below, above] =
                [growth - (low - others), high - growth].map(|it| it * share_of_line.sqrt());
            Leak {
                place: stack[0].clone(),
                stack,
                bytes_per_second: part,
                bytes_per_second_interval: [part - below, part + above],
                bytes_per_call: many.bytes_per_call.map(|bytes| bytes * share),
                live: part_of(many.live, share),
                live_blocks: part_of(many.live_blocks, share),
                ..one.clone()
            }
        });
        parts.collect()
    }

    /// Replaces the frames in which the stacks of a suspect differ, unless they share a line.
    fn cut_callers(&self, leak: &mut Leak) {
        if leak.different_callers.is_some() && !self.branch(leak).has_line {
            let shared = shared(leak).len();
            leak.stack.truncate(shared);
            leak.stack.push(function(DIFFERENT_CALLERS));
        }
        leak.different_callers = None;
        leak.stacks = Vec::new();
    }
}

/// The call sites that remain.
#[derive(Default)]
struct Taken {
    /// The widest branches with a line.
    lines: Vec<Branch>,
    suspects: Vec<Leak>,
    doubtful: Vec<Leak>,
}

impl Taken {
    fn has_line_of(&self, branch: &Branch) -> bool {
        self.lines.iter().any(|line| branch.is_within(line))
    }

    fn take_widest(&mut self, mut wider: Vec<Leak>, reader: &Reader<'_>) {
        wider.sort_by_key(|leak| shared(leak).len());
        for leak in wider {
            let branch = reader.branch(&leak);
            if !branch.has_line || self.has_line_of(&branch) {
                continue;
            }
            self.lines.push(branch);
            if leak.doubt.is_none() {
                self.suspects.push(leak);
            } else if leak.bytes_per_second_interval[0] > 0.0 {
                self.doubtful.push(leak);
            }
        }
    }

    fn take_narrowest(&mut self, narrowest: Vec<Leak>, reader: &Reader<'_>) {
        for mut leak in narrowest {
            let branch = reader.branch(&leak);
            if self.has_line_of(&branch) {
                continue;
            }
            if !branch.is_foreign {
                self.suspects.push(leak);
                continue;
            }
            let at_line = reader.at_main_line(&leak);
            if at_line.is_empty() {
                leak.doubt = Some(Doubt::ManyCallers);
                let outermost = frames(shared(&leak), reader.named).last().cloned();
                leak.place = outermost.unwrap_or_else(|| function("the allocator"));
                self.doubtful.push(leak);
            } else {
                self.suspects.extend(at_line);
            }
        }
    }

    fn take_doubtful(&mut self, doubtful: Vec<Leak>, reader: &Reader<'_>) {
        for leak in doubtful {
            let branch = reader.branch(&leak);
            if !branch.is_foreign && !self.has_line_of(&branch) {
                self.doubtful.push(leak);
            }
        }
    }

    /// Removes the buffers of full vectors from the suspects. A buffer that doubles is a suspect after
    /// three steps, although it may be full by now; the values in it show whether it is.
    fn doubt_full_vectors(&mut self, reader: &Reader<'_>) {
        let your_line = |leak: &Leak| reader.site_key(&leak.stack).and_then(|key| key.1);
        let is_full = |leak: &mut Leak| {
            let line = your_line(leak).filter(|_| leak.live_blocks.value < 2.0);
            line.is_some()
                && self.doubtful.iter().any(|values| {
                    values.doubt == Some(Doubt::Unsteady)
                        && values.live.value > leak.live.value
                        && your_line(values) == line
                })
        };
        let full: Vec<Leak> = self.suspects.extract_if(.., is_full).collect();
        let doubtful = full.into_iter().map(|leak| Leak { doubt: Some(Doubt::Unsteady), ..leak });
        self.doubtful.extend(doubtful);
    }
}

fn part_of(estimate: Estimate, share: f64) -> Estimate {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of samples"
    )]
    let samples = (estimate.samples as f64 * share).round() as u64;
    Estimate::new(estimate.value * share, estimate.standard_error * share.sqrt(), samples)
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
    use super::take_lines;
    use crate::document::{
        Doubt, Estimate, Leak, LeakVerdict, LeakWatch, Place, StackTable, Summary,
    };
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
            stacks: Vec::new(),
            held_by: Vec::new(),
            freed_at_end: false,
            doubt: None,
            allocated_type: None,
        }
    }

    fn summary(leaks: Vec<Leak>, wider_leaks: Vec<Leak>, doubtful_leaks: Vec<Leak>) -> Summary {
        summary_of(&named(), leaks, wider_leaks, doubtful_leaks, &StackTable::default())
    }

    fn summary_of(
        named: &Named,
        leaks: Vec<Leak>,
        wider_leaks: Vec<Leak>,
        doubtful_leaks: Vec<Leak>,
        stacks: &StackTable,
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
        take_lines(&mut summary, named, "app", stacks);
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
    fn a_line_that_holds_most_memory_of_many_callers_is_the_suspect() {
        // The addresses 5 and 6 are the same line, inlined into two functions.
        let mut named = named();
        let keep = place("keep", "src/main.rs");
        for address in [5, 6] {
            let inlined = Place { address: Some(address), ..keep.clone() };
            named.entry(address).or_default().insert(0, inlined);
        }
        let stacks = [vec![1, 2, 5, 8], vec![1, 2, 6, 9], vec![1, 2, 4], vec![1, 3, 6, 9]];
        let stacks = StackTable { addresses: (0..).zip(stacks).collect(), ..StackTable::default() };
        let check = |bytes: [f64; 4]| {
            let live = Estimate::new(bytes.iter().sum(), 10.0, 20);
            let all = (0..).zip(bytes).filter(|(_, bytes)| *bytes > 0.0).collect();
            let many = Leak { live, stacks: all, ..leak(&[1, 2, 5, 8], 2, 50.0) };
            summary_of(&named, vec![many], Vec::new(), Vec::new(), &stacks)
        };
        let found = check([50.0, 45.0, 5.0, 0.0]);
        let [leak] = &found.leaks[..] else { panic!("the line is found") };
        assert_eq!((leak.bytes_per_second, leak.bytes_per_second_interval), (47.5, [45.0, 50.0]));
        assert_eq!(leak.stack.iter().filter_map(|frame| frame.address).next_back(), Some(8));
        assert!(leak.stacks.is_empty());
        // Two functions that the line calls allocate. One standard error is 10.
        let found = check([64.0, 0.0, 0.0, 36.0]);
        let lives: Vec<_> = found.leaks.iter().map(|leak| leak.live).collect();
        assert_eq!(lives, [Estimate::new(36.0, 6.0, 7), Estimate::new(64.0, 8.0, 13)]);
        for bytes in [[30.0, 45.0, 25.0, 0.0], [400.0, 540.0, 60.0, 0.0]] {
            let unknown = check(bytes);
            assert!(unknown.leaks.is_empty(), "{bytes:?}");
            assert_eq!(unknown.doubtful_leaks[0].doubt, Some(Doubt::ManyCallers));
        }
    }

    #[test]
    fn a_buffer_is_no_suspect_if_the_larger_values_of_its_line_do_not_grow() {
        let check = |values: f64, blocks: f64| {
            let live_blocks = Estimate::new(blocks, 0.0, 1);
            let buffer = Leak { live_blocks, ..leak(&[1, 5, 8], 0, 20.0) };
            let values = Leak { doubt: Some(Doubt::Unsteady), ..leak(&[2, 5, 8], 0, values) };
            summary(vec![buffer], Vec::new(), vec![values])
        };
        let full = check(90.0, 1.0);
        assert!(full.leaks.is_empty());
        assert_eq!(full.leak_watch.map(|it| it.verdict), Some(LeakVerdict::NoCertainSite));
        let doubts: Vec<_> = full.doubtful_leaks.iter().map(|leak| leak.doubt).collect();
        assert_eq!(doubts, [Some(Doubt::Unsteady); 2]);
        assert_eq!(found(&check(10.0, 1.0).leaks), ["20: 8"]);
        assert_eq!(found(&check(90.0, 15.0).leaks), ["20: 8"]);
    }

    #[test]
    fn frames_without_names_may_be_the_programs_own() {
        let summary = summary(vec![leak(&[1, 99, 6, 7], 2, 50.0)], Vec::new(), Vec::new());
        assert_eq!(found(&summary.leaks), ["50: different callers"]);
    }
}
