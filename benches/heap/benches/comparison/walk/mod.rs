//! The walk compared with a hand-written sum and the peers, on the values of `memprof-benches`.

mod bars;
mod markdown;
pub(crate) mod rounds;

use crate::lines;
use crate::machine::{Machine, available_memory};
use crate::options::{Length, Options};
use crate::table::{Group, Ratio, Ratios, Row as TableRow, duration, ratio};
use memprof::views::Units;
use memprof_benches::peers::{HAND, MEMPROF_TOTAL, MEMPROF_TREE};
use memprof_benches::values::WORKLOADS;
use memprof_benches::{Bar, Large, Workload};
use rounds::Effort;
use rounds::Row;

/// The measured walk.
pub(crate) struct Measured {
    pub(crate) group: Group,
    /// The tables of all sides and bars, as Markdown.
    pub(crate) details: String,
    /// `true` if a bar was missed.
    pub(crate) missed: bool,
}

/// The bytes of a large value.
const GIBIBYTE: u64 = 1 << 30;
/// If a gibibyte takes too long, a large value has this multiple of the last-level cache's bytes.
const CACHES: u64 = 4;
/// The limits of a value of [`CACHES`] caches, in bytes. Values above the upper limit would take
/// too long to build. If the size of the cache is unknown, the value has the lower limit, which
/// exceeds most caches.
const SEVERAL_CACHES: std::ops::RangeInclusive<u64> = 128 << 20..=512 << 20;
/// The memory that must be available, as a multiple of a large value's bytes. Building a value
/// takes more memory than the value.
const NEEDED: u64 = 4;

/// Measures the selected values, each at its base size. Values with a large size are also measured
/// at that size, unless the run is a test or memory is short. Tests use a thousandth of the base
/// size.
pub(crate) fn measure(options: &Options, machine: &Machine) -> Measured {
    let mut rows = Vec::new();
    let mut table = Vec::new();
    let is_wanted = |name: &str| options.only.as_ref().is_none_or(|text| name.contains(text));
    for workload in WORKLOADS.into_iter().filter(|workload| is_wanted(workload.name)) {
        let smaller = if options.length == Length::Test { 1_000 } else { 1 };
        let base = measure_size(workload, workload.size / smaller, None, options);
        table.push(in_table(&base, machine));
        if let Some(bytes) = large_bytes(workload.large, options, machine) {
            match check_memory(bytes) {
                Ok(()) => {
                    let factor = bytes.div_ceil(base.bytes as u64) as usize;
                    let large =
                        measure_size(workload, workload.size * factor, Some(&base), options);
                    table.push(in_table(&large, machine));
                    rows.push(base);
                    rows.push(large);
                    continue;
                }
                Err(reason) => table.push(TableRow {
                    name: workload.name.to_owned(),
                    size: machine.in_caches(bytes),
                    outcome: Err(reason),
                }),
            }
        }
        rows.push(base);
    }
    let verdicts = bars::judge(&rows);
    Measured {
        group: Group { title: "walk, over a hand-written sum", rows: table },
        details: markdown::document(&rows, &verdicts),
        missed: verdicts.iter().any(|verdict| !verdict.met),
    }
}

/// Measures a value at a size. Sides that would be slow, judged by the base size, are left out.
fn measure_size(workload: Workload, size: usize, base: Option<&Row>, options: &Options) -> Row {
    eprintln!("{}, {} …", workload.name, count(size));
    let subject = (workload.build)(size);
    let effort = Effort::of(options.length, base.is_some());
    let row = rounds::measure(workload, size, &subject, base, effort);
    if options.criterion && (base.is_none() || options.length == Length::Long) {
        lines::print(&row, &subject, options);
    }
    row
}

/// Returns the bytes of the large value, if there is one.
fn large_bytes(large: Large, options: &Options, machine: &Machine) -> Option<u64> {
    let caches = CACHES * machine.last_level_cache.unwrap_or(0);
    match (options.length, large) {
        (Length::Test, _) | (_, Large::No) => None,
        (Length::Usual, Large::SeveralCaches) => {
            Some(caches.clamp(*SEVERAL_CACHES.start(), *SEVERAL_CACHES.end()))
        }
        (Length::Usual, Large::Gibibyte) => Some(GIBIBYTE),
        (Length::Long, _) => Some(caches.max(GIBIBYTE)),
    }
}

/// Returns an error if too little memory is available for a value of these bytes.
fn check_memory(bytes: u64) -> Result<(), String> {
    match available_memory() {
        Some(available) if available < NEEDED * bytes => Err(format!(
            "{} of memory is available, and the value needs {}",
            Units::Iec.show(available),
            Units::Iec.show(NEEDED * bytes)
        )),
        _ => Ok(()),
    }
}

fn in_table(row: &Row, machine: &Machine) -> TableRow {
    let is_constant = row.workload.bar == Bar::Constant;
    let figure = |cell: &rounds::Cell| {
        let measured = cell.outcome.as_ref().ok()?;
        let mark = if measured.bytes == row.bytes { "" } else { " ✗" };
        let time = if is_constant { duration(measured.seconds) } else { ratio(measured.ratio) };
        Some(Ratio::new(cell.side.trim_start_matches("memprof "), time + mark))
    };
    let is_memprof = |cell: &&rounds::Cell| [MEMPROF_TREE, MEMPROF_TOTAL].contains(&cell.side);
    let is_peer = |cell: &&rounds::Cell| cell.side != HAND && !is_memprof(cell);
    let reference = row.measured(HAND).map_or(String::new(), |hand| duration(hand.seconds));
    // A side is faster if its row shows a shorter time than that of memprof's tree.
    let tree = row.ratio(MEMPROF_TREE).unwrap_or(0.0);
    let is_faster = |cell: &&rounds::Cell| {
        let faster = cell.outcome.as_ref().is_ok_and(|side| {
            side.bytes == row.bytes && bars::shown(side.ratio) < bars::shown(tree)
        });
        faster && !is_memprof(cell)
    };
    let faster: Vec<_> = row.cells.iter().filter(is_faster).map(|cell| cell.side).collect();
    TableRow {
        name: row.name(),
        size: machine.in_caches(row.bytes as u64),
        outcome: Ok(Ratios {
            reference,
            memprof: row.cells.iter().filter(is_memprof).filter_map(figure).collect(),
            peers: row.cells.iter().filter(is_peer).filter_map(figure).collect(),
            slower_than: faster.join(", "),
            bar: bars::limit(row.workload.bar),
        }),
    }
}

/// Formats a number of elements, such as `1 M`.
fn count(elements: usize) -> String {
    match elements {
        1_000_000.. if elements.is_multiple_of(100_000) => tenths(elements / 100_000, "M"),
        1_000.. if elements.is_multiple_of(100) => tenths(elements / 100, "k"),
        _ => elements.to_string(),
    }
}

fn tenths(tenths: usize, unit: &str) -> String {
    match tenths % 10 {
        0 => format!("{} {unit}", tenths / 10),
        rest => format!("{}.{rest} {unit}", tenths / 10),
    }
}
