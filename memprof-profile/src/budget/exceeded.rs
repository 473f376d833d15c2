//! The error of a profile that exceeds its budgets, printed within one screen.

use crate::Profile;
use crate::budget::Budget;
use crate::text::{Growth, Shown, Signed, Units, columns, cut, shortened};
use crate::tree::PathNotFound;
use crate::views::on_screen;
use core::fmt;
use std::error::Error;

/// The error of a profile or path that exceeds its budget, or of a path that does not exist.
///
/// `Display` writes the figures and the tree, largest first, within 40 lines and 100 columns.
#[derive(Clone)]
pub struct BudgetExceeded {
    root: String,
    failures: Vec<Failure>,
    tree: String,
}

/// A budget that was exceeded, or a path that does not exist.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    Over { path: Option<String>, bytes: u64, budget: Budget },
    NoPath(PathNotFound),
}

impl Failure {
    pub(super) fn over(path: Option<&str>, bytes: u64, budget: Budget) -> Self {
        Self::Over { path: path.map(Into::into), bytes, budget }
    }
}

/// The lines and columns of a screen, less one line that is printed before the message.
const LINES: usize = 39;
const WIDTH: usize = 100;

/// The maximum number of failures that the message lists; it counts the rest.
const MAX_LISTED: usize = 12;

/// The maximum number of columns of a path.
const MAX_PATH_WIDTH: usize = 44;

impl BudgetExceeded {
    pub(super) fn new(profile: &Profile, failures: Vec<Failure>) -> Self {
        // Subtract three lines: the first line, an empty line, and possibly `…n more`.
        let lines = LINES - failures.len().min(MAX_LISTED) - 3;
        let root = profile.root().name().into();
        Self { root, tree: on_screen(profile, lines, WIDTH), failures }
    }

    /// Returns the paths that have a budget and do not exist.
    pub fn missing_paths(&self) -> impl Iterator<Item = &PathNotFound> {
        self.failures.iter().filter_map(|failure| match failure {
            Failure::NoPath(error) => Some(error),
            Failure::Over { .. } => None,
        })
    }
}

impl fmt::Display for BudgetExceeded {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let root = shortened(&Shown(&self.root).to_string(), MAX_PATH_WIDTH);
        let over = self.failures.len() - self.missing_paths().count();
        out.write_str(&match (over, self.failures.len() - over) {
            (0, _) => format!("{root} has no such path"),
            (_, 0) => format!("{root} is over budget"),
            (_, 1) => format!("{root} is over budget. One path does not exist."),
            (_, _) => format!("{root} is over budget. Some paths do not exist."),
        })?;
        let mut lines = lines(&self.failures[..self.failures.len().min(MAX_LISTED)]);
        if self.failures.len() > MAX_LISTED {
            lines.push(format!("…{} more", self.failures.len() - MAX_LISTED));
        }
        lines.iter().try_for_each(|line| write!(out, "\n{}", cut(line, WIDTH)))?;
        write!(out, "\n\n{}", self.tree)
    }
}

/// Formats failures as aligned lines: `matrix;values  64.0 MiB of 32.0 MiB  +32.0 MiB  +100.0 %`.
fn lines(failures: &[Failure]) -> Vec<String> {
    let cells = failures.iter().map(|failure| match failure {
        Failure::NoPath(error) => Err(error.to_string()),
        Failure::Over { path, bytes, budget } => {
            let name = path.as_ref().map_or("total".into(), |path| Shown(path).to_string());
            let (before, after) = (budget.bytes(), *bytes);
            Ok([
                shortened(&name, MAX_PATH_WIDTH),
                Units::Iec.show(after).to_string(),
                budget.to_string(),
                Signed { before, after, units: Units::Iec }.to_string(),
                Growth { before, after }.to_string(),
            ])
        }
    });
    let cells: Vec<Result<[String; 5], String>> = cells.collect();
    let rows = || cells.iter().flatten();
    let widths: [usize; 5] = core::array::from_fn(|column| {
        rows().map(|row| columns(&row[column])).max().unwrap_or_default()
    });
    let [_, amount, limit, over, growth] = widths;
    let line = |row: &[String; 5]| {
        let padding = widths[0] - columns(&row[0]);
        let [name, a, l, o, g] = row;
        format!("{name}{:padding$}  {a:>amount$} of {l:>limit$}  {o:>over$}  {g:>growth$}", "")
    };
    cells.iter().map(|row| row.as_ref().map_or_else(Clone::clone, line)).collect()
}

/// Writes the same text as `Display`, because `main` and `unwrap` print `Debug`.
impl fmt::Debug for BudgetExceeded {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for BudgetExceeded {}
