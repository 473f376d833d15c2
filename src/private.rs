//! Items that macros name. They are not part of the public API, so any release may change them.

pub use crate::heap::operation::{OperationSite, TrackFuture};
pub use memprof_core::__private::*;
