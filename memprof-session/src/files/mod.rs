//! The files of a session: the timeline during the run, and the document made from it.
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

mod timeline;

use memprof_profile::text::{CUT_ADDRESS, rfc3339};
use memprof_recording::document::{
    DroppedEvents, Line, LiveStacks, Metadata, NotWritten, OperationEvent, OperationPath, Place,
    Snapshot, StackTable, Summary, ThreadName, Trigger,
};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{File, OpenOptions};
use std::io;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use timeline::Timeline;
#[cfg(unix)]
pub(crate) use timeline::{Identity, remove_unfinished};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Caps {
    /// Without the events.
    pub(crate) timeline_bytes: u64,
    pub(crate) events: u64,
}

/// If the disk is full, read-only or gone, no method panics, and lines that were written before are
/// kept. The caller gets the error and may continue.
#[derive(Debug)]
pub(crate) struct Files {
    timeline: Timeline,
    document: PathBuf,
    caps: Caps,
    kept: Kept,
    events: u64,
    dropped_events: u64,
    threads: ThreadNames,
    stack_bytes: u64,
    summary_stacks: SummaryStacks,
    summary_bytes: u64,
    metadata: Metadata,
    not_written: NotWritten,
    /// The lines skipped since the timeline could not be thinned out; `None` unless that failed.
    skipped: Option<u32>,
}

/// The number of lines that are lost before the next attempt to thin out a full timeline.
const PATIENCE: u32 = 64;

impl Files {
    /// The name contains the start of the session.
    pub(crate) fn create(folder: &Path, metadata: &Metadata, caps: Caps) -> io::Result<Self> {
        let claimed = claim(folder, metadata.started_unix_ns / 1_000_000_000, metadata.pid)?;
        let mut timeline = Timeline::new(claimed.file, claimed.timeline);
        if let Err(error) = timeline.begin(metadata) {
            // The next attempt can then take the same name.
            let _ = std::fs::remove_file(timeline.path());
            return Err(error);
        }
        Ok(Self {
            timeline,
            document: claimed.document,
            caps,
            kept: Kept::new(caps.timeline_bytes),
            events: 0,
            dropped_events: 0,
            threads: ThreadNames::default(),
            stack_bytes: 0,
            summary_stacks: SummaryStacks::default(),
            summary_bytes: 0,
            metadata: metadata.clone(),
            not_written: NotWritten::default(),
            skipped: None,
        })
    }

    pub(crate) fn document_path(&self) -> &Path {
        &self.document
    }

    pub(crate) fn timeline_path(&self) -> &Path {
        self.timeline.path()
    }

    #[cfg(unix)]
    pub(crate) fn add_refusals(&mut self) {
        self.timeline.add_refusals();
    }

    pub(crate) fn add_snapshot(&mut self, snapshot: &Snapshot) -> io::Result<()> {
        let line = Line::Snapshot(Cow::Borrowed(snapshot));
        let appended = self.check_space().and_then(|()| self.timeline.append(&line));
        match appended {
            Ok(bytes) => self.kept.add_snapshot(snapshot, bytes),
            Err(error) => {
                self.not_written.snapshots += 1;
                return Err(error);
            }
        }
        self.enforce_limits()
    }

    /// If the paths cannot be written, the caller may try again.
    pub(crate) fn add_paths(&mut self, paths: &[OperationPath]) -> io::Result<()> {
        self.timeline.append(&Line::OperationPaths(Cow::Borrowed(paths))).map(drop)
    }

    /// A name is written before the first kept call of its thread.
    pub(crate) fn add_thread_names(&mut self, names: Vec<ThreadName>) {
        self.threads.add(names);
    }

    /// Adds calls until the timeline has its maximum number of calls, and counts the others.
    pub(crate) fn add_events(&mut self, mut events: Vec<OperationEvent>) -> io::Result<()> {
        let room = self.caps.events.saturating_sub(self.events);
        let all = events.len();
        events.truncate(usize::try_from(room).unwrap_or(usize::MAX));
        self.dropped_events += (all - events.len()) as u64;
        let mut left = events.as_slice();
        let appended = self.check_space().and_then(|()| {
            let names = self.threads.missing(left);
            if !names.is_empty() {
                self.timeline.append(&Line::ThreadNames(Cow::Borrowed(&names)))?;
                self.threads.written(&names);
            }
            while !left.is_empty() {
                let (some, rest) = left.split_at(left.len().min(EVENTS_A_LINE));
                self.timeline.append(&Line::OperationEvents(Cow::Borrowed(some)))?;
                self.events += some.len() as u64;
                left = rest;
            }
            Ok(())
        });
        self.not_written.events += left.len() as u64;
        appended
    }

