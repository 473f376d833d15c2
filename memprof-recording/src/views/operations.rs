//! The operations as a table: the number of calls, and the bytes that they left live. An operation is
//! below the one in which it ran, and the largest come first.

use super::words::{joined, rounded};
use crate::Recording;
use crate::document::OperationRow;
use core::cmp::Ordering;
use core::fmt;
use memprof_profile::text::{Shown, Table, counted, signed, span};
use memprof_profile::views::{Grouped, Units};
use std::collections::HashMap;

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
    /// Returns a table of all operations: the one that retains the most first, or the one with the
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
            .then_some("the file ends before the first summary")
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

    /// Returns the largest operations without the operations in which they ran, largest first.
    pub fn rows(&self) -> impl Iterator<Item = &'r OperationRow> + use<'r> {
        widest(&self.recording.summary.operations, self.order).into_iter().take(self.count)
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
        let rows = tree(all, self.order, self.count);
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

struct Row<'r> {
    name: &'r str,
    depth: usize,
    /// `None` if the operation has not ended, but nested operations have.
    operation: Option<&'r OperationRow>,
}

struct Node<'r> {
    name: &'r str,
    operation: Option<&'r OperationRow>,
    /// The live bytes that the operation and all operations within it allocated themselves.
    retained: f64,
    below: Vec<usize>,
}

fn widest(all: &[OperationRow], order: OperationOrder) -> Vec<&OperationRow> {
    let mut all: Vec<&OperationRow> = all.iter().collect();
    all.sort_by(|one, other| order.compare(one, other));
    all
}

/// Returns the `count` largest operations, below the operations in which they ran.
fn tree(all: &[OperationRow], order: OperationOrder, count: usize) -> Vec<Row<'_>> {
    let (nodes, outermost) = nodes(all, widest(all, order).into_iter().take(count));
    let mut rows = Vec::with_capacity(nodes.len());
    let mut todo: Vec<(usize, usize)> = Vec::new();
    let add = |todo: &mut Vec<(usize, usize)>, below: &[usize], depth| {
        let mut below = below.to_vec();
        below.sort_by(|&one, &other| by_width(&nodes[one], &nodes[other], order));
        todo.extend(below.into_iter().rev().map(|node| (node, depth)));
    };
    add(&mut todo, &outermost, 0);
    while let Some((node, depth)) = todo.pop() {
        let Node { name, operation, below, .. } = &nodes[node];
        rows.push(Row { name, depth, operation: *operation });
        add(&mut todo, below, depth + 1);
    }
    rows
}

fn nodes<'r>(
    all: &'r [OperationRow],
    shown: impl Iterator<Item = &'r OperationRow>,
) -> (Vec<Node<'r>>, Vec<usize>) {
    let by_path: HashMap<&[String], &OperationRow> =
        all.iter().rev().map(|row| (&row.path[..], row)).collect();
    let mut nodes: Vec<Node<'r>> = Vec::new();
    let mut outermost = Vec::new();
    let mut places: HashMap<(Option<usize>, &'r str), usize> = HashMap::new();
    for row in shown {
        let mut around = None;
        for (depth, name) in row.path.iter().enumerate() {
            let new = nodes.len();
            let node = *places.entry((around, name)).or_insert(new);
            if node == new {
                let operation = by_path.get(&row.path[..=depth]).copied();
                let retained =
                    operation.and_then(|row| row.retained).map_or(0.0, |live| live.value);
                nodes.push(Node { name, operation, retained, below: Vec::new() });
                match around {
                    Some(around) => nodes[around].below.push(new),
                    None => outermost.push(new),
                }
            }
            around = Some(node);
        }
    }
    // An operation comes after those around it.
    for node in (0..nodes.len()).rev() {
        let below: f64 = nodes[node].below.iter().map(|&below| nodes[below].retained).sum();
        nodes[node].retained += below;
    }
    (nodes, outermost)
}

/// Orders an operation that has not ended first, because the operations in it are worth showing.
fn by_width(one: &Node<'_>, other: &Node<'_>, order: OperationOrder) -> Ordering {
    match (one.operation, other.operation) {
        (Some(row), Some(other_row)) => {
            let by_subtree = match order {
                OperationOrder::Retained => other.retained.total_cmp(&one.retained),
                _ => Ordering::Equal,
            };
            by_subtree.then_with(|| order.compare(row, other_row))
        }
        (one, two) => one.is_some().cmp(&two.is_some()),
    }
}

memprof_profile::keywords! {
    /// The figure by which operations are sorted, largest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum OperationOrder {
        /// The bytes that all calls left live.
        Total => "total",
        /// The number of calls.
        Calls => "calls",
        /// The bytes that a call left live on average.
        Average => "average",
        /// The maximum of the bytes that one call left live.
        Max => "max",
        /// The maximum of the bytes that one call held at once.
        Peak => "peak",
        /// The bytes that all calls allocated.
        Allocated => "allocated",
        /// The time that all calls took.
        Time => "time",
        /// The live bytes that the operation allocated itself.
        Retained => "retained",
    }
}

impl OperationOrder {
    fn compare(self, one: &OperationRow, other: &OperationRow) -> Ordering {
        let by = match self {
            Self::Total => other.net_bytes.cmp(&one.net_bytes),
            Self::Calls => other.calls.cmp(&one.calls),
            Self::Average => {
                fractions(other.average_net_bytes).total_cmp(&fractions(one.average_net_bytes))
            }
            Self::Max => other.max_net_bytes.cmp(&one.max_net_bytes),
            Self::Peak => other.peak_bytes.cmp(&one.peak_bytes),
            Self::Allocated => other.allocated_bytes.cmp(&one.allocated_bytes),
            Self::Time => time(other).cmp(&time(one)),
            Self::Retained => fractions(other.retained.map(|live| live.value))
                .total_cmp(&fractions(one.retained.map(|live| live.value))),
        };
        // Ties are broken by the bytes allocated, for operations that left nothing live.
        let by = by.then_with(|| other.allocated_bytes.cmp(&one.allocated_bytes));
        by.then_with(|| one.path.cmp(&other.path))
    }
}

fn fractions(amount: Option<f64>) -> f64 {
    amount.unwrap_or(f64::NEG_INFINITY)
}

fn time(row: &OperationRow) -> Option<u64> {
    row.wall_time.map(|time| time.total_ns)
}
