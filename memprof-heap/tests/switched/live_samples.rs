//! The samples of live blocks by address, compared with the sites and with a linear search.
#![expect(clippy::float_cmp, reason = "where each block is a sample, estimates are exact")]
#![expect(clippy::cast_precision_loss, reason = "amounts are far below 2⁵²")]

use crate::{alone, block};
use memprof_heap::hooks::unrecorded;
use memprof_heap::operation::OperationSite;
#[cfg(any(target_os = "linux", target_os = "android"))]
use memprof_heap::site::Names;
use memprof_heap::site::{LiveSamples, Sites, live_samples};
use memprof_heap::{Level, NotRecorded, Rate, current_thread, set_level, sites};
use memprof_test_support::wait_for;
#[cfg(any(target_os = "linux", target_os = "android"))]
use std::hint::black_box;

fn address(block: &[u8]) -> usize {
    block.as_ptr().addr()
}

fn now() -> LiveSamples {
    live_samples().expect("the level is Sampled")
}

/// Returns samples and sites of one moment, in which no other thread changed anything. Other tests
/// start processes meanwhile, for which they allocate a list of variables and free it again.
fn at_one_moment() -> (LiveSamples, Sites) {
    wait_for("samples and sites agree", || {
        let (before, sites) = (now(), sites().expect("the level is Sampled"));
        let addresses = |of: &LiveSamples| -> Vec<usize> {
            unrecorded(|| of.iter().map(|sample| sample.address).collect())
        };
        let is_one_moment = addresses(&before) == addresses(&now());
        (is_one_moment && before.len() as u64 == sites.live.samples).then_some((before, sites))
    })
}

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 as usize % most
    }
}

#[test]
fn live_samples_need_level_sampled() {
    let _alone = alone(Level::Sampled, Rate::EACH_BLOCK);
    set_level(Level::Counters);
    assert_eq!(live_samples().unwrap_err(), NotRecorded::Samples);
}

#[test]
fn sums_equal_the_sites_if_each_block_is_a_sample() {
    static OUTER: OperationSite = OperationSite::new("sampled outer", file!(), line!());
    static INNER: OperationSite = OperationSite::new("sampled inner", file!(), line!());
    let _alone = alone(Level::Sampled, Rate::EACH_BLOCK);
    let mut kept: Vec<Vec<u8>> = unrecorded(|| Vec::with_capacity(300));
    {
        let _outer = OUTER.enter();
        kept.extend((1..100).map(block));
        let _inner = INNER.enter();
        kept.extend((100..300).map(block));
    }
    let all = |_: usize| true;
    let (samples, sites) = at_one_moment();
    assert_eq!(samples.total_bytes(all), sites.live);
    assert_eq!(samples.iter().map(|sample| sample.blocks.value).sum::<f64>(), samples.len() as f64);
    assert_eq!(samples.iter().map(|sample| sample.size as f64).sum::<f64>(), sites.live.value);

    let places = samples.by_site(all);
    let sums = |of: &[memprof_heap::site::Site]| of.iter().map(|site| site.live.value).sum::<f64>();
    assert_eq!(sums(&places), sites.live.value);
    assert!(places.is_sorted_by(|a, b| a.live.value >= b.live.value));
    for most in [0, 1, 2, places.len()] {
        let (largest, others) = samples.largest_sites(most, all);
        let lines = |of: &[memprof_heap::site::Site]| {
            let line = |site: &memprof_heap::site::Site| format!("{site:?}");
            of.iter().map(line).collect::<Vec<_>>()
        };
        assert_eq!(lines(&largest), lines(&places[..most.min(places.len())]));
        assert_eq!(others.is_some(), most < places.len());
        let others = others.map_or(0.0, |others| others.value);
        assert_eq!(sums(&largest) + others, sites.live.value);
    }
    let here = places[0].location.as_ref().and_then(|frame| frame.function.clone());
    assert!(here.expect("there are names").contains("block"));

    // These checks compare the blocks that a value owns with the rest.
    let found: Vec<usize> =
        kept.iter().map(|block| samples.find(address(block)).expect("it is one")).collect();
    let bytes: f64 = (1..300).map(f64::from).sum();
    let is_found = |index: usize| found.contains(&index);
    assert_eq!(samples.total_bytes(is_found).value, bytes);
    let by_operation = samples.by_operation(is_found);
    let amounts: Vec<_> = by_operation
        .iter()
        .map(|of| (of.names.join(";"), of.bytes.value, of.blocks.value))
        .collect();
    let inner = (100..300).map(f64::from).sum();
    let wanted = [
        ("sampled outer;sampled inner".to_owned(), inner, 200.0),
        ("sampled outer".to_owned(), bytes - inner, 99.0),
    ];
    assert_eq!(amounts, wanted);
    let sample = samples.get(found[0]).expect("it was found");
    assert_eq!(sample.operation, by_operation[1].path);
    let rest = |index: usize| !is_found(index);
    assert_eq!(sums(&samples.by_site(rest)) + bytes, sites.live.value);
    assert!(samples.by_site(|_| false).is_empty() && samples.by_operation(|_| false).is_empty());
    assert_eq!(samples.get(samples.len()), None);
    drop(kept);
}

