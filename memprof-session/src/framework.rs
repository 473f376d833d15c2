//! The operations of a tensor framework, as reported by the program's wrapper around it.
//!
//! A wrapper has data that an allocator lacks: that a multiplication ran, with which shapes, and
//! for how long on the device. The wrapper reports each call. Calls with the same name and input
//! shapes become one row:
//!
//! ```
//! use memprof::heap::framework::{FrameworkCall, InputShapes};
//! use memprof::heap::framework;
//! use std::time::Duration;
//!
//! // A call that runs here and is measured,
//! let sum = framework::run("sum", &[&[1000]], || (0..1000_u64).sum::<u64>());
//! assert_eq!(sum, 499_500);
//! // and two that others have measured.
//! let multiply = FrameworkCall::new("aten::mm").shapes(&[&[32, 64], &[64, 10]]);
//! framework::record(multiply.cpu_time(Duration::from_secs(3)));
//! framework::record(multiply.cpu_time(Duration::from_secs(1)));
//!
//! let summary = framework::summary();
//! let row = &summary.rows()[0];
//! assert_eq!((row.name.as_str(), row.figures.calls), ("aten::mm", 2));
//! assert_eq!(row.shapes, InputShapes::Known(vec![vec![32, 64], vec![64, 10]]));
//! let cpu_time = row.figures.cpu_time.expect("both calls knew it");
//! assert_eq!((cpu_time.total.as_secs(), cpu_time.max.as_secs()), (4, 3));
//! assert_eq!(row.figures.device_time, None, "nobody knew, which is not 0");
//! println!("{summary}");
//! ```
//!
//! All figures are for whole calls. A call within another call is counted in both, so rows do not
//! add up to the totals of the program.
//!
//! The functions here record the operations of the whole process. Create a [`FrameworkOperations`]
//! to record the operations of one part.

#[cfg(test)]
mod tests;

use core::cmp::Reverse;
use core::fmt;
use core::time::Duration;
use memprof_heap::__private::ForkLock;
pub use memprof_heap::event::{tensor_created, tensor_dropped};
use memprof_heap::measure;
use memprof_profile::text::{Table, counted, signed, span};
use memprof_profile::views::{Grouped, Units};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

static OPERATIONS: FrameworkOperations = FrameworkOperations::new();
static LOCK: ForkLock = ForkLock::new();

fn shared<T>(work: impl FnOnce(&FrameworkOperations) -> T) -> Option<T> {
    // The mutex is free because the lock is held.
    LOCK.run(|| work(&OPERATIONS))
}

/// Adds a call to the operations of the process; see [`FrameworkOperations::record`].
///
/// A child process that was forked during this call records no further ones.
pub fn record(call: FrameworkCall<'_>) {
    shared(|operations| operations.record(call));
}

/// Runs `work` as a call of the operation `name` of the process; see [`FrameworkOperations::run`].
pub fn run<T>(name: &str, shapes: &[&[usize]], work: impl FnOnce() -> T) -> T {
    let (value, call) = FrameworkCall::timed(name, shapes, work);
    record(call);
    value
}

/// Returns the operations of the process by name and input shapes; see
/// [`FrameworkOperations::summary`].
pub fn summary() -> FrameworkSummary {
    shared(FrameworkOperations::summary).unwrap_or_else(|| FrameworkSummary::of(Vec::new()))
}

/// Discards the operations of the process; see [`FrameworkOperations::reset`].
pub fn reset() {
    shared(FrameworkOperations::reset);
}

/// One call of a framework's operation: its name, and the figures that the wrapper reports.
///
/// A figure that is not set is unknown. No summary treats it as 0.
///
/// ```
/// use memprof::heap::framework::FrameworkCall;
/// use memprof::heap::framework;
/// use std::time::Duration;
///
/// framework::record(
///     FrameworkCall::new("aten::mm")
///         .shapes(&[&[32, 64], &[64, 10]])
///         .cpu_time(Duration::from_micros(21))
///         .device_time(Duration::from_micros(7))
///         .device_bytes(1280),
/// );
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct FrameworkCall<'a> {
    name: &'a str,
    shapes: Option<&'a [&'a [usize]]>,
    figures: Figures,
}

