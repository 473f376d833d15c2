//! Profiles a list of frozen segments twice, and prints the time of the second profile.
//!
//! ```console
//! $ cargo run --release --example repeated_profiles
//! ```

use memprof::large::{Frozen, Profiler};
use memprof::{MemoryProfile, Profile};
use std::collections::HashMap;
use std::time::{Duration, Instant};

const SEGMENTS: usize = 10_000;
const ENTRIES: u64 = 1000;

/// The number of rounds. The median of their times is printed.
const ROUNDS: u64 = 9;

fn list(seed: u64) -> Vec<(u64, String)> {
    (0..ENTRIES).map(|entry| (entry, format!("{seed} {entry}"))).collect()
}

fn map(seed: u64) -> HashMap<u64, String> {
    list(seed).into_iter().collect()
}

/// Replaces 1 % of the segments in each round, and profiles all of them.
fn measure<T: MemoryProfile>(name: &str, segment: fn(u64) -> T) {
    let mut segments: Vec<Frozen<T>> =
        (0..SEGMENTS as u64).map(|seed| Frozen::new(segment(seed))).collect();
    let mut times = [const { Vec::new() }; 3];
    let mut run = |column: usize, profile: &mut dyn FnMut() -> Profile| {
        let began = Instant::now();
        let profile = profile();
        times[column].push(began.elapsed());
        profile
    };
    for round in 0..ROUNDS {
        let mut profiler = Profiler::new();
        let plain = run(0, &mut || Profile::named(name, &segments));
        let first = run(1, &mut || profiler.named(name, &segments));
        assert_eq!(first, plain);
        for replaced in 0..SEGMENTS / 100 {
            let index = (replaced * 7919 + round as usize) % SEGMENTS;
            segments[index] = Frozen::new(segment(round));
        }
        let second = run(2, &mut || profiler.named(name, &segments));
        assert_eq!(profiler.last().walked(), SEGMENTS as u64 / 100);
        assert_eq!(second, Profile::named(name, &segments));
    }
    let [plain, first, second] = times.map(median);
    let share = |of: Duration| 100.0 * second.as_secs_f64() / of.as_secs_f64();
    println!(
        "{name}: ordinary {plain:.1?}, first {first:.1?}, second {second:.1?}: {:.1} % of the first, \
         {:.1} % of an ordinary one",
        share(first),
        share(plain),
    );
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn main() {
    measure("lists", list);
    measure("maps", map);
}
