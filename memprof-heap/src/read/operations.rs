//! The counts of operations, over all threads, and their table. Within each operation, the nested
//! operations that allocated the most are first.

use crate::read::counts::{NotRecorded, require_counts};
use crate::record::estimate::Estimate;
use crate::record::hooks::for_caller;
use crate::record::level::Level;
use crate::record::live_table::Sample;
use crate::record::operation::OperationSite;
use crate::record::paths::{OTHER, PathId, ROOT, Record, numbers, parent_of, path_of};
use crate::record::process::{counted_since, live_at_begin};
use crate::record::running::PerThread;
use crate::record::sample::unsampled;
use crate::record::switch::level;
use crate::record::system::Since;
use crate::record::{sample, threads};
use core::cmp::Reverse;
use core::fmt;
use core::sync::atomic::Ordering::{Acquire, Relaxed};
use core::time::Duration;
use memprof_profile::text::{Grouped, Shown, Table, signed};
use memprof_profile::views::Units;
use std::collections::{HashMap, HashSet};

/// The counts of each path of operations. `{}` prints a table.
#[derive(Clone, Debug)]
pub struct Operations {
    since: Since,
    paths: Vec<Operation>,
}

/// The counts of one path of operations, over all its finished calls on all threads.
///
/// A call counts what its thread allocates and frees during the call, including nested operations.
/// It does not matter which code uses the memory, or which thread allocated it. So a call that
/// frees memory from elsewhere may have a negative net. `retained` is the part of its own
/// allocations that no thread has freed.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Operation {
    /// The names, outermost first.
    pub path: Vec<&'static str>,
    /// The file that names the operation. If several places use the name, it is the file of the
    /// first place.
    pub file: &'static str,
    /// The line in `file`.
    pub line: u32,
    /// The number of calls that ended.
    pub calls: u64,
    /// Bytes allocated, as requested. A reallocation adds its new size.
    pub allocated_bytes: u64,
    /// The number of allocations, including reallocations.
    pub allocated_blocks: u64,
    /// Bytes freed. A reallocation adds its old size.
    pub freed_bytes: u64,
    /// The number of blocks freed, including reallocations.
    pub freed_blocks: u64,
    /// Bytes allocated by the operation itself, without nested operations.
    pub own_allocated_bytes: u64,
    /// The sum of the changes of live bytes by the calls.
    calls_net_bytes: i64,
    /// The largest change of live bytes by one call; negative if each call freed more than it
    /// allocated.
    pub max_net_bytes: i64,
    /// The maximum of live bytes during one call, minus the bytes live when the call began.
    pub peak: u64,
    /// Bytes live in the process before the call with the largest change, minus the bytes live when
    /// counting began. All threads are read for this figure, one after the other.
    pub live_before: i64,
    /// Bytes live in the process after that call, minus the bytes live when counting began.
    pub live_after: i64,
    /// The wall time of the calls that were timed.
    pub wall_time: Option<WallTime>,
    /// Live bytes that were allocated while the operation ran, without nested operations. `None`
    /// unless samples are taken.
    pub retained: Option<Estimate>,
    /// Live blocks that were allocated while the operation ran, like `retained`.
    pub retained_blocks: Option<Estimate>,
}

/// The wall time of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WallTime {
    /// The number of calls that were timed.
    pub calls: u64,
    /// The sum of their times.
    pub total: Duration,
    /// The time of the longest call.
    pub longest: Duration,
}

impl Operation {
    /// Returns bytes allocated minus bytes freed, by all calls and by work that is
    /// [bound](crate::operation::TrackFuture::in_current_operation) to the operation.
    pub fn net_bytes(&self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.freed_bytes).cast_signed()
    }

    /// Returns the mean change of live bytes by one call; `None` if none has ended.
    pub fn average_net_bytes(&self) -> Option<f64> {
        (self.calls > 0).then(|| self.calls_net_bytes as f64 / self.calls as f64)
    }

    /// Returns the name of the innermost operation.
    pub fn name(&self) -> &'static str {
        self.path.last().copied().unwrap_or_default()
    }
}

/// Returns the counts of the operations of the process up to now.
///
/// # Errors
/// Returns an error if nothing is counted: the level is off, or another allocator is the global
/// one.
///
/// # Cost
/// The call reads one record for each path and thread, and each live sample. When a thread ends, a
/// later thread takes over its records. Memory that the call allocates, except for the result, is
/// attributed to [profilers](crate::Totals::profilers).
pub fn operations() -> Result<Operations, NotRecorded> {
    require_counts()?;
    Ok(for_caller(read))
}