impl<'a> FrameworkCall<'a> {
    /// Creates a call of the operation `name` without any figures.
    pub const fn new(name: &'a str) -> Self {
        Self { name, shapes: None, figures: Figures { calls: 1, ..Figures::NONE } }
    }

    fn timed<T>(name: &'a str, shapes: &'a [&'a [usize]], work: impl FnOnce() -> T) -> (T, Self) {
        let timed = || {
            let start = Instant::now();
            (work(), start.elapsed())
        };
        let ((value, time), cpu_bytes) = count_call(timed);
        let mut call = Self::new(name).shapes(shapes).cpu_time(time);
        call.figures.cpu_bytes = cpu_bytes.map(one);
        (value, call)
    }

    /// Sets the shapes of the inputs, in elements per dimension. A scalar has no dimension, and an
    /// operation without inputs has no shape.
    pub const fn shapes(mut self, shapes: &'a [&'a [usize]]) -> Self {
        self.shapes = Some(shapes);
        self
    }

    /// Sets how long the call occupied the calling thread, including waiting.
    pub const fn cpu_time(mut self, time: Duration) -> Self {
        self.figures.cpu_time = Some(one(time));
        self
    }

    /// Sets how long the device worked on the call.
    pub const fn device_time(mut self, time: Duration) -> Self {
        self.figures.device_time = Some(one(time));
        self
    }

    /// Sets the bytes that the call allocated in host memory minus the bytes it freed.
    pub const fn cpu_bytes(mut self, net: i64) -> Self {
        self.figures.cpu_bytes = Some(one(net));
        self
    }

    /// Sets the bytes that the call allocated in device memory minus the bytes it freed.
    pub const fn device_bytes(mut self, net: i64) -> Self {
        self.figures.device_bytes = Some(one(net));
        self
    }
}

/// The sums of several calls of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Figures {
    /// The number of calls.
    pub calls: u64,
    /// How long the calls occupied their threads, including waiting; `None` if no call reported it.
    pub cpu_time: Option<Known<Duration>>,
    /// How long the device worked on the calls; `None` if no call reported it.
    pub device_time: Option<Known<Duration>>,
    /// Bytes allocated in host memory minus bytes freed; `None` if no call reported them.
    pub cpu_bytes: Option<Known<i64>>,
    /// Bytes allocated in device memory minus bytes freed; `None` if no call reported them.
    pub device_bytes: Option<Known<i64>>,
}

/// A figure over the calls that reported it. The values of the other calls are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Known<T> {
    /// The number of calls that reported the figure: at least 1, and at most all.
    pub calls: u64,
    /// The sum of the reported values. A sum that does not fit its type stays at the type's limit.
    pub total: T,
    /// The largest value.
    pub max: T,
}

impl Known<Duration> {
    /// Returns the mean over the calls that reported their time, in whole nanoseconds.
    ///
    /// ```
    /// use memprof::heap::framework::{FrameworkCall, FrameworkOperations};
    /// use std::time::Duration;
    ///
    /// let operations = FrameworkOperations::new();
    /// operations.record(FrameworkCall::new("relu").cpu_time(Duration::from_nanos(10)));
    /// operations.record(FrameworkCall::new("relu").cpu_time(Duration::from_nanos(20)));
    /// operations.record(FrameworkCall::new("relu"));
    /// let figures = operations.summary().rows()[0].figures;
    /// let cpu_time = figures.cpu_time.expect("two calls knew it");
    /// assert_eq!(cpu_time.mean(), Duration::from_nanos(15));
    /// assert_eq!((cpu_time.calls, figures.calls), (2, 3));
    /// ```
    pub fn mean(self) -> Duration {
        let nanoseconds = self.total.as_nanos() / u128::from(self.calls.max(1));
        let seconds = u64::try_from(nanoseconds / 1_000_000_000).unwrap_or(u64::MAX);
        Duration::new(seconds, (nanoseconds % 1_000_000_000) as u32)
    }
}

