//! The steps from the bytes that the roots own to the resident memory, and how each of them changed.
//!
//! A snapshot with a full reading has a step for each part of the resident memory. Other snapshots have
//! only the figures of the operating system.

use crate::Recording;
use crate::document::{MemoryLimit, PartKind, ResidentMemory, ResidentPart, Snapshot};
use core::fmt;
use memprof_profile::text::{Shown, Table, change, counted, percent, signed, span};
use memprof_profile::views::Units;
use serde::Serialize;

/// Bytes in no known part that are not worth a step.
const PAGE: i128 = 4096;

/// One step from the bytes that the roots own to the resident memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Step {
    /// `+` for a part, `=` for a sum, nothing for the first step.
    pub sign: &'static str,
    /// The name of the bytes.
    pub what: String,
    /// The bytes; negative if the step subtracts them.
    pub bytes: i128,
}

/// What a step is about, by which it is found again in an earlier reading.
#[derive(Clone, Copy, Debug)]
enum Subject<'s> {
    /// A part of the resident memory, as it was read.
    Part(&'s ResidentPart),
    /// Memory of this kind, as memprof's allocator counted it.
    Counted(PartKind),
    /// All resident memory.
    Resident,
    /// Memory that an earlier reading has no amount for.
    Other,
}

impl Subject<'_> {
    fn is_kind(&self, kind: PartKind) -> bool {
        matches!(self, Self::Part(part) if part.kind == kind)
    }
}

/// The steps to the resident memory, each with its subject.
#[derive(Default)]
struct Steps<'s>(Vec<(Subject<'s>, Step)>);

impl<'s> Steps<'s> {
    /// Adds a part. The first one has no sign.
    fn add(&mut self, of: Subject<'s>, what: impl Into<String>, bytes: impl Into<i128>) {
        let sign = if self.0.is_empty() { "" } else { "+" };
        self.0.push((of, Step { sign, what: what.into(), bytes: bytes.into() }));
    }

    fn add_sum(&mut self, of: Subject<'s>, what: &str, bytes: impl Into<i128>) {
        self.0.push((of, Step { sign: "=", what: what.to_owned(), bytes: bytes.into() }));
    }

    fn parts(&self) -> impl Iterator<Item = &Step> {
        self.0.iter().map(|(_, step)| step).filter(|step| step.sign != "=")
    }

    fn sum(&self) -> i128 {
        self.parts().map(|step| step.bytes).sum()
    }
}

impl Snapshot {
    /// Returns the steps to the resident memory: from the bytes that the roots own, or from the live heap
    /// if there are no roots.
    ///
    /// Empty if the allocator did not count and nothing else is known.
    pub fn steps(&self) -> Vec<Step> {
        self.subjects().0.into_iter().map(|(_, step)| step).collect()
    }