fn read() -> Operations {
    let retained = retained();
    let mut of_path: HashMap<u32, Vec<&Record>> = HashMap::new();
    for record in records() {
        of_path.entry(record.path).or_default().push(record);
    }
    let base = live_at_begin();
    let mut all: Vec<(u32, Operation)> = numbers()
        .filter_map(|number| {
            let mut operation = empty(number)?;
            for record in of_path.get(&number).into_iter().flatten() {
                operation.add(record, base);
            }
            if let Some(retained) = &retained {
                let mean = sample::mean();
                // As many blocks of the mean size as have the mean may be live without a sample.
                let size =
                    operation.allocated_bytes as f64 / operation.allocated_blocks.max(1) as f64;
                let unseen = mean as f64 / size.max(1.0);
                let none = (Estimate::of_none(mean), Estimate { unseen, ..Estimate::default() });
                let (bytes, blocks) = retained.get(&number).copied().unwrap_or(none);
                (operation.retained, operation.retained_blocks) = (Some(bytes), Some(blocks));
            }
            Some((number, operation))
        })
        .collect();
    subtract_inner(&mut all);
    retain_executed(&mut all);
    let mut paths: Vec<_> = all.into_iter().map(|(_, operation)| operation).collect();
    paths.sort_by(|a, b| a.path.cmp(&b.path));
    Operations { since: counted_since(), paths }
}

fn records() -> impl Iterator<Item = &'static Record> {
    #[cfg(test)]
    READS.set(READS.get() + 1);
    threads::all().flat_map(|shard| PerThread::of(shard).records.iter())
}

#[cfg(test)]
thread_local! {
    pub(crate) static READS: core::cell::Cell<u32> = const { core::cell::Cell::new(0) };
}

fn retained() -> Option<HashMap<u32, (Estimate, Estimate)>> {
    (level() == Level::Sampled).then(|| retained_by(sample::live_samples().iter()))
}

pub(crate) fn retained_by<'a>(
    samples: impl Iterator<Item = &'a Sample>,
) -> HashMap<u32, (Estimate, Estimate)> {
    let mut by_path: HashMap<u32, (Estimate, Estimate)> = HashMap::new();
    for sample in samples {
        let (bytes, blocks) = by_path.entry(sample.operation).or_default();
        bytes.add(sample.bytes());
        blocks.add(sample.blocks());
    }
    by_path
}

fn empty(number: u32) -> Option<Operation> {
    let sites = path_of(number);
    let site = sites.last()?;
    Some(Operation {
        path: sites.iter().map(|site| site.name()).collect(),
        file: site.file(),
        line: site.line(),
        max_net_bytes: i64::MIN,
        ..Operation::default()
    })
}

impl Operation {
    fn add(&mut self, record: &Record, base: i64) {
        // Read the bytes before the calls, so that the largest change is that of these calls or a
        // later one.
        let net = record.net_bytes.load(Acquire);
        let outside_calls = record.net_outside_calls.load(Acquire);
        self.calls_net_bytes = self.calls_net_bytes.wrapping_add(net).wrapping_sub(outside_calls);
        let calls = record.calls.load(Relaxed);
        if calls > 0 {
            let largest = record.largest.load(Relaxed);
            if largest > self.max_net_bytes {
                self.max_net_bytes = largest;
                self.live_before = record.before.load(Relaxed).wrapping_sub(base);
                self.live_after = record.after.load(Relaxed).wrapping_sub(base);
            }
            self.peak = self.peak.max(record.peak.load(Relaxed).max(0).cast_unsigned());
        }
        self.calls += calls;
        // Read after the net, so that freed bytes also count as allocated.
        let allocated = record.allocated_bytes.load(Relaxed);
        self.allocated_bytes = self.allocated_bytes.wrapping_add(allocated.cast_unsigned());
        let freed = allocated.wrapping_sub(net).cast_unsigned();
        self.freed_bytes = self.freed_bytes.wrapping_add(freed);
        self.allocated_blocks += record.allocated_blocks.load(Relaxed);
        self.freed_blocks += record.freed_blocks.load(Relaxed);
        let timed = record.timed_calls.load(Relaxed);
        if timed > 0 {
            let time = self.wall_time.get_or_insert_default();
            time.calls += timed;
            time.total += Duration::from_nanos(record.nanoseconds.load(Relaxed));
            let longest = Duration::from_nanos(record.longest.load(Relaxed));
            time.longest = time.longest.max(longest);
        }
    }
}

