//! Caches whose weights limit them to 64 MiB, compared with the heap bytes that they use.

use get_size2::GetSize;
use memprof::heap::{Level, measure};
use memprof::weigh::Entry;
use std::sync::Arc;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system().starting_at(Level::Counters);

/// The bound of each cache.
const BOUND: u64 = 64 << 20;

/// The largest accepted difference from the bound, in per cent of the bound.
const MARGIN: f64 = 5.0;

/// Sizes that keys and values have: the smallest, and the range above it.
#[derive(Clone, Copy)]
struct Sizes {
    name: &'static str,
    key: (usize, usize),
    value: (usize, usize),
}

const SIZES: [Sizes; 3] = [
    Sizes { name: "small", key: (4, 12), value: (8, 100) },
    Sizes { name: "mixed", key: (8, 60), value: (16, 4_000) },
    Sizes { name: "large", key: (8, 60), value: (20_000, 100_000) },
];

/// Returns keys and values whose bytes are about twice the bound.
fn entries(sizes: Sizes) -> impl Iterator<Item = (String, Vec<u8>)> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move |(least, range): (usize, usize)| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        least + usize::try_from(state >> 32).expect("32 bits") % range
    };
    let mut left = 2 * BOUND;
    core::iter::from_fn(move || {
        let (key, value) = (random(sizes.key), random(sizes.value));
        left = left.checked_sub((key + value + 100) as u64)?;
        // A number makes each key distinct. A tenth of the capacity is not used.
        let mut text = format!("{left}");
        text.reserve_exact(key);
        let mut bytes = Vec::with_capacity(value);
        bytes.resize(value / 10 * 9, 1);
        Some((text, bytes))
    })
}

/// Sums over the entries of a cache. A user could limit the cache by any of them.
#[derive(Default)]
struct Weights {
    len: usize,
    size_of_val: usize,
    get_size2: usize,
}

impl Weights {
    fn add(&mut self, key: &String, value: &Vec<u8>) {
        self.len += key.len() + value.len();
        self.size_of_val += size_of_val(key) + size_of_val(value);
        self.get_size2 += key.get_size() + value.get_size();
    }
}

/// Returns how many per cent `weight` is above or below `heap`.
#[expect(clippy::cast_precision_loss, reason = "per cents need no more than 52 bits")]
fn off(weight: u64, heap: u64) -> f64 {
    (weight as f64 / heap as f64 - 1.0) * 100.0
}

/// Checks that a cache's heap is near the bound, and prints how far other weights are off.
fn check(cache: &str, sizes: Sizes, heap: i64, weights: &Weights) {
    let heap = u64::try_from(heap).expect("a cache keeps memory");
    println!(
        "{cache}, {}: heap {:+.1} % from the bound. Sums of weights, from the heap: len {:+.0} %, \
         size_of_val {:+.0} %, get-size2 {:+.0} %",
        sizes.name,
        off(heap, BOUND),
        off(weights.len as u64, heap),
        off(weights.size_of_val as u64, heap),
        off(weights.get_size2 as u64, heap),
    );
    assert!(off(heap, BOUND).abs() <= MARGIN, "{cache}, {}: {heap} B", sizes.name);
}

#[test]
fn moka_keeps_its_heap_within_five_per_cent_of_the_bound() {
    for sizes in SIZES {
        let (cache, measured) = measure(|| {
            // moka stores a clone of the value that is inserted. A clone of an `Arc` shares the
            // memory, including its excess capacity.
            let weigher = |key: &String, value: &Arc<Vec<u8>>| Entry::MOKA012.u32(key, value);
            let cache = moka::sync::Cache::builder().max_capacity(BOUND).weigher(weigher).build();
            for (number, (key, value)) in entries(sizes).enumerate() {
                cache.insert(key, Arc::new(value));
                if number % 64 == 0 {
                    cache.run_pending_tasks();
                }
            }
            cache.run_pending_tasks();
            cache
        })
        .expect("the allocator is installed");
        let mut weights = Weights::default();
        for (key, value) in &cache {
            weights.add(&key, &value);
        }

        check("moka", sizes, measured.net_bytes(), &weights);
    }
}

/// The weights of `quick_cache`.
#[derive(Clone)]
struct Bytes;

impl quick_cache::Weighter<String, Vec<u8>> for Bytes {
    fn weight(&self, key: &String, value: &Vec<u8>) -> u64 {
        Entry::QUICK_CACHE07.u64(key, value)
    }
}

#[test]
fn quick_cache_keeps_its_heap_within_five_per_cent_of_the_bound() {
    for sizes in SIZES {
        let (cache, measured) = measure(|| {
            let mut cache = quick_cache::unsync::Cache::with_weighter(1_000, BOUND, Bytes);
            for (key, value) in entries(sizes) {
                cache.insert(key, value);
            }
            cache
        })
        .expect("the allocator is installed");
        let mut weights = Weights::default();
        for (key, value) in cache.iter() {
            weights.add(key, value);
        }
        check("quick_cache", sizes, measured.net_bytes(), &weights);
    }
}
