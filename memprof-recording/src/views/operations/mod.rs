//! The operations as a table: the number of calls, and the bytes that they left live.

mod order;
mod rows;

pub use order::OperationOrder;

use super::words::{joined, rounded};
use crate::Recording;
use crate::document::OperationRow;
use core::fmt;
use memprof_profile::text::Shown;
use memprof_profile::text::Table;
use memprof_profile::text::counted;
use memprof_profile::text::signed;
use memprof_profile::text::span;
use memprof_profile::views::{Grouped, Units};
use rows::Row;

/// The operations of a recording as a table; [`Recording::operation_table`] creates it, `{}`
/// formats it.
///
/// An operation is listed below the one in which it ran. The largest operations come first. The
/// last line counts the operations that are left out.
///
/// ```no_run
/// use memprof::session::{OperationOrder, Recording};
///
/// let recording = Recording::read_file("memory_profile_20261121_083000.json")?;
/// println!("{}", recording.operation_table().order(OperationOrder::Peak).count(10));
/// # Ok::<(), memprof::session::RecordingError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct OperationTable<'r> {
    recording: &'r Recording,
    order: OperationOrder,
    count: usize,
    units: Units,
    width: usize,
}

/// The smallest width of a table.
const MIN_WIDTH: usize = 40;
/// The depth below which paths are not indented further.
const DEEPEST: usize = 16;
/// The minimum width of a path. If a path of this width does not fit, other columns are left out.
const MIN_PATH: usize = 24;

/// The columns that a narrow table leaves out, in this order.
const DISPENSABLE: [(usize, OperationOrder); 4] = [
    (6, OperationOrder::Allocated),
    (3, OperationOrder::Average),
    (8, OperationOrder::Retained),
    (4, OperationOrder::Max),
];

const HEADING: [&str; 9] =
    ["operation", "calls", "total", "average", "max", "peak", "allocated", TIME, "retained (own)"];

/// The heading of the times. The times of calls that ran at the same time are added up too.
pub(super) const TIME: &str = "time, all calls";

impl Recording {
    /// Returns a table of all operations: the one that retains most first, or the one with the
    /// largest total if no samples were taken.
    pub fn operation_table(&self) -> OperationTable<'_> {
        let is_sampled = self.summary.operations.iter().any(|row| row.retained.is_some());
        let order = if is_sampled { OperationOrder::Retained } else { OperationOrder::Total };
        OperationTable { recording: self, order, count: usize::MAX, units: Units::Iec, width: 100 }
    }

    /// Returns why the operations are unknown, or `None` if they are known.
    pub fn operations_unknown_reason(&self) -> Option<&'static str> {
        if !self.summary.operations.is_empty() {
            return None;
        }
        if !self.metadata.operations_tracked {
            return Some("operations were not counted");
        }
        // An event is written when its call ends, so if there are events, calls have ended.
        (!self.has_summary || !self.operation_events.is_empty())
            .then_some("the file ends before the first summary was written")
    }
}

impl<'r> OperationTable<'r> {
    /// Sets the order of the operations. The default is [`OperationOrder::Retained`] if samples were
    /// taken, otherwise [`OperationOrder::Total`].
    pub fn order(mut self, order: OperationOrder) -> Self {
        self.order = order;
        self
    }

    /// Limits the table to this number of the largest operations, and the operations in which they
    /// ran; the default is all.
    pub fn count(mut self, operations: usize) -> Self {
        self.count = operations;
        self
    }

    /// Sets the units of bytes; the default is [`Units::Iec`].
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Limits lines to this number of columns: at least 40, and 100 by default.
    ///
    /// A narrow table leaves out some columns, then shortens names in the middle.
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.max(MIN_WIDTH);
        self
    }

    /// Returns the largest operations without the operations in which they ran, the largest first.
    pub fn rows(&self) -> impl Iterator<Item = &'r OperationRow> + use<'r> {
        rows::widest(&self.recording.summary.operations, self.order).into_iter().take(self.count)
    }

    fn cells(&self, row: &Row<'_>) -> [String; 9] {
        let name = format!("{}{}", "  ".repeat(row.depth.min(DEEPEST)), Shown(row.name));
        let mut cells: [String; 9] = Default::default();
        cells[0] = name;
        let Some(row) = row.operation else { return cells };
        let units = self.units;
        cells[1] = Grouped(row.calls).to_string();
        cells[2] = signed(row.net_bytes.into(), units);
        cells[3] = row.average_net_bytes.map_or_else(String::new, |bytes| rounded(bytes, units));
        cells[4] = row.max_net_bytes.map_or_else(String::new, |bytes| signed(bytes.into(), units));
        cells[5] = signed(row.peak_bytes.into(), units);
        cells[6] = signed(row.allocated_bytes.into(), units);
        cells[7] = row.wall_time.map_or_else(String::new, |time| span(time.total_ns));
        cells[8] = retained(row, units);
        cells
    }
}

/// Formats the live bytes that an operation allocated itself: `–` if no sample was of them.
pub(super) fn retained(row: &OperationRow, units: Units) -> String {
    match row.retained {
        Some(live) if live.samples == 0 => "–".to_owned(),
        Some(live) => live.bytes(units).to_string(),
        None => String::new(),
    }
}

impl fmt::Display for OperationTable<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = &self.recording.summary.operations;
        if all.is_empty() {
            return match self.recording.operations_unknown_reason() {
                Some(why) => write!(out, "unknown: {why}"),
                None => out.write_str("no operation has ended"),
            };
        }
        let mut table = Table::new(HEADING, &[0]);
        let rows = rows::tree(all, self.order, self.count);
        for row in &rows {
            table.row(self.cells(row));
        }
        let mut left_out = Vec::new();
        for (column, order) in DISPENSABLE {
            let needed = table.columns() - table.yields(0, MIN_PATH);
            if needed > self.width && order != self.order && table.is_filled(column) {
                table.drop_column(column);
                left_out.push(column);
            }
        }
        out.write_str(&table.lines(self.width).join("\n"))?;
        let shown = rows.iter().filter(|row| row.operation.is_some()).count();
        let more = all.len().saturating_sub(shown);
        let mut notes = Vec::new();
        if more > 0 {
            notes.push(counted(more as u64, "more operation"));
        }
        if !left_out.is_empty() {
            left_out.sort_unstable();
            let names = joined(left_out.into_iter().map(|column| HEADING[column]), ", ");
            notes.push(format!("left out at this width: {names}"));
        }
        notes.extend(self.recording.summary_age());
        if notes.is_empty() { Ok(()) } else { write!(out, "\n{}", notes.join(" · ")) }
    }
}
