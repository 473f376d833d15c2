//! The time of an estimate of many millions of texts.

use memprof::Profile;
use memprof::large::Budget;
use std::time::{Duration, Instant};

#[test]
#[ignore = "takes gigabytes: `cargo xtask estimates` runs it, with figures"]
fn a_hundred_million_texts_are_estimated_in_10_milliseconds() {
    let millions = std::env::var("MEMPROF_ESTIMATES_MILLIONS").ok();
    let millions: usize = millions.map_or(100, |count| count.parse().expect("it is a number"));
    // Every 16th text owns memory, so that the value fits into the memory of small machines.
    let text =
        |n: usize| if n.is_multiple_of(16) { "x".repeat(1 + n / 16 % 20) } else { String::new() };
    let value: Vec<String> = (0..millions * 1_000_000).map(text).collect();
    let owned: u64 = value.iter().map(|text| text.capacity() as u64).sum();
    let total = owned + 24 * value.len() as u64 + 24;
    let mut times = Vec::new();
    for _ in 0..10 {
        let budget = Budget::time(Duration::from_millis(10)).at_most(total - 24 + (64 << 20));
        let began = Instant::now();
        let estimate = Profile::estimate_named("texts", &value, budget);
        times.push(began.elapsed());
        assert!(estimate.total().contains(total), "{estimate}");
        assert!(!estimate.is_exact());
        println!("estimate: {estimate}");
    }
    times.sort_unstable();
    println!("time of {millions} million texts: {:?} (median), {:?} (longest)", times[5], times[9]);
}
