//! What macros name. Not part of the interface: any release may change it.

pub use crate::{OperationSite, TrackFuture};
pub use memprof_core::__private::*;