    pub(crate) fn has_space_for_stacks(&self) -> bool {
        self.stack_bytes < self.caps.timeline_bytes / 4
    }

    /// If the stacks cannot be written, the caller may try again.
    pub(crate) fn add_stacks(&mut self, stacks: &StackTable) -> io::Result<()> {
        self.check_space()?;
        let bytes = self.timeline.append(&Line::Stacks(Cow::Borrowed(stacks)))?;
        self.stack_bytes += bytes;
        Ok(())
    }

    pub(crate) fn add_live_stacks(&mut self, moment: &LiveStacks) -> io::Result<()> {
        self.check_space()?;
        let bytes = self.timeline.append(&Line::LiveStacks(Cow::Borrowed(moment)))?;
        self.kept.add_moment(moment, bytes);
        self.enforce_limits()
    }

    /// Adds the summary with which the session ends for now.
    fn add_summary(&mut self, summary: &Summary) -> io::Result<()> {
        self.check_space()?;
        let stacks = self.summary_stacks.lacking(summary);
        if self.has_space_for_stacks() && stacks != StackTable::default() {
            self.add_stacks(&stacks)?;
            self.summary_stacks.written(&stacks);
        }
        let summary = self.summary_stacks.compact(summary);
        let bytes = self.timeline.append(&Line::Summary(Cow::Owned(summary)))?;
        self.summary_bytes += bytes;
        self.kept.summary_bytes += bytes;
        self.enforce_limits()
    }

    /// Leaves out the summary if summaries already take more than their share of the file.
    ///
    /// A reader uses only the last summary, and a summary of many operations is large. The largest
    /// blocks are left out: they took 60 % of a summary, and only a program that is killed lacks
    /// them.
    pub(crate) fn add_passing_summary(&mut self, summary: &Summary, at_ns: u64) -> io::Result<()> {
        const AT_FIRST: u64 = 16 << 10;
        const BYTES_PER_SECOND: u64 = 800;
        let allowed = (at_ns / 1_000_000_000).saturating_mul(BYTES_PER_SECOND) + AT_FIRST;
        if self.summary_bytes > allowed {
            return Ok(());
        }
        self.add_summary(&Summary { largest_blocks: Vec::new(), ..summary.clone() })
    }

    pub(crate) fn sync(&self) -> io::Result<()> {
        self.timeline.sync()
    }

    pub(crate) fn not_written(&self) -> NotWritten {
        self.not_written
    }

    pub(crate) fn dropped_events(&self) -> DroppedEvents {
        DroppedEvents { not_recorded: 0, over_cap: self.dropped_events }
    }

    pub(crate) fn add_last_lines(
        &mut self,
        metadata: &Metadata,
        summary: &Summary,
    ) -> io::Result<()> {
        self.metadata = metadata.clone();
        let appended = self.timeline.append(&Line::Metadata(Cow::Borrowed(metadata)));
        let appended = appended.and_then(|_| self.add_summary(summary));
        appended.or_else(|error| if self.skipped.is_some() { Ok(()) } else { Err(error) })
    }

    /// Replaces an earlier document.
    pub(crate) fn write_document(&self, metadata: &Metadata, summary: &Summary) -> io::Result<()> {
        let summary = self.summary_stacks.compact(summary);
        self.timeline.write_document(&self.document, metadata, &summary)
    }

    /// The timeline stays if the names in the folder cannot be written to the disk.
    pub(crate) fn remove_timeline(&mut self) -> io::Result<()> {
        timeline::sync_folder_of(&self.document)?;
        self.timeline.remove()
    }

    /// Returns the number of times that the interval has doubled, because the timeline was full.
    pub(crate) fn doublings(&self) -> u32 {
        self.kept.doublings
    }