impl Figures {
    const NONE: Self =
        Self { calls: 0, cpu_time: None, device_time: None, cpu_bytes: None, device_bytes: None };

    fn add(&mut self, more: &Self) {
        self.calls = self.calls.saturating_add(more.calls);
        self.cpu_time = both(self.cpu_time, more.cpu_time, Duration::saturating_add);
        self.device_time = both(self.device_time, more.device_time, Duration::saturating_add);
        self.cpu_bytes = both(self.cpu_bytes, more.cpu_bytes, i64::saturating_add);
        self.device_bytes = both(self.device_bytes, more.device_bytes, i64::saturating_add);
    }
}

const fn one<T: Copy>(value: T) -> Known<T> {
    Known { calls: 1, total: value, max: value }
}

fn both<T: Copy + Ord>(
    left: Option<Known<T>>,
    right: Option<Known<T>>,
    sum: fn(T, T) -> T,
) -> Option<Known<T>> {
    let (Some(one), Some(other)) = (left, right) else { return left.or(right) };
    Some(Known {
        calls: one.calls.saturating_add(other.calls),
        total: sum(one.total, other.total),
        max: one.max.max(other.max),
    })
}

/// The operations of a framework, recorded from any thread.
///
/// ```
/// use memprof::heap::framework::FrameworkOperations;
///
/// static TRAINING: FrameworkOperations = FrameworkOperations::new();
///
/// for batch in 0..3_u64 {
///     TRAINING.run("relu", &[&[64]], || batch + 1);
/// }
/// assert_eq!(TRAINING.summary().rows()[0].figures.calls, 3);
/// ```
///
/// The memory is bounded: at most [`KEPT`](Self::KEPT) combinations of name and shapes have their
/// own rows. Later combinations are added up in one row [`Other`](InputShapes::Other) for each
/// known name. Calls with later names are added up in one row named `<other>`.
#[derive(Debug, Default)]
pub struct FrameworkOperations {
    recorded: Mutex<Recorded>,
}

/// Ordered maps can be created in a constant, and they give all summaries the same order.
#[derive(Debug, Default)]
struct Recorded {
    operations: BTreeMap<String, Operation>,
    /// The number of combinations of name and shapes in `operations`.
    kept: usize,
    other: Figures,
    /// A buffer for the key of the current call. It is reused, so that lookups don't allocate.
    key: Vec<usize>,
}

#[derive(Debug, Default)]
struct Operation {
    by_shapes: BTreeMap<Vec<usize>, Figures>,
    /// The sums over calls whose shapes have no row.
    other: Figures,
}

impl FrameworkOperations {
    /// The maximum number of combinations of name and shapes that have their own rows.
    pub const KEPT: usize = 4096;

    /// Creates an empty record of calls.
    pub const fn new() -> Self {
        Self { recorded: Mutex::new(Recorded::new()) }
    }

    /// Adds a call.
    ///
    /// # Cost
    /// The call takes a lock that all threads share, and searches by name and by shapes. The first
    /// call of a combination allocates its row, which a measurement around the call includes.
    pub fn record(&self, call: FrameworkCall<'_>) {
        self.recorded().add(&call);
    }

