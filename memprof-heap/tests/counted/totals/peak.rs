//! The process's peak. Threads take turns, so that the true peak is known.

use super::block::{Block, random_size};
use super::now;
use crate::counting;
use crate::own_process::in_own_process;
use crate::random::Random;
use memprof_heap::operation::OperationSite;
use memprof_heap::reset_peak;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

type Task = Box<dyn FnOnce(&mut Vec<Block>) + Send>;

/// A thread that runs tasks one by one.
struct Worker {
    tasks: SyncSender<Task>,
    done: std::sync::mpsc::Receiver<()>,
    thread: JoinHandle<()>,
}

impl Worker {
    fn new() -> Self {
        let (tasks, next) = sync_channel::<Task>(1);
        let (done_sender, done) = sync_channel(1);
        let thread = thread::spawn(move || {
            let mut blocks = Vec::new();
            for task in next {
                task(&mut blocks);
                done_sender.send(()).expect("the test waits");
            }
        });
        Self { tasks, done, thread }
    }

    fn run(&self, task: impl FnOnce(&mut Vec<Block>) + Send + 'static) {
        self.tasks.send(Box::new(task)).expect("the thread runs");
        self.done.recv().expect("the task does not panic");
    }

    fn end(self) {
        drop(self.tasks);
        self.thread.join().expect("it does not panic");
    }
}

fn begin() {
    reset_peak().expect("the level is Counters");
    counting::reset_peak();
}

fn assert_within_error(what: &str) {
    let peak = now().peak;
    let off = peak.bytes.cast_signed() - counting::peak();
    assert!(off.unsigned_abs() <= peak.error_bytes, "{what}: off by {off} of {peak:?}");
}

#[test]
fn the_peak_never_falls() {
    in_own_process(|| {
        reset_peak().expect("the level is Counters");
        let mut highest = 0;
        for size in [10_000, 60_000, 20_000, 3_000_000, 30_000, 1] {
            // The thread flushes large changes only.
            let block = Block::new(size);
            let with_block = now().peak.bytes;
            drop(block);
            let without_block = now().peak.bytes;
            assert!(highest <= with_block && with_block <= without_block);
            highest = without_block;
        }
    });
}

#[test]
fn a_block_that_one_thread_freed_is_not_live_while_another_allocates() {
    in_own_process(|| {
        let (one, other) = (Worker::new(), Worker::new());
        begin();
        one.run(|blocks| blocks.push(Block::new(50_000_000)));
        one.run(Vec::clear);
        other.run(|blocks| blocks.push(Block::new(50_000_000)));
        assert_within_error("one after the other");
        one.end();
        other.end();
    });
}

#[test]
fn a_peak_excludes_small_blocks_freed_before_it() {
    in_own_process(|| {
        let (one, other) = (Worker::new(), Worker::new());
        begin();
        one.run(|blocks| blocks.extend((0..100_000).map(|_| Block::new(100))));
        one.run(Vec::clear);
        other.run(|blocks| blocks.push(Block::new(10_000_000)));
        assert_within_error("small blocks");
        one.end();
        other.end();
    });
}

#[test]
fn a_peak_excludes_blocks_freed_within_operations() {
    in_own_process(|| {
        static FREE: OperationSite = OperationSite::new("free", file!(), line!());
        let (one, other) = (Worker::new(), Worker::new());
        begin();
        one.run(|blocks| blocks.extend((0..1000).map(|_| Block::new(10_000))));
        one.run(|blocks| {
            for block in blocks.drain(..) {
                let _operation = FREE.enter();
                drop(block);
            }
        });
        other.run(|blocks| blocks.push(Block::new(10_000_000)));
        assert_within_error("operations");
        one.end();
        other.end();
    });
}

#[test]
fn the_peak_of_eight_threads_in_random_turns_is_exact() {
    in_own_process(|| {
        let workers: Vec<_> = (0..8).map(|_| Worker::new()).collect();
        let mut random = Random::new(7);
        for round in 0..20 {
            begin();
            for _ in 0..200 {
                let worker = &workers[random.below(8) as usize];
                let [kind, place, count] = [3, 1000, 20].map(|end| random.below(end) as usize);
                let size = random_size(&mut random);
                worker.run(move |blocks| match kind {
                    0 => blocks.extend((0..=count).map(|_| Block::new(size))),
                    1 if !blocks.is_empty() => {
                        let _gone = blocks.swap_remove(place % blocks.len());
                    }
                    _ => blocks.truncate(blocks.len() / 2),
                });
            }
            assert_within_error(&format!("round {round}"));
        }
        workers.into_iter().for_each(Worker::end);
    });
}

#[test]
fn a_reset_peak_is_the_maximum_since_the_reset() {
    in_own_process(|| {
        drop(Block::new(100_000_000));
        assert!(now().peak.bytes >= 100_000_000);
        begin();
        let before = now();
        assert!(before.peak.bytes < 90_000_000, "{before}");
        drop(Block::new(20_000_000));
        assert!(now().peak.bytes >= before.peak.bytes + 19_000_000, "{}", now());
        assert_within_error("after the reset");
    });
}
