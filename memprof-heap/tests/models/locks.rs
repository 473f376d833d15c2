//! The lock, in a child whose parent had it locked at the fork.

use crate::explore::with_interruptions;
use crate::record::fork::generation;
use crate::record::fork_lock::{FREE, ForkLock};
use crate::record::sync::AtomicU32;
use loom::cell::Cell;
use loom::sync::Arc;
use loom::thread;

/// A count that the lock guards. Loom fails if two threads use `counted` at once.
struct Guarded {
    lock: ForkLock,
    counted: Cell<u32>,
}

fn guarded(owner: u32) -> Arc<Guarded> {
    Arc::new(Guarded { lock: ForkLock { owner: AtomicU32::new(owner) }, counted: Cell::new(0) })
}

impl Guarded {
    fn count(&self) {
        let _held = self.lock.lock();
        self.counted.set(self.counted.get() + 1);
    }
}

#[test]
fn an_orphaned_lock_is_taken_by_one_thread_at_a_time() {
    for owner in [FREE, generation() - 1] {
        with_interruptions(3, move || {
            let guarded = guarded(owner);
            let other = thread::spawn({
                let guarded = guarded.clone();
                move || guarded.count()
            });
            guarded.count();
            other.join().unwrap();
            assert_eq!(guarded.counted.get(), 2);
        });
    }
}

#[test]
fn data_behind_an_orphaned_lock_is_used_by_no_thread() {
    with_interruptions(3, || {
        let guarded = guarded(generation() - 1);
        let other = thread::spawn({
            let guarded = guarded.clone();
            move || guarded.lock.run_unless_orphaned(|| ()).is_none()
        });
        assert!(guarded.lock.run_unless_orphaned(|| ()).is_none());
        assert!(other.join().unwrap());
    });
}
