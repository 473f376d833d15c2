//! Named operations: their names in the code, and what they allocated.
//!
//! | question | item |
//! |---|---|
//! | How is work named? | [`operation!`](macro@crate::operation), [`OperationSite`], [`OperationGuard`] |
//! | How is a future named? | [`TrackFuture`], [`Tracked`] |
//! | How are the spans of `tracing` counted? | `MemoryLayer`, with the feature `tracing_subscriber03` |
//! | What did operations allocate? | [`operations()`](crate::operations()), [`Operations`], [`Operation`] |
//! | How long did their calls take? | [`set_wall_time`], [`WallTime`] |
//! | In which operations did an operation run? | [`OperationPath`], [`operation_paths`], [`operation_path`], [`PathId`] |

#[cfg(feature = "tracing_subscriber03")]
pub use crate::operations::MemoryLayer;
pub use crate::operations::paths::PathId;
pub use crate::operations::{OperationGuard, OperationSite, TrackFuture, Tracked, set_wall_time};
pub use crate::results::operation_paths::{OperationPath, operation_path, operation_paths};
pub use crate::results::operations::{Operation, Operations, WallTime};
