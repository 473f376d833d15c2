//! Counting that is switched on while the program runs, off, and on again.

use crate::block;
use crate::own_process::in_own_process;
use memprof_heap::{Level, NotRecorded, Since, reset_peak, set_level, threads, totals};

#[test]
fn totals_begin_when_counting_is_switched_on() {
    in_own_process(|| {
        assert_eq!(totals().unwrap_err(), NotRecorded::Counts);
        assert_eq!(threads().unwrap_err(), NotRecorded::Counts);
        assert_eq!(reset_peak().unwrap_err(), NotRecorded::Counts);

        let older = block(50 << 20);
        set_level(Level::Counters);
        let first = totals().expect("it counts");
        assert!(matches!(first.since, Since::Ago(_)), "{first:?}");
        assert!(first.allocated_bytes < 10_000 && first.peak.bytes < 10_000, "{first}");

        // The free of an older block makes the net negative, not 0.
        drop(older);
        let freed = totals().expect("it counts");
        assert!((-(50 << 20)..-(49 << 20)).contains(&freed.live_bytes()), "{freed}");
        assert!(freed.live_blocks() < 100, "{freed}");
        assert!(freed.to_string().starts_with('−'), "{freed}");
        assert!(freed.peak.bytes < 10_000, "{freed}");

        let kept = block(10 << 20);
        set_level(Level::Off);
        assert_eq!(totals().unwrap_err(), NotRecorded::Counts);
        let unseen = block(30 << 20);

        // A new period begins here: neither the counts nor the peak of the first one belong to it.
        set_level(Level::Counters);
        let again = totals().expect("it counts");
        assert!(again.live_bytes().abs() < 10_000 && again.peak.bytes < 10_000, "{again}");
        assert!(again.allocated_bytes < 10_000 && again.freed_bytes < 10_000, "{again}");
        drop(block(5 << 20));
        drop((kept, unseen));
        let last = totals().expect("it counts");
        assert!((-(40 << 20)..-(39 << 20)).contains(&last.live_bytes()), "{last}");
        let error = last.peak.error_bytes;
        assert!(
            (5 << 20) - error <= last.peak.bytes && last.peak.bytes <= (5 << 20) + error,
            "{last}"
        );
    });
}
