//! Ages of freed blocks distinguish temporary blocks from those that are kept for long.

use super::{now, sampling};
use memprof_heap::Rate;
use memprof_heap::site::{Lifetimes, Site};
use std::hint::black_box;
use std::thread::sleep;
use std::time::Duration;

const KEPT: Duration = Duration::from_millis(50);

#[inline(never)]
fn temporary() {
    drop(black_box(vec![0_u8; 1000]));
}

#[inline(never)]
fn kept() -> Vec<u8> {
    // Without `black_box`, an optimised call would replace this function on the stack.
    black_box(vec![0; 2000])
}

#[inline(never)]
fn moved(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.reserve_exact(100_000);
    bytes
}

fn lifetimes(of: &str) -> Lifetimes {
    let is_it = |site: &&Site| {
        let location = site.location.as_ref();
        location.is_some_and(|frame| frame.function.as_deref().unwrap_or_default().ends_with(of))
    };
    let sites = now();
    sites.iter().find(is_it).unwrap_or_else(|| panic!("{of} is not in {sites}")).lifetimes
}

#[test]
fn short_and_long_lives_are_told_apart() {
    let _sampling = sampling(Rate::EACH_BLOCK);
    let long = [(); 30].map(|()| kept());
    (0..100).for_each(|_| temporary());
    sleep(KEPT);
    assert_eq!(lifetimes("::kept").samples(), 0, "all of them are live");
    drop(black_box(long));
    let (short, long) = (lifetimes("::temporary"), lifetimes("::kept"));
    assert_eq!((short.samples(), long.samples()), (100, 30));
    assert!(short.mean().expect("some were freed") < KEPT / 2, "{short:?}");
    assert!(long.mean().expect("all were freed") >= KEPT, "{long:?}");
    let (least, most) = long.interval().expect("there are enough");
    assert!(least <= most && most >= KEPT, "{long:?}");
}

#[test]
fn the_table_has_lifetimes_of_twenty_samples_if_most_memory_was_freed() {
    let _sampling = sampling(Rate::EACH_BLOCK);
    let held = kept();
    let line_after = |freed: usize| {
        (0..freed).for_each(|_| drop(black_box(kept())));
        let table = now().to_string();
        let line = table.lines().find(|line| line.contains("::kept ("));
        line.unwrap_or_else(|| panic!("kept is not in {table}")).to_owned()
    };
    let [few, enough] = [19, 1].map(line_after);
    assert!(!few.contains("lived"), "{few}");
    assert!(enough.contains("), freed blocks lived "), "{enough}");
    let more = [(); 10].map(|()| kept());
    let line = line_after(0);
    assert!(!line.contains("lived"), "a third of it is live: {line}");
    drop((held, more));
}

#[test]
fn a_block_that_is_moved_ends_there() {
    let _sampling = sampling(Rate::EACH_BLOCK);
    let bytes = moved(kept());
    assert_eq!(lifetimes("::kept").samples(), 1);
    assert_eq!(lifetimes("::moved").samples(), 0);
    drop(black_box(bytes));
    assert_eq!(lifetimes("::moved").samples(), 1);
}
