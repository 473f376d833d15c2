//! The level at which the allocator records during a session.

use super::config::Config;
use super::heap::Heap;

/// Starts recording by the allocator; returns a warning if it can't record.
#[cfg(feature = "heap")]
pub(crate) fn begin(config: &Config) -> (Option<Heap>, Option<String>) {
    let events = config.operation_events > 0;
    match Heap::begin(config.level.into(), config.names, events, config.wall_time) {
        Ok(heap) => (heap, None),
        Err(warning) => (None, Some(warning)),
    }
}

/// Returns `None`, because nothing is counted without the feature `heap`.
#[cfg(not(feature = "heap"))]
pub(crate) fn begin(_: &Config) -> (Option<Heap>, Option<String>) {
    (None, None)
}
