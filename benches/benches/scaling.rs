//! Time per name of profiles with many names: `cargo xtask scaling` prints and keeps the table.
//!
//! A name costs the same however many there are, but for the cache: the tree of 10⁴ names fits into
//! it, that of 10⁶ does not. Times are CPU times.

use memprof::{At, Keyed, Kind, MemoryProfile, Opaque, Profile, Walk};
use memprof_benches::clock::cpu_time;
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How many names a profile has, fewest first.
const NAMES: [u32; 3] = [10_000, 100_000, 1_000_000];

/// The time per name of the most names may be this many times that of the fewest.
const MOST_GROWTH: f64 = 2.0;

/// The most profiles of a figure, and the time within which they begin; the best counts.
const ROUNDS: usize = 50;
const TIME: Duration = Duration::from_secs(3);

/// A value with fields of its own; `MARKED` adds a field whose contents are not exact.
#[derive(MemoryProfile)]
struct Record<const MARKED: bool> {
    samples: Vec<u64>,
    unit: String,
    hidden: Hidden<MARKED>,
}

struct Hidden<const MARKED: bool>(usize);

impl<const MARKED: bool> MemoryProfile for Hidden<MARKED> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        if MARKED {
            walk.opaque(at, Opaque::Foreign);
            walk.estimated(at, Kind::Data, self.0);
        }
    }
}

/// A map whose entries are all named.
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

/// Names in an order that is not the alphabetical one.
fn names(count: usize) -> impl Iterator<Item = String> {
    // Prime, and no factor of a count: each number below `count` comes once.
    (0..count).map(move |index| format!("entry {}", index * 999_983 % count))
}

fn of_all<const MARKED: bool>(count: usize) -> Duration {
    let names: Vec<String> = names(count).collect();
    let records: Vec<_> = (0..count).map(Record::<MARKED>::new).collect();
    best(count, || {
        let values = names.iter().zip(&records);
        Profile::of_all("root", values.map(|(name, record)| (name, record as &dyn MemoryProfile)))
    })
}

fn hash_map<const MARKED: bool>(count: usize) -> Duration {
    let map: HashMap<_, _> = names(count)
        .enumerate()
        .map(|(index, name)| (name, Record::<MARKED>::new(index)))
        .collect();
    let map = Named { map };
    best(count, || Profile::named("root", &map))
}

fn btree_map<const MARKED: bool>(count: usize) -> Duration {
    let map: BTreeMap<_, _> = names(count)
        .enumerate()
        .map(|(index, name)| (name, Record::<MARKED>::new(index)))
        .collect();
    let map = Named { map };
    best(count, || Profile::named("root", &map))
}

/// The shortest time that `profile` took.
fn best(count: usize, profile: impl Fn() -> Profile) -> Duration {
    let begin = Instant::now();
    let time = || {
        let start = cpu_time();
        let profile = black_box(profile());
        let took = cpu_time().saturating_sub(start);
        assert!(profile.root().subtree().len() > count, "a name has no branch");
        took
    };
    let rounds = (0..ROUNDS).take_while(|&round| round == 0 || begin.elapsed() < TIME);
    rounds.map(|_| time()).min().unwrap_or_default()
}

/// The time that a profile of so many names takes.
type Run = fn(usize) -> Duration;

fn main() -> ExitCode {
    // `cargo test --benches` runs this too, and asks for no figures.
    if !std::env::args().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    // A word runs the rows that have it.
    let word = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let rows: [(&str, Run); 6] = [
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
    for (row, run) in rows {
        if word.as_ref().is_some_and(|word| !row.contains(word.as_str())) {
            continue;
        }
        let per_name =
            NAMES.map(|count| run(count as usize).as_secs_f64() * 1e9 / f64::from(count));
        let growth = per_name[NAMES.len() - 1] / per_name[0];
        missed += usize::from(growth > MOST_GROWTH);
        let cells = per_name.map(|time| format!("{time:.0} ns"));
        println!("| {row} | {} | {growth:.2} |", cells.join(" | "));
    }
    println!(
        "\nBars: growth of at most {MOST_GROWTH} times from the fewest names to the most. Missed: {missed}."
    );
    if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