    /// Runs `work` as a call of the operation `name`, records it and returns its value.
    ///
    /// The CPU time is the wall time of `work`, as in profilers of frameworks. It includes the time
    /// in which a call waits for a device or a lock.
    ///
    /// The CPU bytes are the bytes that this thread allocated during `work` minus the bytes that it
    /// freed, by [`measure`](memprof_heap::measure()). They are unknown if
    /// [`Allocator`](memprof_heap::Allocator) isn't the global allocator. The figures of the device
    /// are unknown: to report them, measure the call and [`record`](Self::record) it.
    ///
    /// ```
    /// # #[global_allocator]
    /// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
    /// # fn main() {
    /// use memprof::heap::framework::FrameworkOperations;
    ///
    /// let operations = FrameworkOperations::new();
    /// let zeros = operations.run("zeros", &[], || vec![0.0_f32; 1000]);
    /// operations.run("drop", &[&[zeros.len()]], || drop(zeros));
    /// let summary = operations.summary();
    /// let bytes_of = |name| {
    ///     let row = summary.rows().iter().find(|row| row.name == name)?;
    ///     Some(row.figures.cpu_bytes?.total)
    /// };
    /// assert_eq!(bytes_of("zeros"), Some(4000));
    /// assert_eq!(bytes_of("drop"), Some(-4000));
    /// # }
    /// ```
    ///
    /// # Panics
    /// Panics if `work` panics; that call is not recorded.
    ///
    /// # Cost
    /// The call costs as much as [`measure`](memprof_heap::measure()), two readings of the clock and
    /// [`record`](Self::record).
    pub fn run<T>(&self, name: &str, shapes: &[&[usize]], work: impl FnOnce() -> T) -> T {
        let (value, call) = FrameworkCall::timed(name, shapes, work);
        self.record(call);
        value
    }

    /// Returns the calls recorded so far. The rows with the most CPU time come first.
    ///
    /// # Cost
    /// The call copies all rows, while other threads wait to record calls.
    pub fn summary(&self) -> FrameworkSummary {
        let rows = self.recorded().rows();
        FrameworkSummary::of(rows)
    }

    /// Discards all calls and their rows. Later calls start with the full number of rows again.
    pub fn reset(&self) {
        // Free the old record after the lock is released.
        let _before = core::mem::take(&mut *self.recorded());
    }

    fn recorded(&self) -> MutexGuard<'_, Recorded> {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recorded {
    const fn new() -> Self {
        Self { operations: BTreeMap::new(), kept: 0, other: Figures::NONE, key: Vec::new() }
    }

    fn add(&mut self, call: &FrameworkCall<'_>) {
        let Self { operations, kept, other, key } = self;
        write_key(call.shapes, key);
        let known = operations.get_mut(call.name);
        if let Some(row) = known.and_then(|operation| operation.by_shapes.get_mut(key)) {
            row.add(&call.figures);
        } else if *kept < FrameworkOperations::KEPT {
            *kept += 1;
            let operation = operations.entry(call.name.to_owned()).or_default();
            operation.by_shapes.insert(key.clone(), call.figures);
        } else {
            let known = operations.get_mut(call.name);
            known.map_or(other, |operation| &mut operation.other).add(&call.figures);
        }
    }

    fn rows(&self) -> Vec<FrameworkRow> {
        let row = |name: &str, shapes, figures: &Figures| FrameworkRow {
            name: name.to_owned(),
            shapes,
            figures: *figures,
        };
        let mut rows = Vec::with_capacity(self.kept);
        for (name, operation) in &self.operations {
            for (key, figures) in &operation.by_shapes {
                rows.push(row(name, read_key(key), figures));
            }
            rows.push(row(name, InputShapes::Other, &operation.other));
        }
        rows.push(row(OTHER, InputShapes::Other, &self.other));
        rows.retain(|row| row.figures.calls > 0);
        rows
    }
}

/// Runs `work` and returns its net bytes, if they are counted.
fn count_call<T>(work: impl FnOnce() -> T) -> (T, Option<i64>) {
    // `work` is not moved into the measured closure, because that closure does not run if
    // allocations are not counted.
    let mut waiting = Some(work);
    let measured = measure(|| waiting.take().map(|work| work()));
    match (measured, waiting) {
        (Ok((Some(value), measured)), _) => (value, Some(measured.net_bytes())),
        (_, Some(work)) => (work(), None),
        (_, None) => unreachable!("work that ran has returned a value"),
    }
}

