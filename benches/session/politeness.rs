//! The time that a writer waits for the lock of a large root while a session profiles it.
//!
//! `cargo xtask measure politeness` runs it. An argument sets the size of the root in MiB.

use memprof::{MemoryProfile, Session};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

/// The data of a server: an entry for each number.
#[derive(Default, MemoryProfile)]
struct Store {
    entries: HashMap<u64, Entry>,
}

#[derive(MemoryProfile)]
struct Entry {
    name: String,
    values: Vec<f64>,
}

/// The bytes of an entry, including its slot in the table.
const ENTRY: u64 = 16 + 32 * 8 + 88;

fn entry(number: u64) -> Entry {
    Entry { name: format!("entry {number:>9}"), values: vec![0.5; 32] }
}

/// The number of rounds. In each round, the sides take turns.
const ROUNDS: usize = 3;
/// The duration of each side in a round.
const LASTS: Duration = Duration::from_secs(6);

/// The pause between two writes, for the other work of a program.
const PAUSE: Duration = Duration::from_micros(20);

struct Side {
    name: &'static str,
    interval: Option<Duration>,
    waits: Vec<u64>,
    /// The durations for which each walk held the root.
    held: Vec<u64>,
}

fn main() {
    // The level is set for each side, so the sides differ only in the session. The root's blocks
    // are among the samples.
    memprof::heap::set_level(memprof::heap::Level::Sampled);
    let mebibytes = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(1024);
    let entries = (mebibytes << 20) / ENTRY;
    let store = Arc::new(RwLock::new(Store::default()));
    {
        let mut store = store.write().expect("no other thread holds the lock");
        store.entries = (0..entries).map(|number| (number, entry(number))).collect();
    }
    let side = |name, interval| Side { name, interval, waits: Vec::new(), held: Vec::new() };
    let mut sides = [
        side("no session", None),
        side("a session, each 5 s", Some(Duration::from_secs(5))),
        side("a session, each 100 ms", Some(Duration::from_millis(100))),
    ];
    for round in 0..ROUNDS {
        for side in &mut sides {
            eprintln!("round {}: {}", round + 1, side.name);
            measure(side, &store, entries);
        }
    }
    let held =
        memprof::total_bytes(&*store.read().expect("no thread panics while it holds the lock"));
    print!("{}", markdown(&mut sides, held));
}

fn measure(side: &mut Side, store: &Arc<RwLock<Store>>, entries: u64) {
    let folder = folder();
    let session = side.interval.map(|interval| {
        let session = Session::builder().enabled(true).output_dir(&folder).interval(interval);
        let session = session.start().expect("the folder can be written");
        session.root("store", store.clone());
        // The checkpoint takes the first snapshot before the writer starts.
        session.checkpoint("begun");
        session
    });
    let began = Instant::now();
    let mut number = 0_u64;
    while began.elapsed() < LASTS {
        // The entry replaces an existing one, so that the store keeps its size.
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (key, value) = ((number >> 16) % entries, entry(number >> 40));
        let asked = Instant::now();
        let old = store
            .write()
            .expect("no thread panics while it holds the lock")
            .entries
            .insert(key, value);
        side.waits.push(u64::try_from(asked.elapsed().as_nanos()).unwrap_or(u64::MAX));
        drop(black_box(old));
        let rest = Instant::now();
        while rest.elapsed() < PAUSE {
            std::hint::spin_loop();
        }
    }
    if let Some(session) = session {
        let document = session.finish().expect("there is room");
        let path = document.path().expect("it is recorded");
        let recording = memprof::session::Recording::read_file(path).expect("it is whole");
        let roots = recording.snapshots.iter().flat_map(|snapshot| &snapshot.roots);
        side.held.extend(roots.filter(|root| root.held_ns > 0).map(|root| root.held_ns));
    }
    let _ = std::fs::remove_dir_all(folder);
}

fn folder() -> PathBuf {
    std::env::temp_dir().join(format!("memprof-politeness-{}", std::process::id()))
}

fn markdown(sides: &mut [Side], held: u64) -> String {
    let mut text = format!(
        "One thread inserts into a `RwLock<HashMap<u64, Entry>>` of {}, which is a registered \
         root, every {} µs. Each side runs {ROUNDS} times for {} s, and the sides take turns. A \
         time includes waiting for the lock and the insertion.\n\n\
         | session | writes | p50 | p99 | p99.9 | longest | walks of the root | longest walk |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|\n",
        memprof::views::Units::Iec.show(held),
        PAUSE.as_micros(),
        LASTS.as_secs()
    );
    for side in sides {
        side.waits.sort_unstable();
        let waits = &side.waits;
        let at = |share: f64| microseconds(quantile(waits, share));
        let longest = side.held.iter().max().map_or("–".to_owned(), |ns| microseconds(*ns));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {longest} |",
            side.name,
            waits.len(),
            at(0.5),
            at(0.99),
            at(0.999),
            at(1.0),
            side.held.len(),
        );
    }
    text
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "it is an index"
)]
fn quantile(sorted: &[u64], share: f64) -> u64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * share).round() as usize).copied().unwrap_or_default()
}

#[expect(clippy::cast_precision_loss, reason = "it is shown with one digit")]
fn microseconds(nanoseconds: u64) -> String {
    format!("{:.1} µs", nanoseconds as f64 / 1000.0)
}
