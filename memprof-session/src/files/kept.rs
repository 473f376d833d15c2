//! The snapshots and the live stacks in a timeline, and those that stay when it is full.
//!
//! When the timeline reaches its maximum size, every second snapshot of the interval is removed, and
//! the interval doubles. So a session of any length has the same number of snapshots, evenly spread,
//! and takes fewer of them as it gets longer. Only when no such snapshot is left, every second one of
//! the others is removed too. The first, the last and the highest snapshot always stay.
//!
//! The call stacks of summaries are written once. A summary has up to 100 stacks of 50 frames.
//! Written with their names in each summary, they took 161 of the 173 KB of a program of 40 lines,
//! every few seconds. Here each stack gets a number at its first summary. From then on, summaries
//! refer to the number.

use memprof_profile::text::CUT_ADDRESS;
use memprof_recording::document::{LiveStacks, Place, Snapshot, StackTable, Summary, Trigger};
use std::collections::{BTreeMap, HashMap};

/// The snapshots and moments that are in a timeline.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// The maximum number of bytes of snapshots and summaries. Live stacks may take a quarter of it.
    max_bytes: u64,
    /// In the order of their numbers.
    snapshots: Vec<Entry>,
    /// In the order of their times.
    moments: Vec<Entry>,
    snapshot_bytes: u64,
    moment_bytes: u64,
    /// The bytes of the summaries since the timeline was last rewritten.
    summary_bytes: u64,
    /// The number of times that the interval has doubled.
    doublings: u32,
}

/// A snapshot or a moment of live stacks.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The number of a snapshot, or the time of a moment.
    key: u64,
    bytes: u64,
    live_bytes: i64,
    is_interval: bool,
}

impl Kept {
    pub(super) const fn new(max_bytes: u64) -> Self {
        Self {
            max_bytes,
            snapshots: Vec::new(),
            moments: Vec::new(),
            snapshot_bytes: 0,
            moment_bytes: 0,
            summary_bytes: 0,
            doublings: 0,
        }
    }

    /// Notes a snapshot whose line was written.
    pub(super) fn add_snapshot(&mut self, snapshot: &Snapshot, bytes: u64) {
        self.snapshot_bytes += bytes;
        self.snapshots.push(Entry {
            key: snapshot.number,
            bytes,
            live_bytes: snapshot.heap.map_or(i64::MIN, |heap| heap.live_bytes),
            is_interval: snapshot.trigger == Trigger::Interval,
        });
    }

    /// Notes a line of a moment. A moment may have two lines.
    pub(super) fn add_moment(&mut self, moment: &LiveStacks, bytes: u64) {
        self.moment_bytes += bytes;
        match self.moments.last_mut().filter(|last| last.key == moment.at_ns) {
            Some(last) => last.bytes += bytes,
            None => self.moments.push(Entry {
                key: moment.at_ns,
                bytes,
                live_bytes: moment.live_bytes,
                is_interval: false,
            }),
        }
    }

    pub(super) fn add_summary(&mut self, bytes: u64) {
        self.summary_bytes += bytes;
    }

    pub(super) const fn is_full(&self) -> bool {
        self.snapshot_bytes + self.summary_bytes > self.max_bytes
            || (self.moment_bytes > self.max_bytes / 4 && self.moments.len() > 2)
    }

    pub(super) const fn doublings(&self) -> u32 {
        self.doublings
    }

    pub(super) fn has_snapshot(&self, number: u64) -> bool {
        self.snapshots.binary_search_by_key(&number, |entry| entry.key).is_ok()
    }

    pub(super) fn has_moment(&self, at_ns: u64) -> bool {
        self.moments.binary_search_by_key(&at_ns, |entry| entry.key).is_ok()
    }