    /// Returns an error while the timeline is full. From time to time, tries again to thin it out.
    fn check_space(&mut self) -> io::Result<()> {
        let Some(skipped) = &mut self.skipped else { return Ok(()) };
        *skipped += 1;
        if *skipped < PATIENCE {
            return Err(io::Error::other("the timeline is full, and dropping snapshots failed"));
        }
        self.thin()
    }

    fn enforce_limits(&mut self) -> io::Result<()> {
        if self.kept.is_full() { self.thin() } else { Ok(()) }
    }

    /// Removes snapshots and moments from the timeline. If that fails, the timeline stays as it is
    /// and does not grow until a later attempt succeeds.
    fn thin(&mut self) -> io::Result<()> {
        self.skipped = Some(0);
        let mut kept = self.kept.thinned();
        let summary_bytes = self.timeline.rewrite(&self.metadata, &kept)?;
        kept.summary_bytes = summary_bytes;
        self.kept = kept;
        self.skipped = None;
        Ok(())
    }
}

/// The number of events in a line. A torn line then loses little, and writing takes little memory.
const EVENTS_A_LINE: usize = 512;

/// The names of threads that are not in the file, by the numbers of the threads.
#[derive(Debug, Default)]
struct ThreadNames(BTreeMap<u32, String>);

/// The maximum number of names. Beyond this number, the names of the oldest threads are dropped,
/// except the name of the first thread, which is usually `main`.
const MAX_THREADS: usize = 16_384;

impl ThreadNames {
    fn add(&mut self, threads: Vec<ThreadName>) {
        self.0.extend(threads.into_iter().map(|ThreadName { thread, name }| (thread, name)));
        while self.0.len() > MAX_THREADS
            && let Some(oldest) = self.0.keys().nth(1).copied()
        {
            self.0.remove(&oldest);
        }
    }

    /// Leaves out the names that are already in the file.
    fn missing(&self, calls: &[OperationEvent]) -> Vec<ThreadName> {
        let threads: BTreeSet<u32> = calls.iter().map(|call| call.thread).collect();
        let name = |thread| Some(ThreadName { thread, name: self.0.get(&thread)?.clone() });
        threads.into_iter().filter_map(name).collect()
    }

    fn written(&mut self, threads: &[ThreadName]) {
        for ThreadName { thread, .. } in threads {
            self.0.remove(thread);
        }
    }
}

/// A name that this session has claimed by creating the timeline under it.
struct Claimed {
    file: File,
    timeline: PathBuf,
    document: PathBuf,
}

/// The number of names to try. A process that starts more sessions in one second has a bug.
const NAMES: u32 = 1000;

