//! Random calls of the allocator on 16 threads that free each other's blocks.

use super::block::{Block, random_size};
use super::{both, now};
use crate::counting;
use crate::own_process::in_own_process;
use crate::random::Random;
use memprof_heap::{reset_peak, threads};
use memprof_test_support::rounds;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

const THREADS: usize = 16;
/// The maximum number of blocks that a thread keeps.
const KEPT: u64 = 8;

/// Returns the number of random calls of all threads.
fn steps() -> usize {
    rounds(250_000, 1_000_000)
}

/// Does one thread's part: keeps some blocks, sends others to the next thread, and frees the blocks
/// that it receives.
fn work(seed: u64, next: &SyncSender<Block>, received: &Receiver<Block>) {
    let mut random = Random::new(seed);
    let mut kept: Vec<Option<Block>> = (0..KEPT).map(|_| None).collect();
    for _ in 0..steps() / THREADS {
        let slot = random.below(KEPT) as usize;
        let size = random_size(&mut random);
        let block = match (random.below(16), kept[slot].take()) {
            (0..2, _) => Block::zeroed(size),
            (2, _) => Block::aligned(size, 1 << random.below(13)),
            (3..6, Some(old)) => old.resized(size),
            (6..9, Some(old)) => {
                // If the next thread is slow, the block is freed here.
                drop(next.try_send(old));
                continue;
            }
            (9..12, Some(_)) => continue,
            _ => Block::new(size),
        };
        kept[slot] = Some(block);
        drop(received.try_recv());
    }
}

fn run() {
    let (senders, mut receivers): (Vec<_>, Vec<_>) =
        (0..THREADS).map(|_| sync_channel::<Block>(4)).unzip();
    receivers.rotate_left(1);
    let workers: Vec<_> = senders
        .into_iter()
        .zip(receivers)
        .enumerate()
        .map(|(thread, (next, received))| {
            thread::spawn(move || work(thread as u64, &next, &received))
        })
        .collect();
    for worker in workers {
        worker.join().expect("it does not panic");
    }
}

/// Reads until `done`, and checks what must hold at any moment.
fn read_until(done: &AtomicBool) -> u64 {
    let (mut last, mut reads) = (now(), 0);
    while !done.load(Relaxed) {
        let next = now();
        assert!(next.live_bytes() >= 0, "{next}");
        assert!(next.live_blocks() >= 0, "{next}");
        assert!(next.allocated_bytes >= last.allocated_bytes, "{last}, then {next}");
        assert!(next.allocated_blocks >= last.allocated_blocks, "{last}, then {next}");
        last = next;
        let each = threads().expect("the level is Counters");
        // A thread that frees blocks of other threads may have negative live bytes, but no negative
        // count.
        assert!(each.iter().all(|thread| thread.freed_bytes < 1 << 40), "{each:?}");
        reads += 1;
    }
    reads
}

#[test]
fn random_calls_of_many_threads_are_counted_to_the_byte() {
    in_own_process(|| {
        let before = both();
        run();
        let after = both();
        let since = |all: [u64; 4], start: [u64; 4]| [0, 1, 2, 3].map(|at| all[at] - start[at]);
        assert_eq!(since(after.0, before.0), since(after.1, before.1));
        assert!(after.0[1] - before.0[1] > steps() as u64 * 3 / 10, "that much is done");
    });
}

#[test]
fn random_calls_of_many_threads_leave_no_live_bytes() {
    in_own_process(|| {
        let live = |[allocated, _, freed, _]: [u64; 4]| allocated.wrapping_sub(freed).cast_signed();
        let before = live(both().0);
        run();
        // The standard library keeps a little for the threads it started.
        let more = live(both().0) - before;
        assert!(more.abs() < 4096, "{more}");
    });
}

#[test]
fn a_reader_never_sees_more_freed_than_allocated() {
    in_own_process(|| {
        let done = AtomicBool::new(false);
        let start = Barrier::new(2);
        let reads = thread::scope(|scope| {
            let reader = scope.spawn(|| {
                start.wait();
                read_until(&done)
            });
            start.wait();
            run();
            done.store(true, Relaxed);
            reader.join().expect("what it sees is possible")
        });
        assert!(reads > 100, "{reads}");
    });
}

#[test]
fn blocks_that_go_from_thread_to_thread_never_make_live_negative() {
    in_own_process(|| {
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..8 {
                let (sender, receiver) = sync_channel::<Block>(1);
                let done = &done;
                scope.spawn(move || {
                    while !done.load(Relaxed) && sender.send(Block::new(1 << 20)).is_ok() {}
                });
                scope.spawn(move || receiver.into_iter().for_each(drop));
            }
            for _ in 0..rounds(5_000, 20_000) {
                let all = now();
                if all.live_bytes() < 0 || all.live_blocks() < 0 {
                    done.store(true, Relaxed);
                    panic!("{all}");
                }
            }
            done.store(true, Relaxed);
        });
    });
}

#[test]
fn the_peak_of_many_threads_is_within_its_error() {
    in_own_process(|| {
        reset_peak().expect("the level is Counters");
        counting::reset_peak();
        run();
        let peak = now().peak;
        // Blocks may be counted in one of the allocators and not yet in the other.
        let underway = THREADS as u64 * 200 * 1024;
        let off = peak.bytes.cast_signed() - counting::peak();
        assert!(off.unsigned_abs() <= peak.error_bytes + underway, "{off} with {peak:?}");
    });
}
