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

mod call;
mod figures;
mod operations;
mod shapes;
mod summary;
mod table;
mod tensors;
mod time;

pub use call::FrameworkCall;
pub use figures::{Figures, Known};
pub use operations::FrameworkOperations;
pub use shapes::InputShapes;
pub use summary::{FrameworkRow, FrameworkSummary};
pub use tensors::{tensor_created, tensor_dropped};

#[cfg(test)]
mod tests;

static OPERATIONS: FrameworkOperations = FrameworkOperations::new();

/// Adds a call to the operations of the process; see [`FrameworkOperations::record`].
pub fn record(call: FrameworkCall<'_>) {
    OPERATIONS.record(call);
}

/// Runs `work` as a call of the operation `name` of the process; see [`FrameworkOperations::run`].
pub fn run<T>(name: &str, shapes: &[&[usize]], work: impl FnOnce() -> T) -> T {
    OPERATIONS.run(name, shapes, work)
}

/// Returns the operations of the process by name and input shapes; see
/// [`FrameworkOperations::summary`].
pub fn summary() -> FrameworkSummary {
    OPERATIONS.summary()
}

/// Discards the operations of the process; see [`FrameworkOperations::reset`].
pub fn reset() {
    OPERATIONS.reset();
}
