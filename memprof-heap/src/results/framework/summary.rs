//! The calls recorded until some moment, with one row for each combination of operation and shapes.

use super::{Figures, InputShapes};
use core::cmp::Reverse;

/// The operations recorded until some moment. [`summary`](super::summary()) returns it, and `{}`
/// prints it as a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct FrameworkSummary {
    rows: Vec<FrameworkRow>,
    other_calls: u64,
}

/// The calls of an operation with the same shapes, or all its calls.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrameworkRow {
    /// The name of the operation; `<other>` for names that have no row.
    pub name: String,
    /// The shapes of the inputs.
    pub shapes: InputShapes,
    /// The sums over the calls.
    pub figures: Figures,
}

impl FrameworkSummary {
    /// Creates a summary whose rows are sorted by CPU time. Rows with the same CPU time stay in
    /// their order.
    pub(super) fn of(mut rows: Vec<FrameworkRow>) -> Self {
        let other = rows.iter().filter(|row| row.shapes == InputShapes::Other);
        let other_calls = other.map(|row| row.figures.calls).sum();
        sort(&mut rows);
        Self { rows, other_calls }
    }

    /// Returns the rows. The row with the most CPU time is first; rows with unknown CPU time are
    /// last. Equal rows are sorted by name and shapes.
    pub fn rows(&self) -> &[FrameworkRow] {
        &self.rows
    }

    /// Returns the number of calls in rows with [`InputShapes::Other`]. There were too many names
    /// and shapes for rows of their own.
    pub fn other_calls(&self) -> u64 {
        self.other_calls
    }

    /// Returns the same calls with one row per name, sorted in the same way. The shapes are
    /// [`Several`](InputShapes::Several) unless all calls had the same shapes.
    ///
    /// ```
    /// use memprof::heap::framework::{FrameworkCall, FrameworkOperations, InputShapes};
    ///
    /// let operations = FrameworkOperations::new();
    /// for rows in [1, 2, 3] {
    ///     operations.record(FrameworkCall::new("relu").shapes(&[&[rows, 64]]));
    /// }
    /// let summary = operations.summary();
    /// assert_eq!(summary.rows().len(), 3);
    /// let by_name = summary.by_name();
    /// assert_eq!(by_name.rows().len(), 1);
    /// assert_eq!(by_name.rows()[0].figures.calls, 3);
    /// assert_eq!(by_name.rows()[0].shapes, InputShapes::Several);
    /// ```
    pub fn by_name(&self) -> Self {
        let mut rows = self.rows.clone();
        rows.sort_by(|one, other| one.name.cmp(&other.name));
        rows.dedup_by(|row, sum| {
            let same = row.name == sum.name;
            if same {
                sum.figures.add(&row.figures);
                sum.shapes = InputShapes::Several;
            }
            same
        });
        sort(&mut rows);
        Self { rows, other_calls: self.other_calls }
    }
}

fn sort(rows: &mut [FrameworkRow]) {
    rows.sort_by_key(|row| Reverse(row.figures.cpu_time.map(|time| time.total)));
}
