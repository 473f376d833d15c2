//! What was recorded until some moment: a row per operation and shapes, most CPU time first.

use super::{Figures, InputShapes};
use core::cmp::Reverse;

/// The operations recorded until some moment; [`summary`](super::summary()) makes it, `{}` shows
/// it as a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct FrameworkSummary {
    rows: Vec<FrameworkRow>,
    other_calls: u64,
}

/// The calls of an operation, those with the same shapes or all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrameworkRow {
    /// The operation's name; `<other>` for names that are not kept.
    pub name: String,
    /// The shapes of the inputs.
    pub shapes: InputShapes,
    /// What the calls took together.
    pub figures: Figures,
}

impl FrameworkSummary {
    /// Sorts rows that come in the order that those of equal CPU time are to have.
    pub(super) fn of(mut rows: Vec<FrameworkRow>) -> Self {
        let other = rows.iter().filter(|row| row.shapes == InputShapes::Other);
        let other_calls = other.map(|row| row.figures.calls).sum();
        sort(&mut rows);
        Self { rows, other_calls }
    }

    /// The rows, most CPU time first; those of unknown CPU time come last. Of equal ones, the first
    /// by name and shapes comes first.
    pub fn rows(&self) -> &[FrameworkRow] {
        &self.rows
    }

    /// The calls whose name or shapes were not kept, as too many others were; they are in rows of
    /// [`InputShapes::Other`].
    pub fn other_calls(&self) -> u64 {
        self.other_calls
    }

    /// The same calls with one row per name, sorted alike. Its shapes are
    /// [`Several`](InputShapes::Several) unless all calls had the same.
    ///
    /// ```
    /// use memprof_heap::framework::{FrameworkCall, FrameworkOperations, InputShapes};
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
