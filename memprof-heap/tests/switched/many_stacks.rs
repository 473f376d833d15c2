//! The table of call sites has space for many stacks. A new function still has a name after 40,000 of
//! them.

use crate::own_process::in_own_process;
use memprof_heap::site::Site;
use memprof_heap::{Level, Rate, set_level, set_rate, sites, totals};
use std::hint::black_box;

/// Levels of the recursion: there are 65,536 paths through it.
const DEPTH: u32 = 16;

#[inline(never)]
fn left(way: u32, depth: u32) -> usize {
    turn(way, depth) + 1
}

#[inline(never)]
fn right(way: u32, depth: u32) -> usize {
    turn(way, depth) + 2
}

/// Goes left or right by the bits of `way`, and allocates at the end.
fn turn(way: u32, depth: u32) -> usize {
    if depth == DEPTH {
        return black_box(vec![1_u8; 64]).len();
    }
    let next = if (way >> depth) & 1 == 0 { left } else { right };
    black_box(next)(way, depth + 1)
}

#[inline(never)]
fn a_new_function() -> Vec<u8> {
    black_box(vec![1; 1 << 20])
}

fn name_of(site: &Site) -> Option<&str> {
    site.location.as_ref()?.function.as_deref()
}

#[test]
fn after_40_000_stacks_a_new_function_is_named() {
    in_own_process(|| {
        set_rate(Rate::EACH_BLOCK);
        set_level(Level::Sampled);
        let tables = || totals().expect("it counts").profilers.table_bytes;
        let few = tables();
        for way in 0..40_000 {
            // The order is unrelated to the slots of the table.
            turn(way * 40_503 % (1 << DEPTH), 0);
        }
        let grown = tables() - few;
        assert!((1 << 20..36 << 20).contains(&grown), "{grown} bytes more for the stacks");
        let kept = a_new_function();
        let before = totals().expect("it counts");
        let sites = sites().expect("samples are taken");
        let after = totals().expect("it counts");
        let largest = sites.iter().next().expect("it is live");
        let name = largest.location.as_ref().map(ToString::to_string).unwrap_or_default();
        assert!(name.contains("a_new_function"), "{name}");
        assert!(largest.live.value >= 1_048_576.0, "{:?}", largest.live);
        let of_ways = |name: &str| name.contains("many_stacks::turn");
        let ways: Vec<_> = sites.iter().filter(|site| name_of(site).is_some_and(of_ways)).collect();
        let (allocated, stacks) = (
            ways.iter().map(|site| site.allocated_blocks.value),
            ways.iter().map(|site| site.stacks.len()),
        );
        // None of their blocks is live.
        assert_eq!((allocated.sum::<f64>(), stacks.sum::<usize>()), (40_000.0, 0));
        let is_full = |name: &str| name.contains("the table of call sites is full");
        assert!(!sites.iter().any(|site| name_of(site).is_some_and(is_full)), "{sites}");
        // The frames of 40,000 stacks would take 100 MB.
        let own = after.program_allocated_bytes() - before.program_allocated_bytes();
        assert!(own < 1 << 20, "{own} bytes are counted as the program's");
        drop(kept);
    });
}