    /// Returns what stays in a timeline that is rewritten: at most half of the allowed bytes of each
    /// kind. The timeline then has one summary of `summary_bytes` at most.
    pub(super) fn thinned(&self) -> Self {
        let mut kept = self.clone();
        while kept.snapshot_bytes > kept.max_bytes / 2 {
            let intervals = kept.snapshots.iter().filter(|entry| entry.is_interval).count();
            let halved = halve(&mut kept.snapshots, |entry| entry.is_interval || intervals < 2);
            if halved == 0 {
                break;
            }
            kept.snapshot_bytes -= halved;
            kept.doublings += u32::from(intervals >= 2);
        }
        if kept.moment_bytes > kept.max_bytes / 4 {
            while kept.moment_bytes > kept.max_bytes / 8 {
                match halve(&mut kept.moments, |_| true) {
                    0 => break,
                    halved => kept.moment_bytes -= halved,
                }
            }
        }
        kept.summary_bytes = 0;
        kept.snapshots.shrink_to_fit();
        kept
    }
}

/// Removes every second one of the entries for which `is_removable` returns `true`, except the
/// first, the last and the highest entry. Returns the bytes of the removed entries.
fn halve(entries: &mut Vec<Entry>, is_removable: impl Fn(&Entry) -> bool) -> u64 {
    let highest = entries.iter().max_by_key(|entry| entry.live_bytes).map(|entry| entry.key);
    let ends = [entries.first(), entries.last()].map(|entry| entry.map(|entry| entry.key));
    let stays = |entry: &Entry| ends.contains(&Some(entry.key)) || highest == Some(entry.key);
    let (mut is_second, mut removed) = (false, 0);
    entries.retain(|entry| {
        if !is_removable(entry) || stays(entry) {
            return true;
        }
        is_second = !is_second;
        if is_second {
            removed += entry.bytes;
        }
        !is_second
    });
    removed
}

/// The first number of a stack of summaries. Smaller numbers are those of the allocator's table.
const FIRST: u32 = 1 << 16;
/// The maximum number of stacks. A summary contains the frames of all other stacks.
const MAX_STACKS: usize = 4096;

/// The stacks and names of summaries that are in the timeline.
#[derive(Debug, Default)]
pub(super) struct SummaryStacks {
    numbers: HashMap<Vec<u64>, u32>,
    named: HashMap<u64, Named>,
}

/// What is known of an address: whether there is a file, and the number of its frames. More is
/// better.
type Named = (bool, usize);

impl SummaryStacks {
    /// Returns the stacks and names of a summary that the timeline lacks.
    pub(super) fn lacking(&self, summary: &Summary) -> StackTable {
        let mut table = StackTable::default();
        let mut new = HashMap::new();
        let mut frames: BTreeMap<u64, &[Place]> = BTreeMap::new();
        for stack in summary.stacks() {
            let Some(addresses) = addresses(stack) else { continue };
            if !self.numbers.contains_key(&addresses) && !new.contains_key(&addresses) {
                if self.numbers.len() + new.len() >= MAX_STACKS {
                    continue;
                }
                let number = self.next_number(new.len());
                table.addresses.insert(number, addresses.clone());
                new.insert(addresses, number);
            }
            for (address, group) in groups(stack) {
                let known = frames.get(&address).map_or((false, 0), |known| quality(known));
                let known = known.max(self.named.get(&address).copied().unwrap_or_default());
                if quality(group) > known {
                    frames.insert(address, group);
                }
            }
        }
        table.frames = frames.into_values().flatten().cloned().collect();
        table
    }

    /// Notes that these stacks and names are in the timeline.
    pub(super) fn written(&mut self, table: &StackTable) {
        let stacks = table.addresses.iter();
        self.numbers.extend(stacks.map(|(&number, addresses)| (addresses.clone(), number)));
        let named = table.named().into_iter();
        self.named.extend(named.map(|(address, frames)| (address, quality(frames))));
    }

