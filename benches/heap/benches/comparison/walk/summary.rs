//! The walk in a few lines, for the README: some values, each at its largest size.

use super::bars;
use super::rounds::Row;
use crate::table::{SUMMARY_HEADER, ratio, summary_line};
use memprof_benches::Bar;
use memprof_benches::peers::{MEMPROF_TOTAL, MEMPROF_TREE};

/// The values that the README leaves out to stay short. When the list was made, memprof was slowest
/// on the others. `docs/performance.md` has all values.
const LEFT_OUT: [&str; 6] = [
    "map, string to vector",
    "B-tree of structs",
    "recursive enum",
    "box tree",
    "shared nodes, 10 handles each",
    "small arrays, shared units",
];

/// Returns a Markdown table of memprof and the fastest exact peer. It leaves out
/// values whose bytes the type alone determines.
pub(crate) fn table(rows: &[Row]) -> String {
    let largest = |(index, row): &(usize, &Row)| {
        rows.get(index + 1).is_none_or(|next| next.workload.name != row.workload.name)
    };
    let rows = rows.iter().enumerate().filter(largest).map(|(_, row)| row);
    let rows = rows.filter(|row| row.workload.bar != Bar::Constant);
    let rows = rows.filter(|row| !LEFT_OUT.contains(&row.workload.name));
    let figure = |row: &Row, side| {
        row.measured(side).map_or_else(|| "–".to_owned(), |measured| ratio(measured.ratio))
    };
    let mut text = SUMMARY_HEADER.to_owned();
    for row in rows {
        let memprof =
            format!("tree {}, total {}", figure(row, MEMPROF_TREE), figure(row, MEMPROF_TOTAL));
        let peer = bars::fastest_exact_peer(row)
            .map_or_else(|| "–".to_owned(), |peer| format!("{peer} {}", figure(row, peer)));
        text += &summary_line(&row.name(), "a hand-written sum", &memprof, &peer);
    }
    text
}