    fn subjects(&self) -> Steps<'_> {
        let mut steps = Steps::default();
        self.add_steps_of_heap(&mut steps);
        let Some(resident) = &self.resident else {
            self.add_steps_of_system(&mut steps);
            return steps;
        };
        for part in &resident.parts {
            let is_in_heap = matches!(
                part.kind,
                PartKind::LiveHeap | PartKind::Profiler | PartKind::Unexplained
            );
            if let Some(bytes) = part.bytes.filter(|_| !is_in_heap) {
                steps.add(Subject::Part(part), resident.name(part), bytes);
            }
        }
        let rest = i128::from(resident.resident_bytes) - steps.sum();
        // The heap is counted at one instant, but reading the maps takes a few milliseconds.
        if rest.abs() >= PAGE {
            let what = match self.heap {
                Some(_) => PartKind::Unexplained.label(),
                None => "allocated blocks: memprof's allocator did not count",
            };
            steps.add(Subject::Other, what, rest);
        }
        steps.add_sum(Subject::Resident, "resident", resident.resident_bytes);
        steps
    }

    fn add_steps_of_heap(&self, steps: &mut Steps<'_>) {
        let live_heap = PartKind::LiveHeap;
        let profiler = if let Some(heap) = &self.reconciliation {
            let live = i128::from(heap.live_bytes) - i128::from(heap.profiler_bytes.unwrap_or(0));
            let roots = i128::from(heap.roots_bytes);
            let rest = live - roots;
            // The rest is negative if several roots report the same bytes as owned.
            let rest_is = if rest < 0 { "counted by several roots" } else { "unexplained" };
            steps.add(Subject::Other, "the roots' values", roots);
            steps.add(Subject::Other, rest_is, rest);
            steps.add_sum(Subject::Counted(live_heap), live_heap.label(), live);
            heap.profiler_bytes
        } else if let Some(heap) = &self.heap {
            steps.add(Subject::Counted(live_heap), live_heap.label(), heap.live_bytes);
            Some(heap.profiler_bytes)
        } else {
            None
        };
        if let Some(bytes) = profiler {
            let tables = self.profiler.table_bytes.filter(|_| self.resident.is_some());
            let own = i128::from(bytes) + i128::from(tables.unwrap_or(0));
            steps.add(Subject::Counted(PartKind::Profiler), PartKind::Profiler.label(), own);
        }
    }

    /// Adds what the operating system knows without a full reading.
    fn add_steps_of_system(&self, steps: &mut Steps<'_>) {
        let process = &self.process;
        let Some(resident) = process.rss_bytes.map(i128::from) else { return };
        let heap = steps.sum();
        let files = process.rss_file_bytes.zip(process.rss_shared_bytes);
        let files = files.map(|(files, shared)| i128::from(files) + i128::from(shared));
        if let Some((anonymous, files)) = process.rss_anonymous_bytes.map(i128::from).zip(files) {
            let other = anonymous - heap;
            let other_is = match other {
                ..0 => PartKind::NotResident.label(),
                0.. => "other anonymous memory",
            };
            steps.add(Subject::Other, other_is, other);
            steps.add(Subject::Other, "mapped files", files);
            let other = resident - anonymous - files;
            // Linux counts pages per thread and adds up the counts with a delay.
            if other != 0 {
                steps.add(Subject::Other, "not classified by the system", other);
            }
        } else {
            let rest = "the rest: other anonymous memory, mapped files";
            steps.add(Subject::Other, rest, resident - heap);
        }
        steps.add_sum(Subject::Resident, "resident", resident);
    }
}

