//! A lock that a forked child can take even if a thread of its parent held it at the fork.
//!
//! The lock contains the [generation](super::fork) of its holder. A child has a new generation, so
//! all locks that are held at the fork are free in the child, and no list of locks is needed. A
//! panic does not poison the lock. Waiting threads poll, so use it only for short or rare sections.

use crate::record::fork::{check, generation};
use crate::record::sync::Ordering::{Acquire, Relaxed, Release};
use crate::record::sync::{AtomicU32, rest, spin_loop};

#[derive(Debug)]
pub(crate) struct ForkLock {
    /// The generation of the process whose thread holds the lock, or `FREE`.
    pub owner: AtomicU32,
}

pub(crate) const FREE: u32 = 0;

pub(crate) struct Held<'a> {
    lock: &'a ForkLock,
}

impl ForkLock {
    /// The hook must not call this: it may wait for a thread that the system interrupted.
    pub(crate) fn lock(&self) -> Held<'_> {
        wait_for(|| self.try_lock())
    }

    /// For data that may be half changed in a child: `None` if a fork left the lock behind.
    pub(crate) fn run_unless_orphaned<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        let _held = wait_for(|| {
            let owner = self.owner.load(Relaxed);
            let is_orphaned = owner != FREE && owner != generation();
            if is_orphaned { Some(None) } else { self.try_lock().map(Some) }
        })?;
        Some(work())
    }

    /// Takes the lock if no thread of this process holds it. Never waits.
    pub(crate) fn try_lock(&self) -> Option<Held<'_>> {
        let generation = generation();
        let owner = self.owner.load(Relaxed);
        if owner == generation {
            return None;
        }
        self.owner.compare_exchange(owner, generation, Acquire, Relaxed).ok()?;
        Some(Held { lock: self })
    }
}

fn wait_for<T>(mut attempt: impl FnMut() -> Option<T>) -> T {
    let mut polls = 0_u32;
    loop {
        check();
        if let Some(value) = attempt() {
            return value;
        }
        polls = polls.saturating_add(1);
        if polls < 50 { spin_loop() } else { rest() }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.lock.owner.store(FREE, Release);
    }
}
