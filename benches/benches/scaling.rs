//! The time per name of profiles with many names: `cargo bench --package memprof-benches --bench
//! scaling` prints the table.
//!
//! The cost of a name does not depend on the number of names, except through the cache. The tree of
//! 10⁴ names fits into the cache, and the tree of 10⁶ names does not. Times are CPU times to create
//! and free a profile.
//!
//! Each measurement profiles 10⁶ names in total, so that a disturbance of the machine affects each
//! size equally. The sizes take turns, and the table has the median of the rounds.

use memprof::tree::{LeafKind, OpaqueReason};
use memprof::walk::{Keyed, Position, Walk};
use memprof::{MemoryProfile, Profile};
use memprof_benches::clock::cpu_time_of;
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::process::ExitCode;

/// The number of names in each profile, smallest first.
const NAMES: [u32; 3] = [10_000, 100_000, 1_000_000];

/// The largest accepted ratio of two times per name: with the most names, and with the fewest.
const MAX_GROWTH: f64 = 2.0;

/// The number of measurements of each size. It is odd, so that one measurement is the median.
const ROUNDS: usize = 5;

/// A value with its own fields. `MARKED` adds a field whose contents are not exact.
#[derive(MemoryProfile)]
struct Record<const MARKED: bool> {
    samples: Vec<u64>,
    unit: String,
    hidden: Hidden<MARKED>,
}

struct Hidden<const MARKED: bool>(usize);

impl<const MARKED: bool> MemoryProfile for Hidden<MARKED> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if MARKED {
            walk.opaque(at, OpaqueReason::Foreign);
            walk.estimated(at, LeafKind::Data, self.0);
        }
    }
}

/// A map in which every entry has its own name.
#[derive(MemoryProfile)]
struct Named<M: Keyed> {
    #[profile(keyed(cap = 1_000_000))]
    map: M,
}

impl<const MARKED: bool> Record<MARKED> {
    fn new(index: usize) -> Self {
        Self { samples: vec![0; index % 4], unit: String::from("kWh"), hidden: Hidden(8) }
    }
}

/// Returns names that are not in alphabetical order.
fn names(count: usize) -> impl Iterator<Item = String> {
    // The factor is a prime that divides no count, so each number below `count` occurs once.
    (0..count).map(move |index| format!("entry {}", index * 999_983 % count))
}

/// Creates a profile.
type Make = Box<dyn Fn() -> Profile>;

/// Prepares a profile with this number of names.
type Prepare = fn(usize) -> Make;

fn of_all<const MARKED: bool>(count: usize) -> Make {
    let names: Vec<String> = names(count).collect();
    let records: Vec<_> = (0..count).map(Record::<MARKED>::new).collect();
    Box::new(move || {
        let values = names.iter().zip(&records);
        Profile::of_all("root", values.map(|(name, record)| (name, record as &dyn MemoryProfile)))
    })
}

fn hash_map<const MARKED: bool>(count: usize) -> Make {
    keyed(entries::<MARKED, HashMap<_, _>>(count))
}

fn btree_map<const MARKED: bool>(count: usize) -> Make {
    keyed(entries::<MARKED, BTreeMap<_, _>>(count))
}

fn entries<const MARKED: bool, M: FromIterator<(String, Record<MARKED>)>>(count: usize) -> M {
    names(count).zip((0..count).map(Record::new)).collect()
}

fn keyed<M: Keyed + MemoryProfile + 'static>(map: M) -> Make {
    let map = Named { map };
    Box::new(move || Profile::named("root", &map))
}

/// Returns the nanoseconds per name in profiles of each size, as the median of several rounds.
fn time_per_name(prepare: Prepare) -> [f64; NAMES.len()] {
    let profiles = NAMES.map(|count| prepare(count as usize));
    let mut times = [[0.0; ROUNDS]; NAMES.len()];
    for round in 0..ROUNDS {
        for ((count, profile), times) in NAMES.into_iter().zip(&profiles).zip(&mut times) {
            let profiles_a_round = NAMES[NAMES.len() - 1] / count;
            let per_profile = cpu_time_of(profiles_a_round, || drop(black_box(profile())));
            times[round] = per_profile.as_secs_f64() * 1e9 / f64::from(count);
        }
    }
    for (count, profile) in NAMES.into_iter().zip(&profiles) {
        assert!(profile().root().subtree().len() > count as usize, "a name has no branch");
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    })
}

fn main() -> ExitCode {
    // `cargo test --benches` runs this program too, without needing figures.
    if !std::env::args().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    // An argument selects the rows whose names contain it.
    let word = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let rows: [(&str, Prepare); 6] = [
        ("`of_all`", of_all::<false>),
        ("`of_all`, with marks", of_all::<true>),
        ("`keyed` `HashMap`", hash_map::<false>),
        ("`keyed` `HashMap`, with marks", hash_map::<true>),
        ("`keyed` `BTreeMap`", btree_map::<false>),
        ("`keyed` `BTreeMap`, with marks", btree_map::<true>),
    ];
    println!("| time per name | 10⁴ names | 10⁵ names | 10⁶ names | growth |");
    println!("|---|---:|---:|---:|---:|");
    let mut missed = 0;
    for (row, prepare) in rows {
        if word.as_ref().is_some_and(|word| !row.contains(word.as_str())) {
            continue;
        }
        let per_name = time_per_name(prepare);
        let growth = per_name[NAMES.len() - 1] / per_name[0];
        missed += usize::from(growth > MAX_GROWTH);
        let cells = per_name.map(|time| format!("{time:.0} ns"));
        println!("| {row} | {} | {growth:.2} |", cells.join(" | "));
    }
    println!(
        "\nBars: growth of at most {MAX_GROWTH} times from the fewest names to the most. Missed: {missed}."
    );
    if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