/// The shapes of the inputs of the calls in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputShapes {
    /// All calls had inputs of these shapes, in elements per dimension. A scalar has no dimension.
    Known(Vec<Vec<u64>>),
    /// No call reported its shapes.
    Unknown,
    /// The calls have different shapes.
    Several,
    /// The calls have no row of their own, because the limit of rows was reached before.
    Other,
}

/// The name of calls whose name or shapes have no row.
pub(crate) const OTHER: &str = "<other>";

/// Writes the shapes as `[32, 64] [64, 10]`.
impl fmt::Display for InputShapes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shapes = match self {
            Self::Known(shapes) if shapes.is_empty() => return out.write_str("no inputs"),
            Self::Known(shapes) => shapes,
            Self::Unknown => return out.write_str("unknown shapes"),
            Self::Several => return out.write_str("several shapes"),
            Self::Other => return out.write_str(OTHER),
        };
        shapes.iter().enumerate().try_for_each(|(index, shape)| {
            let before = if index == 0 { "" } else { " " };
            write!(out, "{before}{shape:?}")
        })
    }
}

/// Writes `shapes` to `key`, whose memory is reused. The key is empty for unknown shapes. Otherwise
/// it has the number of shapes, then the rank and the dimensions of each.
///
/// The key is flat, so a lookup allocates nothing. Different shapes have different keys.
fn write_key(shapes: Option<&[&[usize]]>, key: &mut Vec<usize>) {
    key.clear();
    let Some(shapes) = shapes else { return };
    key.push(shapes.len());
    for shape in shapes {
        key.push(shape.len());
        key.extend_from_slice(shape);
    }
}

fn read_key(key: &[usize]) -> InputShapes {
    let Some((&count, mut rest)) = key.split_first() else { return InputShapes::Unknown };
    let mut shapes = Vec::with_capacity(count);
    while let Some((&rank, after)) = rest.split_first() {
        let (shape, after) = after.split_at(rank);
        shapes.push(shape.iter().map(|&elements| elements as u64).collect());
        rest = after;
    }
    InputShapes::Known(shapes)
}

/// The operations recorded until some moment. [`summary`](summary()) returns it, and `{}`
/// prints it as a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct FrameworkSummary {
    rows: Vec<FrameworkRow>,
    other_calls: u64,
}

/// The calls of an operation with the same shapes, or all its calls.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrameworkRow {
    /// The name of the operation; `<other>` for names that have no row.
    pub name: String,
    /// The shapes of the inputs.
    pub shapes: InputShapes,
    /// The sums over the calls.
    pub figures: Figures,
}

impl FrameworkSummary {
    /// Sorts the rows by CPU time, and keeps the order of rows with the same time.
    fn of(mut rows: Vec<FrameworkRow>) -> Self {
        let other = rows.iter().filter(|row| row.shapes == InputShapes::Other);
        let other_calls = other.map(|row| row.figures.calls).sum();
        sort(&mut rows);
        Self { rows, other_calls }
    }

    /// Returns the rows. The row with the most CPU time is first; rows with unknown CPU time are
    /// last. Ties are sorted by name and shapes.
    pub fn rows(&self) -> &[FrameworkRow] {
        &self.rows
    }

    /// Returns the number of calls in rows with [`InputShapes::Other`]. There were too many names
    /// and shapes for each to have its own row.
    pub fn other_calls(&self) -> u64 {
        self.other_calls
    }

    /// Returns the same calls with one row per name, sorted in the same way. The shapes are
    /// [`Several`](InputShapes::Several) unless all calls had the same shapes.
    ///
    /// ```
    /// use memprof::heap::framework::{FrameworkCall, FrameworkOperations, InputShapes};
    ///
    /// let operations = FrameworkOperations::new();
    /// for rows in [1, 2, 3] {
    ///     operations.record(FrameworkCall::new("relu").shapes(&[&[rows, 64]]));
    /// }
    /// let summary = operations.summary();
    /// assert_eq!(summary.rows().len(), 3);
    /// let by_name = summary.by_name();
    /// assert_eq!(by_name.rows().len(), 1);
    /// assert_eq!(by_name.rows()[0].figures.calls, 3);
    /// assert_eq!(by_name.rows()[0].shapes, InputShapes::Several);
    /// ```
    pub fn by_name(&self) -> Self {
        let mut rows = self.rows.clone();
        rows.sort_by(|one, other| one.name.cmp(&other.name));
        rows.dedup_by(|row, sum| {
            let same = row.name == sum.name;
            if same {
                sum.figures.add(&row.figures);
                sum.shapes = InputShapes::Several;
            }
            same
        });
        sort(&mut rows);
        Self { rows, other_calls: self.other_calls }
    }
}

