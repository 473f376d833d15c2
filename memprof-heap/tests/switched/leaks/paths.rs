//! Lines that are called on many paths, in a process without names.

use super::{alone, block, pause};
use memprof_heap::leak::{Leak, LeakWatch, Leaks, Verdict};
use memprof_heap::site::Names;
use memprof_heap::{Level, Rate, set_level};
use std::collections::VecDeque;
use std::hint::black_box;

/// The number of paths on which each line is called.
const PATHS: usize = 256;

/// Calls `line` at the end of a chain of calls. Two bits of `path` select each of them.
#[inline(never)]
fn on_path<const NUMBER: usize>(path: usize, depth: u32, line: fn() -> Vec<u8>) -> Vec<u8> {
    let next = [on_path::<0>, on_path::<1>, on_path::<2>, on_path::<3>][path % 4];
    black_box(if depth == 0 { line() } else { next(path / 4, depth - 1, line) })
}

#[inline(never)]
fn one_line() -> Vec<u8> {
    block(1000)
}

#[inline(never)]
fn another_line() -> Vec<u8> {
    block(2000)
}

#[inline(never)]
fn bounded() -> Vec<u8> {
    block(3000)
}

/// Watches 40 rounds, in each of which 32 paths call the lines once. An odd step near the golden
/// ratio visits all paths in turn, and each branch of them about equally often in each round.
fn watched(mut keep: impl FnMut(&dyn Fn(fn() -> Vec<u8>) -> Vec<u8>)) -> Leaks {
    let watch = LeakWatch::start().expect("samples are taken").with_names(Names::Off);
    for round in 0..40 {
        for call in 32 * round..32 * (round + 1) {
            keep(&|line| on_path::<0>(call * 157 % PATHS, 4, line));
        }
        pause();
        watch.observe().expect("samples are taken");
    }
    watch.leaks()
}

/// Formats the number of a suspect's blocks and their mean size: `12 * 1000`.
fn blocks(leak: &Leak) -> String {
    format!("{} * {}", leak.live_blocks.value, leak.live.value / leak.live_blocks.value)
}

#[test]
fn a_line_that_leaks_on_many_paths_is_found_with_all_its_paths() {
    let _alone = alone(Rate::EACH_BLOCK);
    let mut kept = Vec::with_capacity(40 * 64);
    let mut queue = VecDeque::with_capacity(PATHS);
    let leaks = watched(|on_path| {
        kept.push(on_path(one_line));
        kept.push(on_path(another_line));
        if queue.len() == PATHS {
            queue.pop_front();
        }
        queue.push_back(on_path(bounded));
    });
    for size in [" * 1000", " * 2000"] {
        assert!(leaks.iter().any(|leak| blocks(leak).ends_with(size)), "{leaks}");
        let whole = format!("1280{size}");
        assert!(leaks.wider().any(|leak| blocks(leak) == whole), "{leaks:#?}");
    }
    assert!(!leaks.iter().any(|leak| blocks(leak).ends_with(" * 3000")), "{leaks}");
    let shared: Vec<_> = leaks.wider().map(|leak| leak.shared_frames).collect();
    assert!(shared.is_sorted() && !shared.contains(&None), "{shared:?}");
}

#[test]
fn a_bounded_queue_that_is_filled_on_many_paths_is_no_suspect() {
    let _alone = alone(Rate::EACH_BLOCK);
    let mut queue = VecDeque::with_capacity(PATHS);
    let leaks = watched(|on_path| {
        if queue.len() == PATHS {
            queue.pop_front();
        }
        queue.push_back(on_path(bounded));
    });
    assert_eq!(leaks.verdict(), Verdict::NothingGrows, "{leaks}");
}

#[test]
fn a_path_that_leaks_most_and_the_other_paths_are_suspects() {
    let _alone = alone(Rate::EACH_BLOCK);
    let mut kept = Vec::with_capacity(40 * 64);
    let leaks = watched(|on_path| {
        kept.push(on_path(one_line));
        kept.push(self::on_path::<0>(7, 4, one_line));
    });
    let own = leaks.iter().find(|leak| leak.shared_frames.is_none()).expect("the path is found");
    assert_eq!(blocks(own), "1280 * 1000", "{leaks}");
    assert!(leaks.wider().any(|leak| blocks(leak) == "2560 * 1000"), "{leaks:#?}");
    let all: f64 = leaks.iter().map(|leak| leak.live_blocks.value).sum();
    assert_eq!(all.to_string(), "2560", "{leaks}");
    assert_eq!(leaks.uncertain().count(), 0, "{leaks}");
}

/// A line that the compiler has copied into 256 functions.
#[inline(never)]
fn copied<const A: usize, const B: usize>() -> Vec<u8> {
    block(1000)
}

type Copied = fn() -> Vec<u8>;

macro_rules! copies {
    ($($a:literal)*) => { [$(copies!(of $a: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)),*] };
    (of $a:literal: $($b:literal)*) => { [$(copied::<$a, $b>),*] };
}

#[test]
fn a_line_that_was_copied_is_found_beside_a_cache_that_replaces_old_blocks() {
    let copies: [[Copied; 16]; 16] = copies!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    let _alone = alone(Rate::EACH_BLOCK);
    set_level(Level::Counters);
    let mut cache: Vec<Vec<u8>> = (0..100).map(|_| bounded()).collect();
    set_level(Level::Sampled);
    let mut kept = Vec::with_capacity(40 * 32);
    let leaks = watched(|_| {
        let (call, place) = (kept.len() * 157 % 256, kept.len() * 37 % cache.len());
        cache[place] = bounded();
        kept.push(copies[call / 16][call % 16]());
    });
    assert_eq!(leaks.verdict(), Verdict::Leaks, "{leaks}");
    let found: Vec<_> = leaks.iter().map(blocks).collect();
    assert_eq!(found, ["1280 * 1000"], "{leaks}");
    let [line] = &leaks.iter().collect::<Vec<_>>()[..] else { panic!("{leaks}") };
    assert_eq!(line.stacks.len(), 256, "{leaks}");
}
