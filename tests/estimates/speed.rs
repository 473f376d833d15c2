//! The time of estimates of many millions of texts, and of values with many names.

use memprof::large::Budget;
use memprof::{MemoryProfile, Profile};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

#[derive(MemoryProfile)]
struct Named {
    #[profile(keyed(cap = 1_000_000))]
    names: BTreeMap<u32, String>,
    slices: BTreeMap<u32, Vec<String>>,
    rows: Vec<Row>,
}

#[derive(Clone, MemoryProfile)]
struct Row {
    #[profile(keyed(cap = 1_000_000))]
    names: BTreeMap<u32, String>,
}

#[test]
fn an_estimate_and_its_views_are_linear_in_names() {
    let time = |names: u32| {
        let texts = |range: core::ops::Range<u32>| range.map(|n| (n, n.to_string())).collect();
        let slices = (0..names / 20).map(|n| (n, vec![String::from("alpha"); 200])).collect();
        let rows = (0..names / 10).map(|n| Row { names: texts(n * 10..n * 10 + 10) }).collect();
        let value = Named { names: texts(0..names), slices, rows };
        let round = || {
            let budget = Budget::elements(u64::from(names) * 4).seed(7).at_most(1 << 40);
            let began = Instant::now();
            let estimate = Profile::estimate(&value, budget);
            assert!(estimate.drawn_elements() > u64::from(names) / 100);
            assert!(estimate.leaves().count() > names as usize);
            assert!(estimate.tree().widest(100).min_share(0.0).to_string().lines().count() > 100);
            began.elapsed()
        };
        (0..3).map(|_| round()).min().unwrap_or_default()
    };
    // In quadratic time, 20 times the names would take 400 times as long. Even on a loaded machine,
    // linear time is far from the limit.
    let (few, many) = (time(1_000), time(20_000));
    assert!(many < few * 120, "{few:?} {many:?}");
}

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
