//! The memory that a watch takes for many call stacks. Their table belongs to the process and is
//! never emptied. This test fills most of it, so it has a process of its own.

use crate::own_process::in_own_process;
use memprof_heap::leak::LeakWatch;
use memprof_heap::site::Names;
use memprof_heap::{Level, Rate, measure, set_level, set_rate, totals};
use std::hint::black_box;

/// Allocates a block at the end of a chain of calls. Two bits of `path` select each of them.
#[inline(never)]
fn call<const NUMBER: usize>(path: u32, depth: u32) -> Vec<u8> {
    let next = [call::<0>, call::<1>, call::<2>, call::<3>][path as usize % 4];
    black_box(if depth == 0 { vec![1; 64 + NUMBER] } else { next(path / 4, depth - 1) })
}

#[test]
fn a_watch_of_many_call_stacks_is_bounded() {
    in_own_process(|| {
        set_rate(Rate::EACH_BLOCK);
        set_level(Level::Sampled);
        let held = || totals().expect("it is counted").profiler_bytes;
        let before = held();
        let watch = LeakWatch::start().expect("samples are taken").with_names(Names::Off);
        for round in 0..15 {
            let kept: Vec<_> = (0..3_500).map(|path| call::<0>(round * 3_500 + path, 8)).collect();
            watch.observe().expect("samples are taken");
            drop(kept);
        }
        let own = held() - before;
        let (leaks, measured) = measure(|| watch.leaks()).expect("it is counted");
        assert!(leaks.is_empty(), "{leaks}");
        let report = measured.peak_bytes;
        assert!(own < 9 << 20 && report < 11 << 20, "{own} bytes, and {report} for the report");
    });
}
