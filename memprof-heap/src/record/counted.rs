//! The counts of the program and of profilers: up to now, and at the moment when counting began.

use crate::record::counters::{CountingStart, Counts, Record, Records};
use crate::record::shard::Split;
use crate::record::sync::{AtomicI64, AtomicU64};
use crate::record::system::Since;
use crate::record::{process, threads};

static STARTS: Records = Records {
    version: AtomicU64::new(0),
    records: [const {
        Record {
            moment: AtomicU64::new(0),
            program: [const { AtomicU64::new(0) }; 4],
            live: AtomicI64::new(0),
            profilers: [const { AtomicU64::new(0) }; 4],
            profilers_live: AtomicI64::new(0),
        }
    }; 2],
};

/// The counts up to now, and those at the moment when counting began.
pub(crate) struct Counted {
    pub(crate) start: CountingStart,
    pub(crate) program: Counts,
    pub(crate) profilers: Counts,
}

/// Begins counting at `moment`: stores the counts so far, which later results leave out.
pub(crate) fn begin(moment: u64) {
    let program = program();
    STARTS.replace(CountingStart {
        moment,
        program,
        live: program.live(),
        profilers: profilers(),
        profilers_live: process::reset_profilers_peak(),
    });
}

/// Returns the bytes that were live when counting began.
pub(crate) fn live_at_begin() -> i64 {
    STARTS.live()
}

/// Returns the time since which the process counts.
pub(crate) fn counted_since() -> Since {
    Since::of(STARTS.read().0.moment)
}

/// Reads the counts up to now.
pub(crate) fn read() -> Counted {
    loop {
        let (start, version) = STARTS.read();
        let (program, profilers) = (program(), profilers());
        // Read again if counting began again during the reads, which is rare.
        if STARTS.read().1 == version {
            return Counted { start, program, profilers };
        }
    }
}

/// Returns the program's counts over all threads. Running threads may be read a few blocks apart.
/// Freed bytes are read first, so that a block that passes from thread to thread doesn't make live
/// bytes negative.
fn program() -> Counts {
    sum(|split| split.program)
}

/// Returns the counts of profilers over all threads.
fn profilers() -> Counts {
    sum(|split| split.profilers)
}

fn sum(of: fn(Split) -> Counts) -> Counts {
    let shards = || threads::all().map(move |shard| of(shard.split()));
    Counts::of_all(|| shards().chain([of(process::unsharded_split())]))
}
