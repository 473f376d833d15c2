//! Samples of several threads, and of blocks that pass from one thread to another.

use super::trials::{TRIALS, Trials};
use super::{now, sampling};
use crate::block;
use memprof_heap::__private::{estimates, seed};
use memprof_heap::{Level, Rate, set_level, set_rate};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

type Task = Box<dyn FnOnce(&mut Vec<Vec<u8>>) + Send>;

/// A thread that runs tasks one by one.
struct Worker {
    tasks: SyncSender<Task>,
    done: Receiver<()>,
}

impl Worker {
    fn new() -> Self {
        let (tasks, next) = sync_channel::<Task>(1);
        let (done_sender, done) = sync_channel(1);
        thread::spawn(move || {
            let mut blocks = Vec::with_capacity(10_000);
            for task in next {
                task(&mut blocks);
                done_sender.send(()).expect("the test waits");
            }
        });
        Self { tasks, done }
    }

    fn run(&self, task: impl FnOnce(&mut Vec<Vec<u8>>) + Send + 'static) {
        self.tasks.send(Box::new(task)).expect("the thread runs");
        self.done.recv().expect("the task does not panic");
    }
}

#[test]
fn blocks_that_another_thread_frees_are_no_longer_live() {
    let _sampling = sampling(Rate::every(4096));
    let mut trials = Trials::default();
    for number in 0..TRIALS {
        seed(number);
        let before = estimates().live;
        assert!(before.value < 100_000.0, "{before:?}: what went before is gone");
        let mut blocks: Vec<_> = (0..2000).map(|at| block(100 + at)).collect();
        let gone = blocks.split_off(500);
        thread::spawn(|| drop(gone)).join().expect("it does not panic");
        let mut live = estimates().live;
        // The harness still has samples of its own.
        live.value -= before.value;
        let all = 2000 * size_of::<Vec<u8>>() as u64;
        trials.add(live, blocks.iter().map(|block| block.capacity() as u64).sum::<u64>() + all);
    }
    trials.assert_unbiased("freed elsewhere");
}

#[test]
fn a_mean_that_another_thread_changes_leaves_estimates_unbiased() {
    let _sampling = sampling(Rate::every(16 * 1024));
    let worker = Worker::new();
    let mut trials = Trials::default();
    for number in 0..TRIALS {
        set_level(Level::Off);
        set_rate(Rate::every(16 * 1024));
        set_level(Level::Sampled);
        worker.run(move |_| seed(number));
        worker.run(|blocks| blocks.extend((0..30).map(|_| block(1000))));
        set_rate(Rate::every(2 * 1024));
        worker.run(|blocks| blocks.extend((0..60).map(|_| block(1000))));
        trials.add(estimates().live, 90_000);
        worker.run(Vec::clear);
    }
    trials.assert_unbiased("changed elsewhere");
}

#[test]
fn threads_that_allocate_and_free_each_others_blocks_leave_no_sample_behind() {
    let _sampling = sampling(Rate::every(256));
    let before = now().live;
    thread::scope(|scope| {
        for _ in 0..8 {
            let (sender, receiver) = sync_channel::<Vec<u8>>(4);
            scope.spawn(move || {
                for size in 0..20_000 {
                    let mut block = block(16 + size % 500);
                    if size % 3 == 0 {
                        block.reserve_exact(700);
                    }
                    sender.send(block).expect("the other thread runs");
                }
            });
            scope.spawn(move || receiver.into_iter().for_each(drop));
        }
    });
    let after = now();
    let more = after.live.samples.saturating_sub(before.samples);
    assert!(more < 100, "{more} samples of blocks that are gone: {after}");
}
