//! Planted leaks, which are found by name.

use super::{Xorshift, alone, block, function, functions, pause, watched};
use memprof_heap::leak::{LeakWatch, Leaks};
use memprof_heap::site::Names;
use memprof_heap::{Rate, operation};
use std::collections::VecDeque;
use std::hint::black_box;
use std::sync::mpsc::sync_channel;
use std::thread::sleep;
use std::time::{Duration, Instant};

const MILLISECOND: Duration = Duration::from_millis(1);

#[inline(never)]
fn forgotten(bytes: usize) -> Vec<u8> {
    black_box(vec![1; bytes])
}

#[inline(never)]
fn forgotten_faster(bytes: usize) -> Vec<u8> {
    black_box(vec![1; bytes])
}

#[inline(never)]
fn churned(bytes: usize) -> Vec<u8> {
    black_box(vec![1; bytes])
}

/// A pool in which random blocks are replaced, by blocks of random sizes or by none.
struct Churn {
    random: Xorshift,
    pool: Vec<Vec<u8>>,
}

impl Churn {
    fn new() -> Self {
        Self { random: Xorshift(99), pool: vec![Vec::new(); 2000] }
    }

    fn go_on(&mut self) {
        for _ in 0..1000 {
            let place = self.random.below(self.pool.len());
            let bytes = self.random.below(2000);
            self.pool[place] = churned(bytes);
        }
    }
}

#[test]
fn a_leak_is_found_by_name_among_noise() {
    let _alone = alone(Rate::every(64 * 1024));
    let mut churn = Churn::new();
    let mut kept = Vec::with_capacity(10_000);
    let leaks = watched(100, |_| {
        churn.go_on();
        kept.extend((0..100).map(|_| forgotten(1000)));
    });
    let leak = leaks.iter().next().expect("a leak");
    assert_eq!(functions(&leaks), ["forgotten"], "{leaks}");
    let (low, high) = leak.live.interval();
    assert!(low < 1.3e7 && high > 0.7e7, "10 MB are live: {leaks}");
    assert!((5e4..2e5).contains(&leak.growth.per_observation), "{leaks}");
    assert!(leak.growth.interval.0 > 0.0, "{leaks}");
    assert!(leaks.process_grows && leak.stack.len() > 1, "{leaks}");
    assert!(leak.location.as_ref().is_some_and(|frame| frame.line.is_some()));
    assert!(leak.ages.oldest > leak.ages.median);
}

#[test]
fn a_leak_on_another_thread_is_found() {
    let _alone = alone(Rate::every(16 * 1024));
    let watch = LeakWatch::start().expect("samples are taken");
    // The threads wait for each other, so that the same amount is allocated between any two
    // observations.
    let (go_on, rounds) = sync_channel::<()>(0);
    let mut kept = Vec::with_capacity(30);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            kept.extend(rounds.into_iter().map(|()| forgotten(200_000)));
        });
        for _ in 0..30 {
            go_on.send(()).expect("the thread runs");
            pause();
            watch.observe().expect("samples are taken");
        }
        drop(go_on);
    });
    assert_eq!(functions(&watch.leaks()), ["forgotten"], "{}", watch.leaks());
}

#[test]
fn leaks_are_sorted_by_how_fast_they_grow() {
    let _alone = alone(Rate::every(4096));
    let (mut slow, mut fast) = (Vec::with_capacity(100), Vec::with_capacity(100));
    let leaks = watched(40, |_| {
        slow.push(forgotten(30_000));
        fast.push(forgotten_faster(90_000));
    });
    assert_eq!(functions(&leaks), ["forgotten_faster", "forgotten"], "{leaks}");
    let sum: f64 = leaks.iter().map(|leak| leak.growth.per_observation).sum();
    assert!((100_000.0..140_000.0).contains(&sum), "{leaks}");
    let unexplained = leaks.unexplained_per_second().expect("the process grows");
    let process = leaks.process.expect("it was observed").per_second;
    assert!(unexplained.abs() < process / 4.0, "{leaks}");
}

#[test]
fn a_leak_belongs_to_its_operation_and_is_counted_per_call() {
    let _alone = alone(Rate::EACH_BLOCK);
    let mut kept = Vec::with_capacity(100);
    let leaks = watched(20, |_| {
        for _ in 0..3 {
            let _operation = operation!("request");
            {
                let _operation = operation!("render");
                drop(forgotten(50_000));
            }
            let _operation = operation!("remember");
            kept.push(forgotten(10_000));
        }
    });
    assert_eq!(leaks.iter().count(), 1, "{leaks}");
    let leak = leaks.iter().next().expect("one");
    assert_eq!((function(leak), &leak.operation[..]), ("forgotten", &["request", "remember"][..]));
    let per_call = leak.bytes_per_call.expect("calls ended");
    assert_eq!(per_call.round().to_string(), "10000");
    assert_eq!(leak.growth.per_observation.round().to_string(), "30000");
    assert_eq!(leak.live_blocks.value.round().to_string(), "60");
}

#[test]
fn an_old_block_that_grows_is_found() {
    let _alone = alone(Rate::EACH_BLOCK);
    let mut log = block(1_000_000);
    let leaks = watched(20, |_| {
        log.reserve_exact(100_000);
        log.resize(log.len() + 100_000, 1);
    });
    assert_eq!(leaks.iter().count(), 1, "{leaks}");
    let growth = leaks.iter().next().expect("one").growth;
    assert_eq!(growth.per_observation.round().to_string(), "100000");
}

