//! Estimates are unbiased, and their intervals are correct.
#![expect(clippy::float_cmp, reason = "where each block is a sample, they are exact")]

use super::trials::{TRIALS, Trials};
use super::{live_of, now, sampling};
use crate::block;
use crate::random::Random;
use memprof_heap::__private::{estimates, seed};
use memprof_heap::site::{Estimate, Site};
use memprof_heap::{Level, Rate, set_level, set_rate};
use memprof_test_support::{rounds, wait_for};

/// Returns the sizes of small and medium blocks and a few large ones. 1,000 of them are 2.3 MB.
fn mixed_sizes(random: &mut Random, count: usize) -> Vec<usize> {
    (0..count)
        .map(|_| match random.below(100) {
            0..80 => 16 + random.below(500),
            80..98 => 500 + random.below(8000),
            _ => 20_000 + random.below(80_000),
        } as usize)
        .collect()
}

/// Creates blocks of mixed sizes.
fn heap(random: &mut Random, count: usize) -> Vec<Vec<u8>> {
    mixed_sizes(random, count).into_iter().map(block).collect()
}

fn bytes(blocks: &[Vec<u8>]) -> u64 {
    blocks.iter().map(|block| block.capacity() as u64).sum()
}

/// Restarts sampling, with the random numbers of a seed.
fn begin(rate: Rate, number: u64) {
    set_level(Level::Off);
    set_rate(rate);
    set_level(Level::Sampled);
    seed(number);
}

/// Returns the bytes of the vector that holds the blocks, which is a block too.
fn list<T>(blocks: &Vec<T>) -> u64 {
    (blocks.capacity() * size_of::<T>()) as u64
}

#[test]
fn live_bytes_are_estimated_without_bias() {
    let _sampling = sampling(Rate::every(8192));
    let mut random = Random::new(1);
    let mut trials = Trials::default();
    for number in 0..TRIALS {
        begin(Rate::every(8192), number);
        let mut blocks = heap(&mut random, 1000);
        let list = list(&blocks);
        blocks.retain(|_| random.below(3) > 0);
        trials.add(estimates().live, bytes(&blocks) + list);
    }
    trials.assert_unbiased("live");
    trials.assert_covered("live");
}

#[test]
fn allocated_bytes_are_estimated_without_bias() {
    let _sampling = sampling(Rate::every(8192));
    let mut random = Random::new(2);
    let mut trials = Trials::default();
    for number in 0..TRIALS {
        begin(Rate::every(8192), number);
        let sizes = mixed_sizes(&mut random, 500);
        let all = sizes.iter().sum::<usize>() + sizes.capacity() * size_of::<usize>();
        for size in sizes {
            drop(block(size));
        }
        trials.add(estimates().allocated, all as u64);
    }
    trials.assert_unbiased("allocated");
    trials.assert_covered("allocated");
}

#[test]
fn numbers_of_blocks_are_estimated_without_bias() {
    let _sampling = sampling(Rate::every(4096));
    let mut random = Random::new(3);
    let mut trials = Trials::default();
    for number in 0..TRIALS {
        begin(Rate::every(4096), number);
        let blocks = heap(&mut random, 1000);
        let live = estimates().live_blocks;
        // The list of blocks is a block too.
        trials.add(live, blocks.len() as u64 + 1);
    }
    trials.assert_unbiased("blocks");
    trials.assert_covered("blocks");
}

#[test]
fn blocks_that_grew_and_shrank_are_estimated_without_bias() {
    let _sampling = sampling(Rate::every(8192));
    let mut random = Random::new(4);
    let mut trials = Trials::default();
    for number in 0..TRIALS {
        begin(Rate::every(8192), number);
        let mut blocks = heap(&mut random, 500);
        for block in &mut blocks {
            match random.below(3) {
                0 => block.reserve_exact(2 * block.capacity() + random.below(3000) as usize),
                1 => block.shrink_to(block.capacity() / 2),
                _ => {}
            }
        }
        trials.add(estimates().live, bytes(&blocks) + list(&blocks));
    }
    trials.assert_unbiased("reallocated");
    trials.assert_covered("reallocated");
}