#[test]
fn find_agrees_with_a_linear_search_of_the_samples() {
    let mut random = Random(0x5EED_5EED_5EED);
    let _alone = alone(Level::Sampled, Rate::every(20_000));
    let mut kept: Vec<Vec<u8>> = unrecorded(|| Vec::with_capacity(2000));
    for number in 0..2000 {
        let size = match number % 50 {
            0 => 1 + random.below(5 << 20),
            1..10 => 1 + random.below(100_000),
            _ => 1 + random.below(300),
        };
        kept.push(block(size));
    }
    while kept.len() > 1000 {
        drop(kept.swap_remove(random.below(kept.len())));
    }
    let samples = now();
    assert!(samples.len() > 50, "{}", samples.len());
    let all: Vec<_> = unrecorded(|| samples.iter().collect());
    assert!(all.is_sorted_by_key(|sample| sample.address));
    let one_by_one = |address: usize| {
        all.iter().position(|of| (of.address..of.address + of.size).contains(&address))
    };
    let mut found = 0;
    let mut check = |address: usize| {
        let index = samples.find(address);
        assert_eq!(index, one_by_one(address), "{address:#x}");
        found += usize::from(index.is_some());
    };
    for sample in &all {
        let ends = [sample.address, sample.address + sample.size];
        for end in ends {
            for at in end.saturating_sub(2)..end + 3 {
                check(at);
            }
        }
    }
    for block in &kept {
        check(address(block));
        check(address(block) + random.below(block.capacity()));
    }
    for at in [0, 1, usize::MAX, usize::MAX / 2, 4096] {
        check(at);
    }
    assert!(found > 100, "{found}");
    drop(kept);
}

#[test]
fn neither_queries_nor_unrecorded_blocks_are_sampled() {
    let _alone = alone(Level::Sampled, Rate::EACH_BLOCK);
    let held = current_thread().expect("it counts").live_bytes();
    let own = unrecorded(|| block(10_000));
    let kept = block(7);
    let samples = now();
    assert_eq!(samples.find(address(&own)), None);
    assert!(samples.find(address(&kept)).is_some());
    let more = now();
    assert!(!samples.iter().chain(more.iter()).any(|sample| sample.size >= 10_000));
    drop((samples, more));
    // The block is counted all the same.
    assert_eq!(current_thread().expect("it counts").live_bytes(), held + 10_007);
    drop((own, kept));
}

/// This function is not [`block`], so its blocks have a place of their own.
#[cfg(any(target_os = "linux", target_os = "android"))]
#[inline(never)]
fn other_block(bytes: usize) -> Vec<u8> {
    black_box(Vec::with_capacity(bytes + 1))
}

/// Returns the addresses of the program's file in memory.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn addresses_of_the_program() -> Vec<std::ops::Range<usize>> {
    let program = std::env::current_exe().expect("the program has a path");
    let maps = std::fs::read_to_string("/proc/self/maps").expect("the kernel lists the memory");
    let own = maps.lines().filter(|line| line.ends_with(&*program.to_string_lossy()));
    let hexadecimal = |text: &str| usize::from_str_radix(text, 16).expect("it is an address");
    let range = |line: &str| {
        let (start, rest) = line.split_once('-').expect("a line begins with a range");
        let (end, _) = rest.split_once(' ').expect("access follows the range");
        hexadecimal(start)..hexadecimal(end)
    };
    own.map(range).collect()
}

#[cfg(any(target_os = "linux", target_os = "android"))]
#[test]
fn call_sites_without_names_keep_their_addresses_apart() {
    let _alone = alone(Level::Sampled, Rate::EACH_BLOCK);
    let kept: Vec<_> = (0..20).map(|_| (block(1000), other_block(3000))).collect();
    let samples = now().with_names(Names::Off);
    let ours: Vec<usize> = unrecorded(|| {
        let of = |block: &Vec<u8>| samples.find(address(block)).expect("each block is sampled");
        kept.iter().flat_map(|(one, other)| [of(one), of(other)]).collect()
    });
    let places = samples.by_site(|index| ours.contains(&index));
    let live: Vec<_> = places.iter().map(|place| place.live.value).collect();
    assert_eq!(live, [20.0 * 3001.0, 20.0 * 1000.0]);
    let program = addresses_of_the_program();
    for place in &places {
        assert_eq!(place.location, None);
        let frames = &place.stacks[0].frames;
        assert!(frames.iter().all(|frame| frame.function.is_none() && frame.file.is_none()));
        let is_own = |address: usize| program.iter().any(|range| range.contains(&address));
        let own = frames.iter().filter(|frame| is_own(frame.address)).count();
        assert!(own > 5, "{frames:?}");
    }
    drop(kept);
}
