//! A profiler's own memory is live, but belongs neither to the program nor to its peak.

use crate::block;
use crate::own_process::in_own_process;
use memprof_heap::hooks::unrecorded;
use memprof_heap::{Level, Rate, reset_peak, set_level, set_rate, sites, totals};

const MIB: usize = 1 << 20;

fn mib(number: i64) -> i64 {
    number << 20
}

/// Returns true if the difference is small enough to come from other allocations of the test
/// process.
fn is_about(bytes: i64, expected: i64) -> bool {
    bytes.abs_diff(expected) < 200_000
}

#[test]
fn memory_of_a_profiler_is_counted_apart() {
    in_own_process(|| {
        set_level(Level::Counters);
        let before = totals().expect("it counts");
        let own = block(3 * MIB);
        reset_peak().expect("it counts");
        let kept_by_profiler = unrecorded(|| {
            // Memory that is freed in the same work is not part of any peak either.
            drop(block(100 * MIB));
            let within = totals().expect("it counts");
            assert!(is_about(within.profiler_bytes, 0), "{within:?}");
            let kept = block(20 * MIB);
            let within = totals().expect("it counts");
            assert!(is_about(within.profiler_bytes, mib(20)), "{within:?}");
            // Another thread of the program continues to allocate.
            let other = std::thread::spawn(|| drop(block(7 * MIB)));
            other.join().expect("it doesn't panic");
            unrecorded(|| block(MIB)).len();
            kept
        });
        let after = totals().expect("it counts");
        let grown = after.live_bytes() - before.live_bytes();
        assert!(is_about(grown, mib(23)), "all is live: {grown}");
        assert!(is_about(after.profiler_bytes, mib(20)), "{after:?}");
        assert!(is_about(after.program_bytes() - before.program_bytes(), mib(3)), "{after:?}");
        let peak = after.peak.bytes.cast_signed() - before.program_bytes();
        let error = after.peak.error_bytes.cast_signed();
        assert!(peak >= mib(10) - error && peak < mib(11), "{peak}");

        set_rate(Rate::EACH_BLOCK);
        set_level(Level::Sampled);
        let more = unrecorded(|| block(5 * MIB));
        let sampled = sites().expect("samples are taken").live.value;
        assert!(sampled < 1e6, "{sampled}");
        // The lookup of sites reads megabytes of debug information, and frees them.
        let after = totals().expect("it counts");
        assert!(after.profiler_bytes < mib(27), "{after:?}");
        drop((own, kept_by_profiler, more));
    });
}
