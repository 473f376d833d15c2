//! How much a session has the allocator record.

use super::config::Config;
use super::heap::Heap;

/// The allocator, recording; and what a person is to be told if it can't.
#[cfg(feature = "heap")]
pub(crate) fn begin(config: &Config) -> (Option<Heap>, Option<String>) {
    let events = config.operation_events > 0;
    match Heap::begin(config.level.into(), events, config.wall_time) {
        Ok(heap) => (heap, None),
        Err(warning) => (None, Some(warning)),
    }
}

/// Nobody counts.
#[cfg(not(feature = "heap"))]
pub(crate) fn begin(_: &Config) -> (Option<Heap>, Option<String>) {
    (None, None)
}