impl ResidentMemory {
    fn name(&self, part: &ResidentPart) -> String {
        let label = part.kind.label();
        match part.kind {
            PartKind::File => part
                .file
                .as_deref()
                .map_or_else(|| label.to_owned(), |file| Shown(file).to_string()),
            PartKind::Stacks => format!("{label}, {}", counted(self.threads, "thread")),
            PartKind::Anonymous => {
                let unknown = self.parts.iter().filter(|part| part.bytes.is_none());
                let unknown: Vec<_> = unknown.map(|part| part.kind.label()).collect();
                if unknown.is_empty() {
                    label.to_owned()
                } else {
                    format!("{label}, with {}", unknown.join(" and "))
                }
            }
            _ => label.to_owned(),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Trend<'r> {
    first: &'r ResidentMemory,
    last: &'r ResidentMemory,
    over_ns: u64,
}

struct Grown {
    kinds: &'static [PartKind],
    name: &'static str,
    bytes: i128,
}

impl Grown {
    /// Returns whether the part grew all the time, so that it has a rate: a file that is mapped once
    /// has none. Each reading may be below the one before it by a tenth of the growth.
    fn is_steady(&self, readings: &[&ResidentMemory]) -> bool {
        const ENOUGH: usize = 4;
        let amounts: Option<Vec<i64>> = readings.iter().map(|one| one.bytes(self.kinds)).collect();
        let rises = |pair: &[i64]| i128::from(pair[1]) >= i128::from(pair[0]) - self.bytes / 10;
        // One step of the size of the whole growth is no trend either.
        let is_jump = |pair: &[i64]| i128::from(pair[1] - pair[0]) > self.bytes / 4 * 3;
        amounts.is_some_and(|amounts| {
            amounts.len() >= ENOUGH
                && amounts.windows(2).all(rises)
                && !amounts.windows(2).any(is_jump)
        })
    }
}

/// The parts that can grow by themselves, and what a sentence calls them.
const GROWING: [(&[PartKind], &str); 7] = [
    (&[PartKind::CLibraries], "C libraries"),
    (&[PartKind::AllocatorFree], "the allocator's free memory"),
    (&[PartKind::MallocFree], "free memory of malloc"),
    (&[PartKind::Stacks], "thread stacks"),
    (&[PartKind::Anonymous], "other anonymous maps"),
    (&[PartKind::File, PartKind::OtherFiles], "mapped files"),
    (&[PartKind::Unexplained], "unaccounted memory"),
];

impl<'r> Trend<'r> {
    fn until(recording: &'r Recording, snapshot: &'r Snapshot) -> Option<Self> {
        let first = recording.snapshots.iter().find(|one| one.resident.is_some())?;
        let over_ns = snapshot.at_ns.checked_sub(first.at_ns).filter(|&ns| ns > 0)?;
        Some(Self {
            first: first.resident.as_deref()?,
            last: snapshot.resident.as_deref()?,
            over_ns,
        })
    }

    fn change(&self, kinds: &[PartKind]) -> Option<i128> {
        Some(i128::from(self.last.bytes(kinds)?) - i128::from(self.first.bytes(kinds)?))
    }

    fn resident_change(&self) -> i128 {
        i128::from(self.last.resident_bytes) - i128::from(self.first.resident_bytes)
    }

    fn change_of(&self, of: Subject<'_>) -> Option<i128> {
        match of {
            Subject::Part(part) if part.file.is_some() => {
                let same = |one: &&ResidentPart| one.file == part.file;
                let before = self.first.parts.iter().find(same)?;
                Some(i128::from(part.bytes?) - i128::from(before.bytes?))
            }
            Subject::Part(part) => self.change(&[part.kind]),
            Subject::Counted(kind) => self.change(&[kind]),
            Subject::Resident => Some(self.resident_change()),
            Subject::Other => None,
        }
    }

    /// Returns the part besides the live heap that grew most, if that is most of the growth.
    fn grown(&self) -> Option<Grown> {
        /// Less growth is usual while a program starts.
        const LEAST: i128 = 4 << 20;
        let parts = GROWING
            .into_iter()
            .filter_map(|(kinds, name)| Some(Grown { kinds, name, bytes: self.change(kinds)? }));
        let part = parts.max_by_key(|part| part.bytes)?;
        // Allocated pages that become resident may belong to any part.
        let touched = self.change(&[PartKind::NotResident]).unwrap_or(0).abs();
        let least = LEAST.max(i128::from(self.last.resident_bytes) / 16);
        let heap = self.change(&[PartKind::LiveHeap]).unwrap_or(0);
        (part.bytes - touched >= least && part.bytes > heap).then_some(part)
    }

    fn speed(&self, bytes: i128) -> i128 {
        bytes * 1_000_000_000 / i128::from(self.over_ns)
    }

    /// Formats how much was read: `2 readings in 15.0 s`.
    fn evidence(&self) -> String {
        let readings = self.last.number.saturating_sub(self.first.number) + 1;
        format!("{} in {}", counted(readings, "reading"), span(self.over_ns))
    }
}

impl Recording {
    /// Returns which part of the resident memory grew, if it is not the live heap: the finding, then the
    /// evidence.
    ///
    /// The finding has a rate if the part grew steadily in at least four readings. Returns `None` without
    /// two full readings, and if no other part grew by much.
    pub fn resident_growth(&self, units: Units) -> Option<[String; 2]> {
        let last = self.snapshots.iter().rev().find(|one| one.resident.is_some())?;
        let trend = Trend::until(self, last)?;
        let part = trend.grown()?;
        let readings: Vec<_> =
            self.snapshots.iter().filter_map(|one| one.resident.as_deref()).collect();
        let name = part.name;
        let grew = if part.is_steady(&readings) {
            let grow = if name.ends_with('s') { "grow" } else { "grows" };
            format!("{grow} by {}/s", signed(trend.speed(part.bytes), units))
        } else {
            let bytes = signed(part.bytes, units);
            format!("grew by {bytes} between the first and the last reading")
        };
        let finding = format!("outside of the Rust heap, {name} {grew}");
        let resident = change(trend.speed(trend.resident_change()), units);
        let heap = trend.change(&[PartKind::LiveHeap]);
        let heap = heap.map_or_else(
            || "unknown".to_owned(),
            |of| format!("{}/s", change(trend.speed(of), units)),
        );
        let evidence = trend.evidence();
        Some([finding, format!("resident {resident}/s, live heap {heap}: {evidence}")])
    }

    pub(super) fn waterfall<'r>(
        &'r self,
        snapshot: &'r Snapshot,
        units: Units,
        width: usize,
    ) -> impl fmt::Display + use<'r> {
        Waterfall { snapshot, trend: Trend::until(self, snapshot), units, width }
    }

