//! What a program is told when there is not enough memory.

use super::CachingPool;
use crate::{MemoryResource, Request};

/// What is called when there is not enough memory.
pub(super) type Callback = Box<dyn Fn(&Pressure) -> bool + Send + Sync>;

/// What a pool can't give, and what it holds: what its callback is told.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Pressure {
    /// What was asked for.
    pub request: Request,
    /// How often the callback was called for it, this time included.
    pub attempt: u32,
    /// Bytes taken from the upstream.
    pub reserved: u64,
    /// Bytes of them that nobody uses.
    pub cached: u64,
    /// The most that may be reserved; `None` without a limit.
    pub limit: Option<u64>,
}

/// Calls of the callback for one request, so that one that always says yes ends.
const ATTEMPTS: u32 = 16;

impl<U: MemoryResource> CachingPool<U> {
    /// Asks the program for memory; whether to try again.
    pub(super) fn is_relieved(&self, request: Request, attempt: u32) -> bool {
        let Some(callback) = self.pressure.as_ref().filter(|_| attempt <= ATTEMPTS) else {
            return false;
        };
        let counts = self.books().counts;
        let (reserved, cached) = (counts.reserved, counts.cached());
        callback(&Pressure { request, attempt, reserved, cached, limit: self.rules.limit })
    }
}
