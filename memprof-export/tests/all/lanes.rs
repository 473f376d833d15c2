//! The rows of calls.

use memprof_export::{end_ns, lanes};
use memprof_recording::document::OperationEvent;

/// Returns calls of (thread, start, end), in the order of their ends.
fn calls(spans: &[(u32, u64, u64)]) -> Vec<OperationEvent> {
    let call = |&(thread, start, end): &(u32, u64, u64)| {
        let row = format!("[1,{thread},{start},{end},0,0,0,null]");
        serde_json::from_str(&row).expect("it is a call")
    };
    spans.iter().map(call).collect()
}

/// Returns the calls of each row, as (thread, row, indices of the calls).
fn rows(spans: &[(u32, u64, u64)]) -> Vec<(u32, usize, Vec<usize>)> {
    let lanes = lanes(&calls(spans));
    lanes.into_iter().map(|lane| (lane.thread, lane.row, lane.calls)).collect()
}

#[test]
fn a_nested_call_is_below_its_parent() {
    let spans = [(1, 2, 3), (1, 4, 5), (1, 1, 6), (1, 7, 9)];
    assert_eq!(rows(&spans), [(1, 0, vec![2, 3]), (1, 1, vec![0, 1])]);
}

#[test]
fn a_call_that_begins_or_ends_with_its_parent_is_below_it() {
    // Each call is within the one after it, because the calls ended in this order.
    let spans = [(1, 1, 5), (1, 1, 9), (1, 1, 9)];
    assert_eq!(rows(&spans), [(1, 0, vec![2]), (1, 1, vec![1]), (1, 2, vec![0])]);
    let spans = [(1, 5, 9), (1, 1, 9)];
    assert_eq!(rows(&spans), [(1, 0, vec![1]), (1, 1, vec![0])]);
}

#[test]
fn overlapping_calls_use_the_first_free_row() {
    let spans = [(1, 0, 4), (1, 2, 6), (1, 3, 7), (1, 4, 8), (1, 6, 9)];
    assert_eq!(rows(&spans), [(1, 0, vec![0, 3]), (1, 1, vec![1, 4]), (1, 2, vec![2])]);
}

#[test]
fn a_call_may_begin_in_the_row_of_a_call_that_ends_then() {
    assert_eq!(rows(&[(1, 0, 5), (1, 5, 9)]), [(1, 0, vec![0, 1])]);
}

#[test]
fn calls_without_duration_need_no_row() {
    // These calls are in the row below the call around them, even a call that begins when the outer
    // call begins.
    let spans = [(1, 0, 0), (1, 5, 5), (1, 5, 5), (1, 0, 9), (1, 9, 9)];
    assert_eq!(rows(&spans), [(1, 0, vec![3, 4]), (1, 1, vec![0, 2, 1])]);
}

#[test]
fn after_a_clock_was_set_back_calls_have_no_duration() {
    let spans = [(1, 8, 3), (1, 8, 9), (1, u64::MAX, 0), (1, 0, u64::MAX)];
    assert_eq!(rows(&spans), [(1, 0, vec![3, 2]), (1, 1, vec![1]), (1, 2, vec![0])]);
    assert_eq!(calls(&spans).iter().map(end_ns).collect::<Vec<_>>(), [8, 9, u64::MAX, u64::MAX]);
}

#[test]
fn each_thread_has_its_own_rows() {
    let spans = [(7, 1, 2), (2, 1, 2), (7, 1, 3), (0, 1, 2)];
    let expected = [(0, 0, vec![3]), (2, 0, vec![1]), (7, 0, vec![2]), (7, 1, vec![0])];
    assert_eq!(rows(&spans), expected);
}

#[test]
fn no_calls_have_no_rows() {
    assert_eq!(rows(&[]), []);
}

/// Returns random calls, many of which overlap.
fn random(count: usize, threads: u32, longest: u64) -> Vec<OperationEvent> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut next = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let mut call = calls(&[(1, 0, 0)])[0];
    let call = |_| {
        call.thread = next(u64::from(threads)) as u32;
        call.start_ns = next(count as u64 * 10);
        call.end_ns = call.start_ns + next(longest);
        call
    };
    (0..count).map(call).collect()
}

/// Checks that each call is once in a row of its thread. When a call begins, the previous call of
/// its row has ended, and no row above is free.
#[test]
fn each_call_is_in_the_first_free_row() {
    let calls = random(2_000, 3, 400);
    let lanes = lanes(&calls);
    let mut occurrences = vec![0; calls.len()];
    for lane in &lanes {
        for &at in &lane.calls {
            occurrences[at] += 1;
            assert_eq!(calls[at].thread, lane.thread);
            for above in lanes.iter().filter(|one| one.thread == lane.thread && one.row < lane.row)
            {
                let covers = |&other: &usize| {
                    calls[other].start_ns <= calls[at].start_ns
                        && end_ns(&calls[other]) > calls[at].start_ns
                };
                assert!(above.calls.iter().any(covers), "row {} was free for {at}", above.row);
            }
        }
        let covered = |two: &[usize]| end_ns(&calls[two[0]]) <= calls[two[1]].start_ns;
        assert!(lane.calls.windows(2).all(covered), "row {} overlaps", lane.row);
    }
    assert!(occurrences.iter().all(|&times| times == 1));
}

/// `cargo test --profile bench -p memprof-export --test all million -- --ignored --nocapture`
#[test]
#[ignore = "prints its duration, which is meaningful only in an optimised build"]
fn a_million_calls() {
    for (threads, longest) in [(8, 400), (1, 4_000), (1, 40_000_000)] {
        let calls = random(1_000_000, threads, longest);
        let start = std::time::Instant::now();
        let lanes = lanes(&calls);
        println!("{} rows in {:?}", lanes.len(), start.elapsed());
        assert_eq!(lanes.iter().map(|lane| lane.calls.len()).sum::<usize>(), calls.len());
    }
}
