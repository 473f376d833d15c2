//! A lock that a forked child can take even if a thread of its parent held it at the fork.

use crate::base::sync::AtomicU32;
use crate::base::sync::Ordering::{Acquire, Relaxed, Release};
use crate::base::sync::{process, rest, spin_loop};

/// A lock that a panic does not poison. Waiting threads poll, so use it only for short or rare
/// sections.
pub(crate) struct ForkLock {
    /// The process whose thread holds the lock, or `FREE`. If `owner` is another process, a fork
    /// left the lock behind: the thread that held it does not exist in this process.
    pub(crate) owner: AtomicU32,
}

pub(crate) const FREE: u32 = 0;

/// A guard that holds the lock until it is dropped.
pub(crate) struct Held<'a> {
    lock: &'a ForkLock,
    /// True if the lock was held at the fork. The data that it protects may then be half changed.
    pub(crate) is_orphaned: bool,
}

impl ForkLock {
    /// Takes the lock. The hook must not call this: it may wait for a thread that the operating
    /// system interrupted.
    pub(crate) fn lock(&self) -> Held<'_> {
        let mut polls = 0_u32;
        loop {
            if let Some(held) = self.try_lock() {
                return held;
            }
            polls = polls.saturating_add(1);
            if polls < 50 { spin_loop() } else { rest() }
        }
    }

    /// Takes the lock if no thread of this process holds it. Never waits.
    pub(crate) fn try_lock(&self) -> Option<Held<'_>> {
        let process = process();
        let owner = self.owner.load(Relaxed);
        if owner == process {
            return None;
        }
        let is_orphaned = owner != FREE;
        self.owner.compare_exchange(owner, process, Acquire, Relaxed).ok()?;
        Some(Held { lock: self, is_orphaned })
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.lock.owner.store(FREE, Release);
    }
}
