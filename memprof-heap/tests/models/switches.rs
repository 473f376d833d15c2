//! Switches of the level, while threads take samples and free blocks. No sample of a freed block
//! stays, and at the end level and epoch agree.

use crate::explore::with_interruptions;
use crate::live::{FIRST as BLOCK, One, sample, table, taken};
use crate::record::fork_lock::{FREE, ForkLock};
use crate::record::switching::{NO_EPOCH, Words};
use crate::record::sync::Ordering::{Acquire, Relaxed, Release};
use crate::record::sync::{AtomicU32, AtomicU64, AtomicUsize};
use loom::sync::Arc;
use loom::thread;

const COUNTERS: usize = 1;
const SAMPLED: usize = 2;

/// The state of a process: words, their lock, samples, and the number of the sampling run.
struct Process {
    words: Words,
    switch: ForkLock,
    samples: Arc<One>,
    run: AtomicU32,
    /// The block, once its thread has handed it to the thread that frees it.
    handed: AtomicUsize,
}

impl Process {
    fn at_counters() -> Arc<Self> {
        Arc::new(Self {
            words: Words { level: AtomicUsize::new(COUNTERS), epoch: AtomicU64::new(NO_EPOCH) },
            switch: ForkLock { owner: AtomicU32::new(FREE) },
            samples: table(),
            run: AtomicU32::new(0),
            handed: AtomicUsize::new(0),
        })
    }

    /// Switches like `level::apply`.
    fn switch_to(&self, level: usize) {
        let _held = self.switch.lock();
        let was = self.words.level.load(Relaxed);
        if was == level {
            return;
        }
        if level == SAMPLED {
            self.samples.retain(|_| None);
            let run = self.run.load(Relaxed) + 1;
            self.run.store(run, Relaxed);
            self.words.begin_sampling(level, u64::from(run) << 32 | 1);
        } else {
            self.words.end_sampling(level);
            self.samples.retain(|_| None);
        }
    }

    /// Allocates a block as the hook does, samples it, and hands it to another thread.
    fn allocate(&self) {
        let epoch = self.words.epoch();
        if epoch != NO_EPOCH {
            assert!(self.samples.insert(sample(BLOCK, (epoch >> 32) as u32)));
        }
        self.handed.store(BLOCK, Release);
    }

    /// Frees the block as the hook does.
    fn free(&self) -> bool {
        let is_handed = self.handed.load(Acquire) == BLOCK;
        if is_handed && self.words.level.load(Relaxed) == SAMPLED {
            taken(&self.samples, BLOCK);
        }
        is_handed
    }

    /// Returns the number of samples that are read as live.
    fn live(&self) -> usize {
        let (mut live, run) = (0, self.run.load(Relaxed));
        if self.words.level.load(Relaxed) == SAMPLED {
            self.samples.for_each(|sample| live += usize::from(sample.sampling_run == run));
        }
        live
    }

    fn agrees(&self) -> bool {
        let samples = self.words.epoch.load(Relaxed) != NO_EPOCH;
        samples == (self.words.level.load(Relaxed) == SAMPLED)
    }
}

fn spawn<T: 'static>(
    process: &Arc<Process>,
    work: impl FnOnce(&Process) -> T + 'static,
) -> thread::JoinHandle<T> {
    let process = process.clone();
    thread::spawn(move || work(&process))
}

#[test]
fn a_block_that_is_sampled_while_sampling_begins_has_no_sample_once_it_is_freed() {
    with_interruptions(3, || {
        let process = Process::at_counters();
        let allocates = spawn(&process, Process::allocate);
        let frees = spawn(&process, Process::free);
        process.switch_to(SAMPLED);
        allocates.join().unwrap();
        if frees.join().unwrap() {
            assert_eq!(process.live(), 0);
        }
        assert!(process.agrees());
    });
}

#[test]
fn a_block_freed_while_sampling_restarts_has_no_sample() {
    with_interruptions(2, || {
        let process = Process::at_counters();
        process.switch_to(SAMPLED);
        let allocates = spawn(&process, Process::allocate);
        let frees = spawn(&process, Process::free);
        process.switch_to(COUNTERS);
        process.switch_to(SAMPLED);
        allocates.join().unwrap();
        if frees.join().unwrap() {
            assert_eq!(process.live(), 0);
        }
        assert!(process.agrees());
    });
}

#[test]
fn the_last_of_two_switches_sets_both_level_and_epoch() {
    with_interruptions(3, || {
        let process = Process::at_counters();
        let other = spawn(&process, |process| process.switch_to(COUNTERS));
        process.switch_to(SAMPLED);
        other.join().unwrap();
        assert!(process.agrees());
    });
}