/// Watches a queue that gets 100 messages a round. Returns the leaks, and the true growth in bytes
/// per second.
fn watched_queue(drained: usize, rounds: u32) -> (Leaks, f64) {
    let _alone = alone(Rate::every(4096));
    let mut queue = VecDeque::with_capacity(20_000);
    let start = Instant::now();
    let leaks = watched(rounds, |round| {
        // Rounds at a steady pace have a steady service time.
        sleep((start + 8 * round * MILLISECOND).saturating_duration_since(Instant::now()));
        queue.extend((0..100).map(|_| forgotten(4096)));
        queue.drain(..drained);
    });
    let grown = f64::from(u32::try_from(4096 * queue.len()).expect("less than 4 GiB"));
    let seconds = leaks.watched.as_secs_f64();
    (leaks, grown / seconds)
}

#[test]
fn a_queue_that_is_drained_too_slowly_is_a_suspect() {
    // Blocks of the last queue live for a few rounds only.
    for (drained, rounds) in [(30, 80), (60, 80), (90, 240)] {
        // A watch misses a few such queues in a hundred, and more while the machine is busy.
        let mut watches = (0..4).map(|_| watched_queue(drained, rounds));
        let found = watches.find(|(leaks, _)| functions(leaks) == ["forgotten"]);
        let (leaks, truth) = found.unwrap_or_else(|| panic!("drained at {drained} % it is missed"));
        let growth = leaks.iter().next().expect("one").growth;
        // The watch ends a little after the last observation.
        let (low, high) = (0.97 * growth.interval.0, 1.03 * growth.interval.1);
        assert!((low..=high).contains(&truth), "{truth}: {growth:?}");
    }
}

#[test]
fn one_buffer_that_grows_exponentially_is_a_suspect() {
    let _alone = alone(Rate::every(64 * 1024));
    let mut buffer = vec![1_u8; 4096];
    let leaks = watched(32, |round| {
        if round % 2 == 1 {
            buffer.reserve_exact(buffer.len());
            buffer.resize(2 * buffer.len(), 1);
        }
    });
    assert_eq!(leaks.iter().count(), 1, "{leaks}");
    assert!(leaks.process_grows && leaks.unexplained_per_second().is_some(), "{leaks}");
}

/// Appends the same amount to a buffer each round, and then lets `drained` shorten it.
fn buffered(rounds: u32, drained: impl Fn(u32, &mut Vec<u8>)) -> Leaks {
    let mut buffer = Vec::new();
    watched(rounds, |round| {
        buffer.resize(buffer.len() + 100_000, 1_u8);
        drained(round, &mut buffer);
    })
}

#[test]
fn one_buffer_that_doubles_is_a_suspect() {
    let _alone = alone(Rate::every(16 * 1024));
    let leaks = buffered(40, |_, _| {});
    assert_eq!(leaks.iter().count(), 1, "{leaks}");
    let leak = leaks.iter().next().expect("one");
    assert!(leak.growth.per_second > 0.0 && leak.live.value > 4e6, "{leaks}");
    assert!(leaks.process_grows, "{leaks}");
    assert!(leaks.to_string().contains(" live in 1 block\n"), "{leaks}");
}

#[test]
fn a_regularly_drained_buffer_is_no_suspect() {
    let _alone = alone(Rate::every(16 * 1024));
    // Three ways to drain a buffer: its capacity stays, is freed, or is bounded.
    let leaks = buffered(40, |round, buffer| {
        if round % 5 == 4 {
            buffer.clear();
        }
    });
    assert!(leaks.is_empty(), "{leaks}");
    let leaks = buffered(40, |round, buffer| {
        if round % 5 == 4 {
            *buffer = Vec::new();
        }
    });
    assert!(leaks.is_empty(), "{leaks}");
    let leaks = buffered(40, |_, buffer| buffer.truncate(400_000));
    assert!(leaks.is_empty(), "{leaks}");
}

#[test]
fn dropped_buffers_that_grew_by_realloc_are_no_suspects() {
    let _alone = alone(Rate::every(16 * 1024));
    let mut random = Xorshift(3);
    let mut pool: Vec<Vec<u8>> = vec![Vec::new(); 20];
    let leaks = watched(60, |_| {
        for _ in 0..10 {
            let place = random.below(pool.len());
            let wanted = random.below(200_000);
            let mut buffer = Vec::new();
            while buffer.len() < wanted {
                buffer.extend_from_slice(&[1; 1000]);
            }
            pool[place] = buffer;
        }
    });
    assert!(leaks.is_empty(), "{leaks}");
}

#[test]
fn a_leak_that_is_freed_at_the_end_is_found_beside_one_that_is_not() {
    let _alone = alone(Rate::EACH_BLOCK);
    let named = LeakWatch::start().expect("samples are taken");
    let unnamed = LeakWatch::start().expect("samples are taken").with_names(Names::Off);
    let observe = || {
        pause();
        named.observe().and_then(|()| unnamed.observe()).expect("samples are taken");
    };
    let mut kept = Vec::with_capacity(1000);
    let mut freed = Vec::with_capacity(1000);
    for _ in 0..30 {
        kept.extend((0..20).map(|_| forgotten(1000)));
        freed.extend((0..20).map(|_| forgotten_faster(2000)));
        observe();
    }
    let were_freed = |watch: &LeakWatch| {
        let leaks = watch.leaks_at_end();
        leaks.iter().map(|leak| leak.was_freed).collect::<Vec<_>>()
    };
    assert_eq!([&named, &unnamed].map(were_freed), [[false, false], [false, false]]);
    drop(freed);
    observe();
    assert_eq!([&named, &unnamed].map(were_freed), [[true, false], [true, false]]);
    assert_eq!(functions(&named.leaks_at_end()), ["forgotten_faster", "forgotten"]);
}
