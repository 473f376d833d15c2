//! The recorder: calls of one name and the same input shapes become one row.

use super::shapes::{OTHER, read_key, write_key};
use super::{Figures, FrameworkCall, FrameworkRow, FrameworkSummary, InputShapes};
use crate::results::measure::measure;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The operations of a framework, recorded from any thread.
///
/// ```
/// use memprof_heap::framework::FrameworkOperations;
///
/// static TRAINING: FrameworkOperations = FrameworkOperations::new();
///
/// for batch in 0..3_u64 {
///     TRAINING.run("relu", &[&[64]], || batch + 1);
/// }
/// assert_eq!(TRAINING.summary().rows()[0].figures.calls, 3);
/// ```
///
/// Its memory is bounded: [`KEPT`](Self::KEPT) combinations of name and shapes are told apart.
/// Later ones are added up in one row [`Other`](InputShapes::Other) for each name that is kept, and
/// in one named `<other>` for all names that are not.
#[derive(Debug, Default)]
pub struct FrameworkOperations {
    recorded: Mutex<Recorded>,
}

/// An ordered map, as it can be made in a constant and summaries come out in one order.
#[derive(Debug, Default)]
struct Recorded {
    operations: BTreeMap<String, Operation>,
    /// Combinations of name and shapes in there.
    kept: usize,
    /// Calls of names that are not kept.
    other: Figures,
    /// The key of the call at hand.
    key: Vec<usize>,
}

#[derive(Debug, Default)]
struct Operation {
    by_shapes: BTreeMap<Vec<usize>, Figures>,
    /// Calls of shapes that are not kept.
    other: Figures,
}

impl FrameworkOperations {
    /// As many combinations of name and shapes are told apart.
    pub const KEPT: usize = 4096;

    /// A recorder of no calls.
    pub const fn new() -> Self {
        Self { recorded: Mutex::new(Recorded::new()) }
    }

    /// Adds a call.
    ///
    /// # Cost
    /// A lock that all threads share, and a search among the names and one among the shapes. The
    /// first call of a combination allocates its row, which shows in a measurement around it.
    pub fn record(&self, call: FrameworkCall<'_>) {
        self.recorded().add(&call);
    }

    /// Runs `work` as a call of the operation `name`, records it and returns its value.
    ///
    /// The CPU time is that on the clock while `work` ran, as profilers of frameworks have it: a
    /// call that waits for a device or a lock takes as long as it waits. The CPU bytes are those
    /// this thread allocated less those it freed meanwhile, by [`measure`](crate::measure()); unknown where no
    /// [`Allocator`](crate::Allocator) counts. Of the device nothing is known: measure a call there
    /// and [`record`](Self::record) it.
    ///
    /// ```
    /// # #[global_allocator]
    /// # static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();
    /// # fn main() {
    /// use memprof_heap::framework::FrameworkOperations;
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
    /// If `work` does; that call is not recorded.
    ///
    /// # Cost
    /// That of [`measure`](crate::measure()), of reading the clock twice, and of [`record`](Self::record).
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

    /// The calls recorded so far, most CPU time first.
    ///
    /// # Cost
    /// A copy of all rows, during which calls wait to be recorded.
    pub fn summary(&self) -> FrameworkSummary {
        let rows = self.recorded().rows();
        FrameworkSummary::of(rows)
    }

    /// Forgets all calls; the rows kept from here on are those of calls to come.
    pub fn reset(&self) {
        // Its memory is freed after the lock.
        let _before = core::mem::take(&mut *self.recorded());
    }

    /// A thread that panicked in here has left a call half added, at worst.
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

/// Runs `work`, and tells its net bytes if something counts.
fn counted<T>(work: impl FnOnce() -> T) -> (T, Option<i64>) {
    // Kept outside of what is measured: where nothing counts, that does not run.
    let mut waiting = Some(work);
    let measured = measure(|| waiting.take().map(|work| work()));
    match (measured, waiting) {
        (Ok((Some(value), measured)), _) => (value, Some(measured.net_bytes())),
        (_, Some(work)) => (work(), None),
        (_, None) => unreachable!("work that was taken has run, and its value is there"),
    }
}
