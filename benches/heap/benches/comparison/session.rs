//! The cost of a session: a program parses JSON with and without a session that profiles a large
//! root.

use crate::options::{Length, Options};
use crate::table::{Group, Ratio, Ratios, Row, duration, ratio};
use memprof::Session;
use memprof::heap::{self, Level};
use memprof::views::Grouped;
use memprof_benches::clock::process_cpu_time;
use memprof_benches::values::b_tree_of_structs::{self, Account};
use memprof_heap_benches::workload::{WORKLOADS, Work};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

/// The recorded root.
type Store = Arc<RwLock<BTreeMap<u64, Account>>>;

/// The time between two snapshots. The default of a session is longer, and costs less.
const INTERVAL: Duration = Duration::from_millis(500);

/// The sides: no session twice, and sessions at two levels.
const SIDES: [(&str, Option<Level>); 4] = [
    ("off", None),
    ("off again", None),
    ("counters", Some(Level::Counters)),
    ("sampled", Some(Level::Sampled)),
];

/// Measures the sides in turns.
pub(crate) fn measure(options: &Options) -> Group {
    let (accounts, rounds, lasts) = match options.length {
        Length::Test => (100, 1, Duration::from_millis(1)),
        Length::Usual => (200_000, 5, Duration::from_millis(1_200)),
        Length::Long => (1_000_000, 15, Duration::from_secs(10)),
    };
    eprintln!("session …");
    let store: Store = Arc::new(RwLock::new(b_tree_of_structs::build(accounts)));
    let row = Row {
        name: format!("parsing JSON, a snapshot every {} ms", INTERVAL.as_millis()),
        size: format!("root of {} structs", Grouped(accounts as u64)),
        outcome: compare(&store, rounds, lasts),
    };
    Group { title: "session, over none", rows: vec![row] }
}

fn compare(store: &Store, rounds: usize, lasts: Duration) -> Result<Ratios, String> {
    let json = WORKLOADS.iter().find(|workload| workload.name == "json");
    let mut work = (json.ok_or("there is no workload `json`")?.prepare)();
    let mut times = SIDES.map(|_| Vec::new());
    let mut ratios = SIDES.map(|_| Vec::new());
    for round in 0..rounds {
        let mut seconds = [0.0; SIDES.len()];
        for turn in 0..SIDES.len() {
            let index = (turn + round) % SIDES.len();
            seconds[index] = time(SIDES[index].1, store, &mut work, lasts)?;
        }
        for (index, seconds_of_side) in seconds.into_iter().enumerate() {
            times[index].push(seconds_of_side);
            ratios[index].push(seconds_of_side / seconds[0]);
        }
    }
    let ratios = SIDES.iter().zip(&mut ratios).skip(1);
    let ratios = ratios.map(|((name, _), ratios)| Ratio::new(*name, ratio(median(ratios))));
    let (again, memprof): (Vec<_>, Vec<_>) = ratios.partition(|ratio| ratio.name == "off again");
    let reference = duration(median(&mut times[0]));
    Ok(Ratios { reference, memprof, peers: again, ..Ratios::default() })
}

/// Returns the CPU seconds of the whole process per repetition of the work.
///
/// A session's start and end are not measured, because their share depends on the program's length.
fn time(
    level: Option<Level>,
    store: &Store,
    work: &mut Work,
    lasts: Duration,
) -> Result<f64, String> {
    let folder = folder();
    let session = level.map(|level| start(level, store, &folder)).transpose()?;
    // The first repetition is not timed, because it touches new pages.
    work(1);
    let (start, before) = (Instant::now(), process_cpu_time());
    let mut repetitions = 0;
    while repetitions == 0 || start.elapsed() < lasts {
        work(1);
        repetitions += 1;
    }
    let time = process_cpu_time().saturating_sub(before) / repetitions;
    if let Some(session) = session {
        let _document = session.finish().map_err(|error| error.to_string())?;
    }
    heap::set_level(Level::Off);
    let _ = std::fs::remove_dir_all(folder);
    Ok(time.as_secs_f64())
}

/// Starts a session that profiles the store.
fn start(level: Level, store: &Store, folder: &Path) -> Result<Session, String> {
    let builder = Session::builder().enabled(true).output_dir(folder).interval(INTERVAL);
    let session = builder.level(level).start().map_err(|error| error.to_string())?;
    session.root("store", Arc::clone(store));
    session.checkpoint("begun");
    Ok(session)
}

fn folder() -> PathBuf {
    std::env::temp_dir().join(format!("memprof-comparison-{}", std::process::id()))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