#[test]
fn a_change_of_the_mean_leaves_estimates_unbiased() {
    let _sampling = sampling(Rate::every(4096));
    let mut random = Random::new(5);
    let mut trials = Trials::default();
    for number in 0..TRIALS {
        begin(Rate::every(32 * 1024), number);
        let mut blocks = heap(&mut random, 400);
        set_rate(Rate::every(4096));
        let more = heap(&mut random, 400);
        set_rate(Rate::every(16 * 1024));
        let last = heap(&mut random, 200);
        let lists = list(&blocks) + list(&more) + list(&last);
        blocks.retain(|_| random.below(2) > 0);
        trials.add(estimates().live, bytes(&blocks) + bytes(&more) + bytes(&last) + lists);
    }
    trials.assert_unbiased("means");
    trials.assert_covered("means");
}

#[test]
fn samples_that_are_thinned_leave_estimates_unbiased() {
    let count = rounds(20, 50);
    let _sampling = sampling(Rate::every(64));
    let mut random = Random::new(6);
    let (mut trials, mut blocks_trials) = (Trials::default(), Trials::default());
    for number in 0..count {
        begin(Rate::every(64), number);
        // At first, more than 4,096 of these are samples.
        let mut blocks: Vec<_> =
            (0..6000).map(|_| block(16 + random.below(400) as usize)).collect();
        let list = list(&blocks);
        blocks.retain(|_| random.below(4) > 0);
        if number == 0 {
            let sites = now();
            assert!(sites.mean_bytes > 64 && sites.lost_samples < 40, "{sites}");
        }
        trials.add(estimates().live, bytes(&blocks) + list);
        blocks_trials.add(estimates().live_blocks, blocks.len() as u64 + 1);
    }
    trials.assert_unbiased("thinned");
    blocks_trials.assert_unbiased("thinned blocks");
}

#[test]
fn places_add_up_to_the_estimates() {
    let _sampling = sampling(Rate::every(1024));
    let blocks = heap(&mut Random::new(8), 1000);
    // The threads of the test harness may allocate in between.
    let (all, sites) = wait_for("the samples stay the same", || {
        let (before, sites, after) = (estimates(), now(), estimates());
        let unchanged =
            before.live == after.live && before.allocated.value == after.allocated.value;
        unchanged.then_some((before, sites))
    });
    let sum = |of: fn(&Site) -> Estimate| sites.iter().map(of).sum::<Estimate>().value;
    let places = [sum(|site| site.live), sum(|site| site.live_blocks), sum(|site| site.allocated)];
    let wanted = [all.live.value, all.live_blocks.value, all.allocated.value];
    for (place, wanted) in places.into_iter().zip(wanted) {
        assert!((place / wanted - 1.0).abs() < 1e-9, "{place}, not {wanted}");
    }
    drop(blocks);
}

#[test]
fn with_each_block_a_sample_estimates_are_exact() {
    let _sampling = sampling(Rate::EACH_BLOCK);
    let mut blocks = heap(&mut Random::new(7), 1000);
    let all = bytes(&blocks);
    blocks.truncate(300);
    let live = live_of("switched/main.rs", "block");
    assert_eq!(live.value, bytes(&blocks) as f64);
    assert_eq!((live.standard_error(), live.samples), (0.0, 300));
    let sites = now();
    let site = sites.iter().find(|site| site.live == live).expect("it is the place of `block`");
    assert_eq!((site.allocated.value, site.allocated.standard_error()), (all as f64, 0.0));
    assert_eq!((site.live_blocks.value, site.allocated_blocks.value), (300.0, 1000.0));
}

#[test]
fn queries_are_not_sampled() {
    let _sampling = sampling(Rate::EACH_BLOCK);
    let asked = || {
        let sites = now();
        let own = |site: &&Site| {
            site.location.as_ref().is_some_and(|place| {
                place
                    .function
                    .as_deref()
                    .is_some_and(|name| name.contains("queries_are_not_sampled"))
            })
        };
        sites.iter().filter(own).map(|site| site.allocated.value).sum::<f64>()
    };
    let _largest = memprof_heap::largest(10).expect("the level is Sampled");
    let _operations = memprof_heap::operations().expect("the level is Sampled");
    let _totals = memprof_heap::totals().expect("the level is Sampled");
    assert_eq!(asked(), 0.0);
}
