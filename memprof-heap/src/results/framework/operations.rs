//! The recording of calls: those with the same name and input shapes become one row.

use super::shapes::{OTHER, read_key, write_key};
use super::{Figures, FrameworkCall, FrameworkRow, FrameworkSummary, InputShapes};
use crate::results::measure::measure;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

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
/// The memory is bounded: at most [`KEPT`](Self::KEPT) combinations of name and shapes have rows of
/// their own. Later combinations are added up in one row [`Other`](InputShapes::Other) for each
/// known name. Calls with later names are added up in one row named `<other>`.
#[derive(Debug, Default)]
pub struct FrameworkOperations {
    recorded: Mutex<Recorded>,
}

/// The recorded calls. Ordered maps can be created in a constant, and they give all summaries the
/// same order.
#[derive(Debug, Default)]
struct Recorded {
    operations: BTreeMap<String, Operation>,
    /// The number of combinations of name and shapes in `operations`.
    kept: usize,
    /// The sums over calls whose names have no row.
    other: Figures,
    /// A buffer for the key of the current call. It is reused, so that look-ups don't allocate.
    key: Vec<usize>,
}

#[derive(Debug, Default)]
struct Operation {
    by_shapes: BTreeMap<Vec<usize>, Figures>,
    /// The sums over calls whose shapes have no row.
    other: Figures,
}

impl FrameworkOperations {
    /// The maximum number of combinations of name and shapes that have rows of their own.
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
    /// The CPU bytes are the bytes that this thread allocated during `work` less the bytes that it
    /// freed, by [`measure`](crate::measure()). They are unknown if [`Allocator`](crate::Allocator)
    /// isn't the global allocator. The figures of the device are unknown: to report them, measure
    /// the call and [`record`](Self::record) it.
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
    /// The call costs as much as [`measure`](crate::measure()), two readings of the clock and
    /// [`record`](Self::record).
    pub fn run<T>(&self, name: &str, shapes: &[&[usize]], work: impl FnOnce() -> T) -> T {
        let timed = || {
            let start = Instant::now();
            (work(), start.elapsed())
        };
        let ((value, time), net_bytes) = counted(timed);
        let call = FrameworkCall::new(name).shapes(shapes).cpu_time(time);
        self.record(FrameworkCall { cpu_bytes: net_bytes, ..call });
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

    /// Locks the record. A thread that panicked here has at worst left a call half added.
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
        let figures = Figures::of(call);
        write_key(call.shapes, key);
        let known = operations.get_mut(call.name);
        if let Some(row) = known.and_then(|operation| operation.by_shapes.get_mut(key)) {
            row.add(&figures);
        } else if *kept < FrameworkOperations::KEPT {
            *kept += 1;
            let operation = operations.entry(call.name.to_owned()).or_default();
            operation.by_shapes.insert(key.clone(), figures);
        } else {
            let known = operations.get_mut(call.name);
            known.map_or(other, |operation| &mut operation.other).add(&figures);
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
fn counted<T>(work: impl FnOnce() -> T) -> (T, Option<i64>) {
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