/// Subtracts what direct nested operations allocated.
fn subtract_inner(all: &mut [(u32, Operation)]) {
    let mut inner: HashMap<u32, u64> = HashMap::new();
    for (number, operation) in all.iter() {
        let parent = parent_of(*number);
        if parent != ROOT {
            *inner.entry(parent).or_default() += operation.allocated_bytes;
        }
    }
    for (number, operation) in all {
        let inner = inner.get(number).copied().unwrap_or_default();
        // Saturate, because nested operations may have allocated more: a future that is polled
        // outside of its outer operation does not count for the outer operation.
        operation.own_allocated_bytes = operation.allocated_bytes.saturating_sub(inner);
        if operation.calls == 0 {
            operation.max_net_bytes = 0;
        }
    }
}

/// Keeps operations that counted something, and the operations around them.
fn retain_executed(all: &mut Vec<(u32, Operation)>) {
    let mut ran = HashSet::new();
    for (number, operation) in all.iter() {
        if operation.calls == 0 && operation.allocated_blocks == 0 && operation.freed_blocks == 0 {
            continue;
        }
        let mut next = *number;
        while next != ROOT && ran.insert(next) {
            next = parent_of(next);
        }
    }
    all.retain(|(number, _)| ran.contains(number));
}

impl Operations {
    /// Returns when the counting of operations began.
    pub fn since(&self) -> Since {
        self.since
    }

    /// Returns all paths, each before the paths within it.
    pub fn iter(&self) -> impl Iterator<Item = &Operation> {
        self.paths.iter()
    }

    /// Returns the operation with this path. Names are joined by `;`, as in folded stacks.
    pub fn find(&self, path: &str) -> Option<&Operation> {
        self.paths.iter().find(|operation| path.split(';').eq(operation.path.iter().copied()))
    }
}

impl<'a> IntoIterator for &'a Operations {
    type Item = &'a Operation;
    type IntoIter = core::slice::Iter<'a, Operation>;

    fn into_iter(self) -> Self::IntoIter {
        self.paths.iter()
    }
}

pub(crate) fn names(number: u32) -> Vec<&'static str> {
    path_of(number).into_iter().map(OperationSite::name).collect()
}

pub(crate) fn calls() -> Vec<u64> {
    let mut calls = vec![0; numbers().end as usize];
    for record in records() {
        // A path may have been added since the first line.
        if let Some(calls) = calls.get_mut(record.path as usize) {
            *calls += record.calls.load(Relaxed);
        }
    }
    calls
}

impl fmt::Display for Operations {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.paths.is_empty() {
            return out.write_str("no operation has ended");
        }
        let mut table = Table::new(HEAD, &[0]);
        self.in_order().into_iter().for_each(|operation| table.row(cells(operation)));
        for line in table.lines(usize::MAX) {
            writeln!(out, "{line}")?;
        }
        write!(out, "{}", self.since)?;
        let retained: Estimate = self.paths.iter().filter_map(|operation| operation.retained).sum();
        if retained.has_few_samples() {
            write!(
                out,
                " · retained: few samples ({}), use `heap::set_rate(heap::Rate::every(4096))` for small \
                 programs",
                retained.samples
            )?;
        }
        Ok(())
    }
}

/// The columns. The last two are left out if no operation has such figures.
const HEAD: [&str; 11] = [
    "operation",
    "calls",
    "allocated",
    "blocks",
    "freed",
    "total",
    "average",
    "max",
    "peak",
    "retained (own)",
    "time",
];

fn cells(operation: &Operation) -> [String; HEAD.len()] {
    let indent = "  ".repeat(operation.path.len().saturating_sub(1));
    let average = operation.average_net_bytes().map(|delta| delta.round() as i128);
    let time = operation.wall_time.map(|time| format!("{:.3} s", time.total.as_secs_f64()));
    [
        format!("{indent}{}", Shown(operation.name())),
        Grouped(operation.calls).to_string(),
        bytes(operation.allocated_bytes),
        Grouped(operation.allocated_blocks).to_string(),
        bytes(operation.freed_bytes),
        signed(operation.net_bytes().into(), Units::Iec),
        average.map(|average| signed(average, Units::Iec)).unwrap_or_default(),
        signed(operation.max_net_bytes.into(), Units::Iec),
        bytes(operation.peak),
        operation.retained.map(|retained| retained.bytes().to_string()).unwrap_or_default(),
        time.unwrap_or_default(),
    ]
}

fn bytes(bytes: u64) -> String {
    Units::Iec.show(bytes).to_string()
}