    pub(super) fn waterfall_period(&self, snapshot: &Snapshot) -> Option<String> {
        Some(Trend::until(self, snapshot)?.evidence())
    }

    /// Formats the last time at which a limit was nearly reached, and what held the most memory
    /// then.
    pub(super) fn near_limit(&self, units: Units) -> Option<Vec<String>> {
        let snapshot = self.snapshots.iter().rev().find(|one| one.pressure.is_some())?;
        let pressure = snapshot.pressure.as_deref()?;
        let limit = match pressure.limit {
            MemoryLimit::Group => "the container's",
            MemoryLimit::AddressSpace => "the address space's",
            MemoryLimit::Machine => "the machine's",
        };
        let (used, limit_bytes) =
            (units.show(pressure.used_bytes), units.show(pressure.limit_bytes));
        let percent = pressure.percent();
        let at = span(snapshot.at_ns);
        let mut text = vec![format!("{used} of {limit} {limit_bytes} used at {at} ({percent} %)")];
        if let Some(most) = snapshot.subjects().parts().max_by_key(|step| step.bytes) {
            text.push(format!("most in {}: {}", most.what, signed(most.bytes, units)));
        }
        if let Some(percent) = pressure.stalled_percent.filter(|&percent| percent > 0) {
            text.push(format!("tasks waited for memory in {percent} % of the preceding 10 s"));
        }
        Some(text)
    }
}

struct Waterfall<'r> {
    snapshot: &'r Snapshot,
    trend: Option<Trend<'r>>,
    units: Units,
    width: usize,
}

impl Waterfall<'_> {
    /// Adds small files that did not change much to the other files.
    fn fold<'s>(&self, Steps(steps): Steps<'s>, whole: i128) -> Vec<(Subject<'s>, Step)> {
        let is_small = |(of, step): &(Subject<'_>, Step)| {
            let change = self.trend.as_ref().and_then(|trend| trend.change_of(*of)).unwrap_or(0);
            of.is_kind(PartKind::File) && step.bytes < whole / 10 && change.abs() < whole / 20
        };
        let (small, mut rest): (Vec<_>, Vec<_>) = steps.into_iter().partition(is_small);
        let folded: i128 = small.iter().map(|(_, step)| step.bytes).sum();
        match rest.iter_mut().find(|(of, _)| of.is_kind(PartKind::OtherFiles)) {
            Some((of, other)) if !small.is_empty() => {
                other.bytes += folded;
                *of = Subject::Other;
            }
            None if folded > 0 => {
                let what = PartKind::OtherFiles.label().to_owned();
                let other = Step { sign: "+", what, bytes: folded };
                rest.insert(rest.len() - 1, (Subject::Other, other));
            }
            _ => {}
        }
        rest
    }
}