    /// Returns the summary as it is written, with numbers instead of stacks.
    pub(super) fn compact(&self, summary: &Summary) -> Summary {
        let mut compact = summary.clone();
        for (_, stack, number) in compact.parts_mut() {
            *number = addresses(stack).and_then(|addresses| self.numbers.get(&addresses)).copied();
            if number.is_some() {
                stack.clear();
            }
        }
        compact
    }

    fn next_number(&self, new: usize) -> u32 {
        FIRST + u32::try_from(self.numbers.len() + new).unwrap_or(u32::MAX - FIRST)
    }
}

/// Returns the addresses of a stack. Returns `None` if the stack is empty, or if one of its frames
/// has no address and is no mark of a cut.
fn addresses(stack: &[Place]) -> Option<Vec<u64>> {
    let addresses = stack.chunk_by(|a, b| a.address == b.address && a.address.is_some());
    let address = |group: &[Place]| match group {
        [mark] if mark.is_cut() => Some(CUT_ADDRESS),
        _ => group.first()?.address,
    };
    let addresses: Option<Vec<u64>> = addresses.map(address).collect();
    addresses.filter(|addresses| !addresses.is_empty())
}

/// Returns the named frames of each address.
fn groups(stack: &[Place]) -> impl Iterator<Item = (u64, &[Place])> {
    let groups = stack.chunk_by(|a, b| a.address == b.address);
    groups.filter_map(|group| Some((group[0].address?, group)))
}

fn quality(frames: &[Place]) -> Named {
    let is_named = |place: &Place| place.function.is_some() || place.file.is_some();
    if !frames.iter().any(is_named) {
        return (false, 0);
    }
    (frames.iter().any(|frame| frame.file.is_some()), frames.len())
}

#[cfg(test)]
mod tests {
    use super::Kept;
    use memprof_recording::document::{LiveStacks, Snapshot, Trigger};

    fn moment(at_ns: u64, live_bytes: i64) -> LiveStacks {
        LiveStacks {
            at_ns,
            trigger: Trigger::Peak,
            name: None,
            snapshot: None,
            live_bytes,
            root_names: Vec::new(),
            rows: Vec::new(),
        }
    }

    #[test]
    fn the_interval_doubles_and_other_snapshots_stay() {
        let mut kept = Kept::new(10_000);
        for number in 0..11 {
            let trigger = if number % 5 == 0 { Trigger::Checkpoint } else { Trigger::Interval };
            kept.add_snapshot(&Snapshot::new(number, number, trigger), 1000);
        }
        assert!(kept.is_full());
        let thinned = kept.thinned();
        let numbers =
            |kept: &Kept| -> Vec<u64> { (0..11).filter(|n| kept.has_snapshot(*n)).collect() };
        assert_eq!((numbers(&thinned), thinned.doublings()), (vec![0, 4, 5, 9, 10], 2));
        assert_eq!(numbers(&kept).len(), 11, "the original is unchanged, in case writing fails");
    }

    #[test]
    fn without_snapshots_of_the_interval_every_second_one_is_removed() {
        let mut kept = Kept::new(1000);
        for number in 0..100 {
            kept.add_snapshot(&Snapshot::new(number, number, Trigger::Checkpoint), 100);
        }
        let thinned = kept.thinned();
        assert!(!thinned.is_full() && thinned.doublings() == 0);
        assert!(thinned.has_snapshot(0) && thinned.has_snapshot(99));
    }

    #[test]
    fn the_highest_and_the_last_moment_stay() {
        let mut kept = Kept::new(400);
        for at in 0..5 {
            kept.add_moment(&moment(at, if at == 2 { 9 } else { 1 }), 60);
            kept.add_moment(&moment(at, if at == 2 { 9 } else { 1 }), 40);
        }
        assert!(kept.is_full());
        let thinned = kept.thinned();
        assert_eq!((0..5).filter(|at| thinned.has_moment(*at)).collect::<Vec<_>>(), [0, 2, 4]);
    }
}
