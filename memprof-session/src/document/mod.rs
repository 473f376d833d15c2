//! What files hold, part by part; `docs/format.md` describes it for readers in other languages.
//!
//! Bytes and nanoseconds are whole numbers, never rounded. What is not known is `null`, never 0.

mod estimate;
mod framework;
mod heap;
mod leaks;
mod line;
mod metadata;
mod operations;
mod process;
mod reconciliation;
mod roots;
mod snapshot;
mod summary;

pub use estimate::Estimate;
pub use framework::{FrameworkRow, Known};
pub use heap::{Block, HeapLevel, HeapTotals, Place, Site};
pub use leaks::Leak;
pub(crate) use line::Line;
pub use metadata::{Ended, Metadata};
#[cfg(feature = "record")]
pub(crate) use operations::EVENT_COLUMNS;
pub use operations::{DroppedEvents, OperationEvent, OperationPath, OperationRow, WallTime};
pub use process::{ProcessMemory, SelfCost};
pub use reconciliation::{ClaimedTwice, Reconciliation, UnexplainedOperation};
pub use roots::{GaugeReading, RootReading, RootState, SourceReading};
pub use snapshot::{DeviceReading, Snapshot, TensorReading, Trigger};
pub use summary::{NotWritten, OutOfMemory, Summary};

/// The value of the key `format` of a report.
pub(crate) const REPORT: &str = "memprof session";
/// The value of the key `format` of a timeline's first line.
pub(crate) const TIMELINE: &str = "memprof timeline";
/// Raised when a key changes its meaning or a word is added to those of a key.
pub(crate) const VERSION: u64 = 1;