impl fmt::Display for Waterfall<'_> {
    #[expect(clippy::cast_precision_loss, reason = "a share is rounded")]
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = self.units;
        let steps = self.snapshot.subjects();
        let whole = steps.0.last().map(|(_, step)| step.bytes).filter(|&bytes| bytes > 0);
        let steps = self.fold(steps, whole.unwrap_or(0));
        let heading = if self.trend.is_some() { ["growth", "per second"] } else { [""; 2] };
        let mut table = Table::new(["", "", "", heading[0], heading[1], ""], &[0, 5]);
        for (of, step) in &steps {
            // A negative part gets a minus instead of its plus.
            let (sign, bytes) = match (step.sign, step.bytes) {
                ("+", ..0) => ("−", -step.bytes),
                other => other,
            };
            let share = whole.map(|whole| percent(bytes as f64 / whole as f64).replace('-', "−"));
            let trend = self.trend.as_ref();
            let grown = trend.and_then(|trend| Some((trend, trend.change_of(*of)?)));
            // A range that does not change the picture is left out.
            let is_wide = |[low, high]: &[i64; 2]| {
                i128::from(*high) - i128::from(*low) > whole.unwrap_or(0) / 100
            };
            let range = match of {
                Subject::Part(part) => part.range.filter(is_wide),
                _ => None,
            };
            let range = range.map_or_else(String::new, |[low, high]| {
                format!(" ({} to {})", signed(low.into(), units), signed(high.into(), units))
            });
            table.row([
                sign.to_owned(),
                signed(bytes, units),
                share.unwrap_or_default(),
                grown.map_or_else(String::new, |(_, bytes)| change(bytes, units)),
                grown.map_or_else(String::new, |(trend, bytes)| change(trend.speed(bytes), units)),
                format!("{}{range}", step.what),
            ]);
        }
        if self.trend.is_none() {
            table.drop_column(4);
            table.drop_column(3);
        } else if table.columns() > self.width {
            table.drop_column(3);
        }
        out.write_str(&table.lines(self.width).join("\n"))
    }
}

#[cfg(test)]
#[expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]
mod tests {
    use crate::Recording;
    use crate::document::{
        Ended, MemoryLimit, MemoryPressure, Metadata, PartKind, ProcessMemory, Reconciliation,
        ResidentMemory, ResidentPart, Snapshot, Summary, Trigger,
    };
    use expect_test::{Expect, expect};
    use memprof_profile::views::Units;

    fn heap(roots: u64, live: i64, profiler: Option<i64>) -> Reconciliation {
        Reconciliation {
            live_bytes: live,
            profiler_bytes: profiler,
            roots_bytes: roots,
            roots_exact: true,
            explained: None,
            unexplained: None,
            claimed_twice: None,
        }
    }

    fn process(resident: Option<u64>, parts: Option<[u64; 2]>) -> ProcessMemory {
        ProcessMemory {
            rss_bytes: resident,
            rss_anonymous_bytes: parts.map(|parts| parts[0]),
            rss_file_bytes: parts.map(|parts| parts[1]),
            rss_shared_bytes: parts.map(|_| 0),
            ..ProcessMemory::default()
        }
    }

    fn recording(snapshots: Vec<Snapshot>) -> Recording {
        let metadata = Metadata { ended: Ended::Finished, ..Metadata::of_this_process(0) };
        let mut recording = Recording::with_summary(metadata, Summary::default());
        recording.snapshots = snapshots;
        recording
    }

    fn check(heap: &Reconciliation, process: &ProcessMemory, expected: &Expect) {
        let mut snapshot = Snapshot::new(0, 0, Trigger::End);
        (snapshot.reconciliation, snapshot.process) = (Some(heap.clone()), *process);
        let recording = recording(vec![snapshot]);
        let shown = recording.waterfall(&recording.snapshots[0], Units::Iec, 100).to_string();
        expected.assert_eq(&format!("{shown}\n"));
    }

