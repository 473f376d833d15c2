//! Each figure of an operation.

use super::{block, find, flow};
use crate::own_process::in_own_process;
use memprof_heap::{operation, totals};

#[test]
fn bytes_and_blocks_are_those_of_the_thread_meanwhile() {
    let older = block(5000);
    let kept = {
        let _operation = operation!("figures");
        let mut kept = block(100);
        kept.reserve_exact(300);
        drop(older);
        kept
    };
    let figures = find("figures");
    assert_eq!(flow(&figures), [400, 2, 5100, 2]);
    assert_eq!((figures.calls, figures.net_bytes()), (1, -4700));
    assert!(figures.file.ends_with("operations/figures.rs"), "{}", figures.file);
    drop(kept);
}

#[test]
fn average_and_largest_are_of_calls() {
    let mut kept = Vec::with_capacity(2);
    for bytes in [1000, 4000] {
        let _operation = operation!("average");
        kept.push(block(bytes));
    }
    let average = find("average");
    assert_eq!(average.average_net_bytes(), Some(2500.0));
    assert_eq!((average.max_net_bytes, average.peak), (4000, 4000));
}

#[test]
fn the_largest_change_of_calls_that_only_free_is_negative() {
    for bytes in [1000, 4000] {
        let older = block(bytes);
        let _operation = operation!("frees");
        drop(older);
    }
    let frees = find("frees");
    assert_eq!((frees.max_net_bytes, frees.peak, frees.net_bytes()), (-1000, 0, -5000));
}

#[test]
fn an_inner_operation_is_part_of_the_outer_one_and_not_its_own() {
    {
        let _outer = operation!("outer");
        drop(block(10));
        {
            let _inner = operation!("inner");
            drop(block(200));
        }
        drop(block(3));
    }
    let outer = find("outer");
    assert_eq!(flow(&outer), [213, 3, 213, 3]);
    assert_eq!(outer.own_allocated_bytes, 13);
    let inner = find("outer;inner");
    assert_eq!((flow(&inner), inner.own_allocated_bytes), ([200, 1, 200, 1], 200));
}

#[test]
fn an_inner_peak_below_the_outer_ones_is_exact() {
    {
        let _outer = operation!("high");
        drop(block(900_000));
        let held = block(1000);
        {
            let _inner = operation!("low inner");
            drop(block(70));
        }
        drop(held);
    }
    assert_eq!([find("high").peak, find("high;low inner").peak], [900_000, 70]);
}

#[test]
fn an_inner_peak_above_the_outer_ones_is_exact() {
    {
        let _outer = operation!("low");
        drop(block(10));
        let held = block(1000);
        {
            let _inner = operation!("high inner");
            drop(block(700_000));
        }
        drop(held);
        drop(block(20));
    }
    assert_eq!([find("low").peak, find("low;high inner").peak], [701_000, 700_000]);
}

#[test]
fn an_outer_peak_after_the_inner_operation_is_exact() {
    {
        let _outer = operation!("later");
        {
            let _inner = operation!("earlier");
            drop(block(500));
        }
        drop(block(40_000));
    }
    assert_eq!([find("later").peak, find("later;earlier").peak], [40_000, 500]);
}

#[test]
fn an_operation_is_counted_for_each_outer_one() {
    fn shared(bytes: usize) {
        let _operation = operation!("shared");
        drop(block(bytes));
    }
    {
        let _one = operation!("one");
        shared(10);
        shared(10);
    }
    {
        let _other = operation!("another");
        shared(500);
    }
    shared(7);
    let calls = ["one;shared", "another;shared", "shared"].map(find);
    assert_eq!(calls.each_ref().map(|of| of.calls), [2, 1, 1]);
    assert_eq!(calls.each_ref().map(|of| of.allocated_bytes), [20, 500, 7]);
}

#[test]
fn live_before_and_after_are_those_of_the_call_that_kept_most() {
    in_own_process(|| {
        let start = totals().expect("the level is Counters").live_bytes();
        let mut kept = Vec::with_capacity(10);
        for call in 1..=10 {
            let _operation = operation!("keeps");
            kept.push(block(10_000_000 * if call == 4 { 3 } else { 1 }));
        }
        let keeps = find("keeps");
        assert_eq!(keeps.live_after - keeps.live_before, keeps.max_net_bytes);
        let live_after = keeps.live_after - start;
        assert!((60_000_000..61_000_000).contains(&live_after), "{live_after}");
    });
}