impl Operations {
    /// Returns each operation before its inner ones, which are sorted by bytes allocated.
    fn in_order(&self) -> Vec<&Operation> {
        let of_path = self.paths.iter().map(|one| (one.path.as_slice(), one.allocated_bytes));
        let allocated: HashMap<_, _> = of_path.collect();
        let mut order: Vec<_> = self.paths.iter().collect();
        order.sort_by_cached_key(|one| {
            let around = (1..=one.path.len()).map(|len| &one.path[..len]);
            around.map(|path| (Reverse(allocated.get(path)), path.last())).collect::<Vec<_>>()
        });
        order
    }
}

/// The names of a [`PathId`]: a path of nested operations.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperationPath {
    /// The number of the path.
    pub id: PathId,
    /// The names, outermost first.
    pub names: Vec<&'static str>,
    /// The parent path, which has all names but the last; `None` for an outermost operation.
    pub parent: Option<PathId>,
    /// The file in which the innermost operation is named.
    pub file: &'static str,
    /// The line in `file`.
    pub line: u32,
}

/// Returns the names of a path, and the location of its innermost operation.
///
/// Returns `None` while another thread is still adding the path.
pub fn operation_path(id: PathId) -> Option<OperationPath> {
    unsampled(|| {
        let sites = path_of(id.0);
        let site = *sites.last()?;
        Some(OperationPath {
            id,
            names: sites.into_iter().map(OperationSite::name).collect(),
            parent: PathId::of(parent_of(id.0)),
            file: site.file(),
            line: site.line(),
        })
    })
}

/// Returns all paths of operations that were entered up to now, by number. A path comes after its
/// parent. [`PathReader`] reads only new paths.
///
/// ```
/// use memprof::heap::operation::operation_paths;
/// use memprof::heap::Level;
/// use memprof::{operation, Allocator};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() {
/// {
///     let _outer = operation!("load");
///     let _inner = operation!("parse");
/// }
/// let paths = operation_paths();
/// let parse = paths.iter().find(|path| path.names == ["load", "parse"]).expect("it was entered");
/// let load = paths.iter().find(|path| Some(path.id) == parse.parent).expect("it is around");
/// assert_eq!(load.names, ["load"]);
/// # }
/// ```
pub fn operation_paths() -> Vec<OperationPath> {
    unsampled(|| numbers().filter_map(|number| operation_path(PathId(number))).collect())
}

/// A reader that returns each path of operations once, as soon as its names are known.
///
/// ```
/// use memprof::heap::event::PathReader;
/// use memprof::heap::Level;
/// use memprof::{operation, Allocator};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() {
/// let mut reader = PathReader::new();
/// reader.read();
/// drop(operation!("load"));
/// assert_eq!(reader.read()[0].names, ["load"]);
/// assert!(reader.read().is_empty());
/// # }
/// ```
///
/// # Cost
/// A reading takes time proportional to the number of new paths, not to the number of all paths.
#[derive(Clone, Debug)]
pub struct PathReader {
    next: u32,
    /// Numbers below `next` whose paths are not stored yet.
    pending: Vec<u32>,
}

impl PathReader {
    /// Creates a reader that has read nothing.
    pub const fn new() -> Self {
        Self { next: OTHER, pending: Vec::new() }
    }

    /// Returns the paths that are new since the last call, by number. Paths whose names were not
    /// known at the last call come first.
    pub fn read(&mut self) -> Vec<OperationPath> {
        unsampled(|| self.read_below(numbers().end, |number| operation_path(PathId(number))))
    }

    fn read_below<T>(&mut self, end: u32, path: impl Fn(u32) -> Option<T>) -> Vec<T> {
        let mut paths = Vec::new();
        let mut can_read = |number| path(number).map(|path| paths.push(path)).is_some();
        self.pending.retain(|number| !can_read(*number));
        for number in self.next..end {
            if !can_read(number) {
                self.pending.push(number);
            }
        }
        self.next = self.next.max(end);
        paths
    }
}

impl Default for PathReader {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::PathReader;

    #[test]
    fn a_path_that_is_stored_late_and_those_after_it_are_read_once() {
        let mut reader = PathReader::new();
        let mut read = Vec::new();
        let mut read_below = |end: u32, pending: &[u32]| {
            let path = |number: u32| (!pending.contains(&number)).then_some(number);
            read.extend(reader.read_below(end, path));
            read.clone()
        };
        assert_eq!(read_below(4, &[2]), [1, 3]);
        assert_eq!(read_below(6, &[2, 4]), [1, 3, 5]);
        assert_eq!(read_below(6, &[]), [1, 3, 5, 2, 4]);
        assert_eq!(read_below(6, &[]).len(), 5);
    }
}