    #[test]
    fn each_step_adds_up_for_any_figures_of_the_system() {
        check(
            &heap(600, 1000, Some(100)),
            &process(Some(2000), Some([1500, 490])),
            &expect![[r#"
                     600 B   30.0 %  the roots' values
                +    300 B   15.0 %  unexplained
                =    900 B   45.0 %  live heap
                +    100 B    5.0 %  the profiler's own
                +    500 B   25.0 %  other anonymous memory
                +    490 B   24.5 %  mapped files
                +     10 B    0.5 %  not classified by the system
                =  2.0 KiB  100.0 %  resident
            "#]],
        );
        check(
            &heap(600, 1000, None),
            &process(Some(2000), None),
            &expect![[r#"
                     600 B   30.0 %  the roots' values
                +    400 B   20.0 %  unexplained
                =  1,000 B   50.0 %  live heap
                +  1,000 B   50.0 %  the rest: other anonymous memory, mapped files
                =  2.0 KiB  100.0 %  resident
            "#]],
        );
        check(
            &heap(600, 1000, None),
            &process(None, None),
            &expect![[r#"
                 600 B   60.0 %  the roots' values
            +    400 B   40.0 %  unexplained
            =  1,000 B  100.0 %  live heap
        "#]],
        );
        check(
            &heap(1300, 1000, None),
            &process(Some(900), Some([700, 200])),
            &expect![[r#"
                   1.3 KiB  144.4 %  the roots' values
                −    300 B   33.3 %  counted by several roots
                =  1,000 B  111.1 %  live heap
                −    300 B   33.3 %  never touched, or swapped out
                +    200 B   22.2 %  mapped files
                =    900 B  100.0 %  resident
            "#]],
        );
        check(
            &heap(u64::MAX, i64::MIN, None),
            &process(Some(0), None),
            &expect![[r#"
                   16.0 EiB  the roots' values
                −  16.0 EiB  counted by several roots
                =  −8.0 EiB  live heap
                +   8.0 EiB  the rest: other anonymous memory, mapped files
                =       0 B  resident
            "#]],
        );
    }

    const MIB: i64 = 1 << 20;

    fn part(kind: PartKind, bytes: i64) -> ResidentPart {
        ResidentPart { kind, file: None, bytes: Some(bytes), range: None }
    }

    /// Returns a snapshot with a full reading: the live heap, C libraries, stacks and files.
    fn reading(number: u64, [heap, c, stacks, file]: [i64; 4]) -> Snapshot {
        let mut snapshot = Snapshot::new(number, number * 5_000_000_000, Trigger::Checkpoint);
        let parts = vec![
            part(PartKind::LiveHeap, heap),
            ResidentPart { range: Some([c / 2, c]), ..part(PartKind::CLibraries, c) },
            part(PartKind::NotResident, -heap / 2),
            part(PartKind::Stacks, stacks),
            ResidentPart { bytes: None, ..part(PartKind::AllocatorFree, 0) },
            part(PartKind::Anonymous, 2 * MIB),
            ResidentPart { file: Some("/usr/lib/a".into()), ..part(PartKind::File, file) },
            ResidentPart { file: Some("/usr/lib/b".into()), ..part(PartKind::File, MIB / 4) },
        ];
        let known = parts.iter().filter_map(|part| part.bytes).sum::<i64>();
        let resident_bytes = (known + MIB).unsigned_abs();
        let (number, threads) = (number + 1, 12);
        let resident =
            ResidentMemory { number, resident_bytes, threads, parts, ..Default::default() };
        snapshot.resident = Some(Box::new(resident));
        let totals = serde_json::json!({
            "level": "counters", "counted_ns": null, "live_bytes": heap, "live_blocks": 9,
            "profiler_bytes": 0, "profiler_peak_bytes": 0, "allocated_bytes": heap,
            "allocated_blocks": 9, "freed_bytes": 0, "freed_blocks": 0, "peak_bytes": heap,
            "peak_error_bytes": 0,
        });
        snapshot.heap = Some(serde_json::from_value(totals).expect("it is complete"));
        snapshot
    }

    #[test]
    fn parts_follow_the_live_heap_with_their_changes() {
        let first = reading(0, [4 * MIB, MIB, MIB, 8 * MIB]);
        let last = reading(3, [4 * MIB, 16 * MIB, 3 * MIB, 8 * MIB]);
        let recording = recording(vec![first, last]);
        let shown = recording.waterfall(&recording.snapshots[1], Units::Iec, 100).to_string();
        let expected = expect![[r#"
                                      growth  per second
                 4.0 MiB   12.4 %       ±0 B        ±0 B  live heap
            +        0 B    0.0 %       ±0 B        ±0 B  the profiler's own
            +   16.0 MiB   49.6 %  +15.0 MiB    +1.0 MiB  C libraries (8.0 MiB to 16.0 MiB)
            −    2.0 MiB    6.2 %       ±0 B        ±0 B  never touched, or swapped out
            +    3.0 MiB    9.3 %   +2.0 MiB  +136.5 KiB  thread stacks, 12 threads
            +    2.0 MiB    6.2 %       ±0 B        ±0 B  other anonymous maps, with the allocator's free memory
            +    8.0 MiB   24.8 %       ±0 B        ±0 B  /usr/lib/a
            +    1.0 MiB    3.1 %                         unaccounted for
            +  256.0 KiB    0.8 %                         other mapped files
            =   32.3 MiB  100.0 %  +17.0 MiB    +1.1 MiB  resident
        "#]];
        expected.assert_eq(&format!("{shown}\n"));
        let steps = recording.snapshots[1].steps();
        let parts = steps.iter().filter(|step| step.sign != "=").map(|step| step.bytes);
        assert_eq!(parts.sum::<i128>(), steps.last().expect("there are some").bytes);
    }

    #[test]
    fn a_part_that_grows_more_than_the_heap_is_named() {
        let base = [4 * MIB, MIB, MIB, 8 * MIB];
        let growth = |last: [i64; 4]| {
            let after = |thirds: i64| {
                core::array::from_fn(|part| base[part] + (last[part] - base[part]) / 3 * thirds)
            };
            let readings = (0..3_i64).map(|number| reading(number.unsigned_abs(), after(number)));
            let recording = recording(readings.chain([reading(3, last)]).collect());
            recording.resident_growth(Units::Iec).map(|lines| lines.join("; "))
        };
        let cases = [
            (base, None),
            ([4 * MIB, 3 * MIB, MIB, 8 * MIB], None),
            ([40 * MIB, 31 * MIB, MIB, 8 * MIB], None),
            ([4 * MIB, 31 * MIB, MIB, 8 * MIB], Some("C libraries grow by 2.0 MiB")),
            ([4 * MIB, MIB, 31 * MIB, 8 * MIB], Some("thread stacks grow by 2.0 MiB")),
            ([4 * MIB, MIB, MIB, 38 * MIB], Some("mapped files grow by 2.0 MiB")),
        ];
        for (last, expected) in cases {
            let expected = expected.map(|growth| {
                format!(
                    "outside of the Rust heap, {growth}/s; resident +2.0 MiB/s, live heap ±0 B/s: \
                     4 readings in 15.0 s"
                )
            });
            assert_eq!(growth(last), expected, "{last:?}");
        }
    }

    #[test]
    fn growth_in_one_step_or_in_few_readings_has_no_rate() {
        let [base, high, last] = [8, 208, 68].map(|files| [4 * MIB, MIB, MIB, files * MIB]);
        let cases: [&[[i64; 4]]; 4] = [
            &[base, last],
            &[base, high, last],
            &[base, base, last, last],
            &[base, high, base, last],
        ];
        for amounts in cases {
            let readings = (0..).zip(amounts).map(|(number, &amounts)| reading(number, amounts));
            let growth = recording(readings.collect()).resident_growth(Units::Iec);
            let finding = growth.map(|[finding, _]| finding);
            let expected = "outside of the Rust heap, mapped files grew by 60.0 MiB between the \
                            first and the last reading";
            assert_eq!(finding.as_deref(), Some(expected), "{amounts:?}");
        }
    }

    #[test]
    fn the_largest_part_near_a_limit_is_named() {
        let mut near = reading(2, [4 * MIB, 60 * MIB, MIB, 8 * MIB]);
        let mut pressure = MemoryPressure::new(MemoryLimit::Group, 61 << 20, 64 << 20);
        pressure.stalled_percent = Some(12);
        near.pressure = Some(Box::new(pressure));
        let text = recording(vec![near]).near_limit(Units::Iec).expect("it is known").join("; ");
        let expected = "61.0 MiB of the container's 64.0 MiB used at 10.0 s (95 %); most in C \
                        libraries: 60.0 MiB; tasks waited for memory in 12 % of the preceding 10 s";
        assert_eq!(text, expected);
    }
}
