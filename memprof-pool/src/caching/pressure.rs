//! The callback that a pool calls when there is too little memory.

use super::CachingPool;
use crate::{MemoryResource, Request};

/// A callback for a shortage of memory.
pub(super) type Callback = Box<dyn Fn(&Pressure) -> bool + Send + Sync>;

/// The argument of the callback: the request that failed, and the bytes that the pool holds.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Pressure {
    /// The request that failed.
    pub request: Request,
    /// The number of calls of the callback for this request, including this one.
    pub attempt: u32,
    /// Bytes taken from the upstream.
    pub reserved: u64,
    /// Reserved bytes that are not in use.
    pub cached: u64,
    /// The limit on reserved bytes. `None` without a limit.
    pub limit: Option<u64>,
}

/// The maximum number of calls of the callback for one request. Without it, a callback that always
/// returns `true` would make the pool retry forever.
const MAX_ATTEMPTS: u32 = 16;

impl<U: MemoryResource> CachingPool<U> {
    /// Calls the callback, and returns `true` if the pool is to try again.
    pub(super) fn should_retry(&self, request: Request, attempt: u32) -> bool {
        let Some(callback) = self.pressure.as_ref().filter(|_| attempt <= MAX_ATTEMPTS) else {
            return false;
        };
        let counts = self.state().counts;
        let (reserved, cached) = (counts.reserved, counts.cached());
        callback(&Pressure { request, attempt, reserved, cached, limit: self.rules.limit })
    }
}
