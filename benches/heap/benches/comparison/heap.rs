//! The allocator's levels compared with its peers: one program for each allocator.

use crate::options::{Length, Options};
use crate::table::{Group, Ratio, Ratios, Row, duration, ratio};
use memprof_heap_benches::wall::plan::Plan;
use memprof_heap_benches::wall::programs::Programs;
use memprof_heap_benches::wall::rounds::{Column, measure as measure_column};
use memprof_heap_benches::wall::sides::{
    COUNTERS, PLAIN, PLAIN_FRAME_POINTERS, Role, SIDES, Side, WORKLOADS, Workload,
};

/// Measures all workloads under all allocators.
pub(crate) fn measure(options: &Options) -> Group {
    let plan = match options.length {
        Length::Test => Plan::SHORT,
        Length::Usual => Plan::MEDIAN,
        Length::Long => Plan::FULL,
    };
    let programs = Programs::beside(env!("CARGO_BIN_EXE_plain")).built_for(plan);
    let mut rows: Vec<_> =
        WORKLOADS.iter().flat_map(|workload| rows_of(workload, plan, &programs)).collect();
    // A program that does not build has a row with the same reason for each workload. Keep one of
    // these rows.
    rows.sort_by_key(|row| row.outcome.is_err());
    rows.dedup_by(|later, earlier| earlier.outcome.is_err() && later.name == earlier.name);
    Group { title: "allocator, over the plain program", rows }
}

/// Returns the row of a workload, and a row for each peer that cannot run it.
fn rows_of(workload: &Workload, plan: Plan, programs: &Programs) -> Vec<Row> {
    let row = |name: &str, outcome| Row { name: name.to_owned(), size: String::new(), outcome };
    let column = match measure_column(workload, plan, programs) {
        Ok(column) => column,
        Err(why) => return vec![row(workload.name, Err(why))],
    };
    let peers = SIDES.iter().zip(&column.ratios).filter(|(side, _)| side.role == Role::Peer);
    let missing = peers.filter_map(|(side, ratio)| {
        Some(row(short_name(side), Err(ratio.as_ref().err()?.clone())))
    });
    let rows = std::iter::once(row(workload.name, Ok(in_table(&column)))).chain(missing);
    rows.collect()
}

fn in_table(column: &Column) -> Ratios {
    let counters = column.ratios[COUNTERS].as_ref().map_or(0.0, |estimate| estimate.low);
    let mut ratios = Ratios { reference: duration(column.nanoseconds / 1e9), ..Ratios::default() };
    let mut faster = Vec::new();
    for (index, (side, estimate)) in SIDES.iter().zip(&column.ratios).enumerate() {
        let Ok(estimate) = estimate else { continue };
        // The plain programs are baselines.
        if index == PLAIN || index == PLAIN_FRAME_POINTERS {
            continue;
        }
        let figure = ratio(estimate.median);
        match side.role {
            Role::Memprof => ratios.memprof.push(Ratio::new(short_name(side), figure)),
            Role::Peer => {
                // If the intervals overlap, the difference may be noise.
                if estimate.high < counters {
                    faster.push(short_name(side));
                }
                ratios.peers.push(Ratio::new(short_name(side), figure));
            }
            Role::Reference => ratios.peers.push(Ratio::new(short_name(side), figure)),
        }
    }
    ratios.slower_than = faster.join(", ");
    ratios
}

/// Returns the name of a side without the version and the details.
fn short_name(side: &Side) -> &'static str {
    let name = side.name.trim_start_matches("memprof, ");
    let name = name.split(',').next().unwrap_or(name);
    name.trim_end_matches(|letter: char| letter == '.' || letter.is_ascii_digit()).trim_end()
}