fn sort(rows: &mut [FrameworkRow]) {
    rows.sort_by_key(|row| Reverse(row.figures.cpu_time.map(|time| time.total)));
}

/// The columns. A mean or maximum belongs to the column to its left.
const HEAD: [&str; 10] = [
    "calls",
    "CPU time",
    "mean",
    "max",
    "device time",
    "CPU bytes",
    "max",
    "device bytes",
    "max",
    "operation",
];

/// The text for a figure that no call reported. Its mean and maximum are left blank.
const UNKNOWN: &str = "unknown";

/// The mark of a figure that only some calls reported.
const PARTLY: char = '*';

/// Prints one line per row. An unknown figure is never printed as 0. The last lines state what the
/// figures leave out.
impl fmt::Display for FrameworkSummary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rows().is_empty() {
            return out.write_str("no framework operations");
        }
        let mut rows = vec![HEAD.map(str::to_owned).to_vec()];
        rows.extend(self.rows().iter().map(|row| cells(row).to_vec()));
        let is_partly = rows.iter().flatten().any(|cell| cell.ends_with(PARTLY));
        let lines = Table::of_rows(rows, &[HEAD.len() - 1]).lines(usize::MAX);
        out.write_str(&lines.join("\n"))?;
        if is_partly {
            write!(out, "\n{PARTLY} only from the calls that reported it; the others are unknown")?;
        }
        if self.other_calls() > 0 {
            let others = counted(self.other_calls(), "call");
            let kept = counted(FrameworkOperations::KEPT as u64, "combination");
            write!(out, "\n{OTHER}: {others}; only {kept} of name and shapes are kept")?;
        }
        Ok(())
    }
}

fn cells(row: &FrameworkRow) -> [String; HEAD.len()] {
    let all = row.figures.calls;
    let figures = &row.figures;
    let [cpu_time, mean, longest] = times(figures.cpu_time, all);
    let [device_time, _, _] = times(figures.device_time, all);
    let [cpu_bytes, max_on_cpu] = bytes(figures.cpu_bytes, all);
    let [device_bytes, max_on_device] = bytes(figures.device_bytes, all);
    let calls = Grouped(all).to_string();
    [
        calls,
        cpu_time,
        mean,
        longest,
        device_time,
        cpu_bytes,
        max_on_cpu,
        device_bytes,
        max_on_device,
        format!("{}  {}", shown(&row.name), row.shapes),
    ]
}

fn times(known: Option<Known<Duration>>, calls: u64) -> [String; 3] {
    let Some(known) = known else { return [UNKNOWN.to_owned(), String::new(), String::new()] };
    let times = [known.total, known.mean(), known.max];
    times.map(|time| {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        marked(span(nanoseconds), known.calls < calls)
    })
}

fn bytes(known: Option<Known<i64>>, calls: u64) -> [String; 2] {
    let Some(known) = known else { return [UNKNOWN.to_owned(), String::new()] };
    [known.total, known.max]
        .map(|bytes| marked(signed(bytes.into(), Units::Iec), known.calls < calls))
}

fn marked(mut cell: String, partly: bool) -> String {
    if partly {
        cell.push(PARTLY);
    }
    cell
}

/// Replaces control characters of a name, so that it stays on its line and moves no cursor.
fn shown(name: &str) -> String {
    let safe = |char: char| if char.is_control() { char::REPLACEMENT_CHARACTER } else { char };
    name.chars().map(safe).collect()
}
