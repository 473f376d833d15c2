//! Guards that begin at one level and end at another.

use super::alone;
use crate::{block, find};
use memprof_heap::operation::OperationSite;
use memprof_heap::{Level, NotRecorded, operations, set_level};

#[test]
fn a_guard_made_at_level_off_counts_nothing() {
    static BEFORE: OperationSite = OperationSite::new("before", file!(), line!());
    static WITHIN: OperationSite = OperationSite::new("within", file!(), line!());
    let _alone = alone();
    set_level(Level::Off);
    assert_eq!(operations().unwrap_err(), NotRecorded::Counts);
    let inert = BEFORE.enter();
    set_level(Level::Counters);
    {
        let _within = WITHIN.enter();
        drop(block(10));
    }
    drop(inert);
    let all = operations().expect("it counts");
    assert!(all.iter().all(|of| of.name() != "before"), "{all}");
    assert_eq!(find("within").allocated_bytes, 10);
}

#[test]
fn a_guard_across_level_off_counts_the_rest() {
    static AROUND: OperationSite = OperationSite::new("around a gap", file!(), line!());
    let _alone = alone();
    {
        let _around = AROUND.enter();
        drop(block(100));
        set_level(Level::Off);
        drop(block(5000));
        set_level(Level::Counters);
        drop(block(20));
    }
    let around = find("around a gap");
    assert_eq!((around.calls, around.allocated_bytes, around.freed_bytes), (1, 120, 120));
}

#[test]
fn a_guard_dropped_at_level_off_leaves_nothing_running() {
    static ENDS: OperationSite = OperationSite::new("ends", file!(), line!());
    static AFTER: OperationSite = OperationSite::new("after", file!(), line!());
    let _alone = alone();
    let guard = ENDS.enter();
    drop(block(100));
    set_level(Level::Off);
    drop(guard);
    set_level(Level::Counters);
    {
        let _after = AFTER.enter();
        drop(block(7));
    }
    assert_eq!(find("after").allocated_bytes, 7);
    assert_eq!(find("ends").calls, 1);
}

#[test]
fn counts_of_operations_continue_across_levels() {
    static SAMPLED: OperationSite = OperationSite::new("goes on", file!(), line!());
    let _alone = alone();
    for level in [Level::Counters, Level::Sampled, Level::Counters] {
        set_level(level);
        let _operation = SAMPLED.enter();
        drop(block(1000));
    }
    let all = find("goes on");
    assert_eq!((all.calls, all.allocated_bytes, all.freed_blocks), (3, 3000, 3));
}