/// If `memory_profile_20261121_083000` is taken, appends the process id, and then a number.
fn claim(folder: &Path, started_unix: u64, pid: u32) -> io::Result<Claimed> {
    let stem = format!("memory_profile_{}", stamp(started_unix));
    let with_pid = format!("{stem}_{pid}");
    let numbered = (2..NAMES).map(|number| format!("{with_pid}_{number}"));
    for stem in [stem, with_pid.clone()].into_iter().chain(numbered) {
        let (timeline, document) =
            (folder.join(format!("{stem}.jsonl")), folder.join(format!("{stem}.json")));
        // A document without its timeline still owns its name: the user may have removed the
        // latter.
        if document.symlink_metadata().is_ok() {
            continue;
        }
        // Creating the file claims the name: `create_new` succeeds in one process only.
        let made = OpenOptions::new().read(true).append(true).create_new(true).open(&timeline);
        match made {
            Ok(file) => return Ok(Claimed { file, timeline, document }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Returns `20261121_083000`, in UTC.
fn stamp(unix: u64) -> String {
    let mut stamp: String = rfc3339(unix).chars().filter(char::is_ascii_digit).collect();
    stamp.insert(8.min(stamp.len()), '_');
    stamp
}

/// The snapshots and moments that are in a timeline.
#[derive(Clone, Debug)]
struct Kept {
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
    doublings: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The number of a snapshot, or the time of a moment.
    key: u64,
    bytes: u64,
    live_bytes: i64,
    is_interval: bool,
}

impl Kept {
    const fn new(max_bytes: u64) -> Self {
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

    fn add_snapshot(&mut self, snapshot: &Snapshot, bytes: u64) {
        self.snapshot_bytes += bytes;
        self.snapshots.push(Entry {
            key: snapshot.number,
            bytes,
            live_bytes: snapshot.heap.map_or(i64::MIN, |heap| heap.live_bytes),
            is_interval: snapshot.trigger == Trigger::Interval,
        });
    }

    /// Notes a line of a moment. A moment may have two lines.
    fn add_moment(&mut self, moment: &LiveStacks, bytes: u64) {
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

    const fn is_full(&self) -> bool {
        self.snapshot_bytes + self.summary_bytes > self.max_bytes
            || (self.moment_bytes > self.max_bytes / 4 && self.moments.len() > 2)
    }

    fn has_snapshot(&self, number: u64) -> bool {
        self.snapshots.binary_search_by_key(&number, |entry| entry.key).is_ok()
    }

    fn has_moment(&self, at_ns: u64) -> bool {
        self.moments.binary_search_by_key(&at_ns, |entry| entry.key).is_ok()
    }

    /// Returns what stays in a timeline that is rewritten: at most half of the allowed bytes of each
    /// kind. The timeline then has one summary of `summary_bytes` at most.
    fn thinned(&self) -> Self {
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

/// Keeps the first, the last and the highest entry. Returns the bytes of the removed entries.
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
struct SummaryStacks {
    numbers: HashMap<Vec<u64>, u32>,
    named: HashMap<u64, Named>,
}

/// Whether the address has a file, and the number of its frames. More is better.
type Named = (bool, usize);

impl SummaryStacks {
    fn lacking(&self, summary: &Summary) -> StackTable {
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

    fn written(&mut self, table: &StackTable) {
        let stacks = table.addresses.iter();
        self.numbers.extend(stacks.map(|(&number, addresses)| (addresses.clone(), number)));
        let named = table.named().into_iter();
        self.named.extend(named.map(|(address, frames)| (address, quality(frames))));
    }

    /// Returns the summary as it is written, with numbers instead of stacks.
    fn compact(&self, summary: &Summary) -> Summary {
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

/// `None` if the stack is empty, or a frame has no address and is no mark of a cut.
fn addresses(stack: &[Place]) -> Option<Vec<u64>> {
    // Frames of one address without names are calls of a function by itself.
    let is_inlined =
        |a: &Place, b: &Place| a.address == b.address && a.address.is_some() && is_named(a);
    let addresses = stack.chunk_by(is_inlined);
    let address = |group: &[Place]| match group {
        [mark] if mark.is_cut() => Some(CUT_ADDRESS),
        _ => group.first()?.address,
    };
    let addresses: Option<Vec<u64>> = addresses.map(address).collect();
    addresses.filter(|addresses| !addresses.is_empty())
}

fn is_named(place: &Place) -> bool {
    place.function.is_some() || place.file.is_some()
}

fn groups(stack: &[Place]) -> impl Iterator<Item = (u64, &[Place])> {
    let groups = stack.chunk_by(|a, b| a.address == b.address);
    groups.filter_map(|group| Some((group[0].address?, group)))
}

fn quality(frames: &[Place]) -> Named {
    if !frames.iter().any(is_named) {
        return (false, 0);
    }
    (frames.iter().any(|frame| frame.file.is_some()), frames.len())
}

#[cfg(test)]
mod kept_tests {
    use super::Kept;
    use memprof_recording::document::{LiveStacks, Snapshot, Trigger};

    fn moment(at_ns: u64, live_bytes: i64) -> LiveStacks {
        LiveStacks::new(at_ns, Trigger::Peak, live_bytes)
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
        assert_eq!((numbers(&thinned), thinned.doublings), (vec![0, 4, 5, 9, 10], 2));
        assert_eq!(numbers(&kept).len(), 11, "the original is unchanged, in case writing fails");
    }

    #[test]
    fn without_snapshots_of_the_interval_every_second_one_is_removed() {
        let mut kept = Kept::new(1000);
        for number in 0..100 {
            kept.add_snapshot(&Snapshot::new(number, number, Trigger::Checkpoint), 100);
        }
        let thinned = kept.thinned();
        assert!(!thinned.is_full() && thinned.doublings == 0);
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

#[cfg(test)]
mod tests;
