//! The results of a watch that has too few data, and the memory that a watch takes.

use super::{alone, block, pause, watched};
use crate::own_process::in_own_process;
use expect_test::expect;
use memprof_heap::leak::{LeakError, LeakWatch, Verdict, check_no_leak};
use memprof_heap::{Level, NotRecorded, Rate, level, set_level, set_rate, sites, totals};

#[test]
fn without_samples_there_is_no_watch() {
    let _alone = alone(Rate::ADAPTIVE);
    let watch = LeakWatch::start().expect("samples are taken");
    set_level(Level::Counters);
    assert_eq!(LeakWatch::start().map(drop), Err(NotRecorded::Samples));
    assert_eq!(watch.observe(), Err(NotRecorded::Samples));
    set_level(Level::Sampled);
    assert_eq!(watch.observe(), Ok(()));
    assert!(watch.leaks().restarted);
}

#[test]
fn too_few_observations_are_not_taken_for_no_leaks() {
    let _alone = alone(Rate::EACH_BLOCK);
    let mut kept = Vec::with_capacity(10);
    let leaks = watched(3, |_| kept.push(block(100_000)));
    assert!(leaks.is_empty() && leaks.verdict() == Verdict::Unknown);
    let text = leaks.to_string();
    let (before, after) = text.split_once(" in ").expect("a time");
    let after = after.split_once(" s; ").expect("seconds").1;
    expect!["unknown, too few observations: 3"].assert_eq(before);
    expect!["5 are needed"].assert_eq(after);
}

#[test]
fn a_watch_that_starts_again_forgets_what_it_saw() {
    let _alone = alone(Rate::EACH_BLOCK);
    let watch = LeakWatch::start().expect("samples are taken");
    let mut kept = Vec::with_capacity(100);
    for round in 0..20 {
        if round == 10 {
            set_level(Level::Counters);
            set_level(Level::Sampled);
        }
        kept.push(block(100_000));
        pause();
        watch.observe().expect("samples are taken");
    }
    let leaks = watch.leaks();
    assert!(leaks.restarted);
    assert_eq!(leaks.observations, 9);
    // Threads of the test harness may free memory meanwhile.
    assert!((leaks.process_bytes - 900_000).abs() < 10_000, "{leaks}");
}

#[test]
fn a_long_watch_is_bounded_and_does_not_count_itself() {
    in_own_process(|| {
        set_rate(Rate::EACH_BLOCK);
        set_level(Level::Sampled);
        let before = totals().expect("it is counted").live_bytes();
        let watch = LeakWatch::start().expect("samples are taken");
        for _ in 0..3000 {
            watch.observe().expect("samples are taken");
        }
        let own = totals().expect("it is counted").live_bytes() - before;
        assert!(own < 4 << 20, "{own} bytes");
        let leaks = watch.leaks();
        // The first lookup of names loads debug information, which must not count as the program's
        // memory either.
        watch.observe().expect("samples are taken");
        let again = watch.leaks();
        for leaks in [leaks, again] {
            assert!(leaks.is_empty() && !leaks.process_grows, "{leaks}");
            assert!(leaks.process_bytes.abs() < 10_000, "{leaks}");
        }
    });
}

#[test]
fn a_search_for_a_leak_leaves_level_and_rate_as_they_were() {
    let _alone = alone(Rate::every(16 * 1024));
    let mut kept = Vec::with_capacity(1000);
    for _ in 0..2 {
        let found = check_no_leak(10, || kept.push(block(1000)));
        let Err(LeakError::Leaks(leak)) = found else { panic!("{found:?}") };
        assert_eq!(leak.sites[0].bytes_per_round.to_string(), "1000");
        assert_eq!(level(), Level::Sampled);
        assert_eq!(sites().expect("samples are taken").mean_bytes, 16 * 1024);
    }
}

#[inline(never)]
fn many_blocks(kept: &mut Vec<Box<[u8]>>, blocks: u32) {
    for _ in 0..blocks {
        kept.push(vec![1_u8; 100].into_boxed_slice());
    }
}

#[test]
fn the_call_site_of_more_blocks_than_samples_is_named() {
    let _alone = alone(Rate::ADAPTIVE);
    for (blocks, is_exact) in [(150, true), (1000, true), (5000, false)] {
        let mut kept = Vec::with_capacity(1_000_000);
        let Err(LeakError::Leaks(leak)) = check_no_leak(10, || many_blocks(&mut kept, blocks))
        else {
            panic!("{blocks} blocks a round leak");
        };
        let site = leak.sites.first().expect("the call site");
        let function = site.location.as_ref().and_then(|frame| frame.function.as_deref());
        assert!(function.is_some_and(|name| name.contains("many_blocks")), "{function:?}");
        let share = site.bytes_per_round / (100.0 * f64::from(blocks));
        assert!((share - 1.0).abs() < if is_exact { 1e-9 } else { 0.2 }, "{blocks}: {share}");
    }
}
