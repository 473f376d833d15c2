//! The profile as a tree for a terminal: aligned, largest first, with few notes.

mod layout;
mod rows;
mod selection;

use crate::Profile;
use crate::text::{StyledText, Units};
use crate::tree::Branch;
use crate::views::footer::{self, footer, wrapped};
use core::fmt;
use core::panic::RefUnwindSafe;
use layout::Layout;
use rows::Rows;

/// A profile as a tree with its settings, returned by [`Profile::tree`]. `{}` draws it.
///
/// Lines that are left out are added up in one line (`…12 more`), so the lines below a branch add
/// up to its bytes. The last line shows whether the bytes are exact.
///
/// ```
/// use memprof::views::Units;
/// use memprof::Profile;
///
/// let profile = Profile::named("names", &vec![String::from("alpha"), String::from("beta")]);
/// assert_eq!(
///     profile.tree().units(Units::Bytes).to_string(),
///     "names  81 B  100.0 %   2 values, 3 allocations\nexact · 3 allocations"
/// );
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Tree<'p> {
    profile: &'p Profile,
    depth: usize,
    width: usize,
    min_share: f64,
    max_lines: Option<usize>,
    units: Units,
    detailed: bool,
    intervals: Option<&'p dyn Intervals>,
}

/// The intervals that a tree prints beside the bytes of its lines.
pub(crate) trait Intervals: fmt::Debug + Sync + RefUnwindSafe {
    /// Returns the interval of a line of the tree. `is_detailed` is true if the tree keeps its
    /// bracketed frames. Returns `None` if the bytes of the line are not an estimate.
    fn of_line(&self, line: Branch<'_>, is_detailed: bool, units: Units) -> Option<String>;

    /// Returns the parts of the footer that replace its statement about exactness. Returns none if
    /// the profile is exact.
    fn footer(&self, units: Units) -> Vec<String>;

    /// Returns whether counts on lines with an interval are estimates. Otherwise only the values
    /// that were visited are counted.
    fn estimates_counts(&self) -> bool;
}

/// The default for the minimum percentage of the total that a line must have.
const MIN_SHARE: f64 = 1.0;

/// The minimum width of a line.
const MIN_WIDTH: usize = 40;

/// # Tree as text
impl Profile {
    /// Returns the profile as a tree whose settings may differ from the defaults of `{}`.
    pub fn tree(&self) -> Tree<'_> {
        Tree {
            profile: self,
            depth: usize::MAX,
            width: 100,
            min_share: MIN_SHARE,
            max_lines: None,
            units: Units::Iec,
            detailed: false,
            intervals: None,
        }
    }
}

/// Draws the [`tree`](Profile::tree) with its default settings.
impl fmt::Display for Profile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tree().fmt(out)
    }
}

impl<'p> Tree<'p> {
    /// Adds intervals to the lines.
    pub(crate) fn with_intervals(mut self, intervals: &'p dyn Intervals) -> Self {
        self.intervals = Some(intervals);
        self
    }

    /// Sets the number of levels below the root. Default: all.
    pub fn depth(mut self, levels: usize) -> Self {
        self.depth = levels;
        self
    }

    /// Sets the number of columns of a line, at least 40. Default: 100. Longer names are shortened
    /// in the middle, and longer notes at the end. Only levels that are nested too deep to be
    /// indented exceed the width.
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.max(MIN_WIDTH);
        self
    }

    /// Leaves out lines smaller than this percentage of the total. Default: 1; 0 keeps all lines.
    ///
    /// If at most 64 lines are directly below the root, such as a struct's fields, they are kept
    /// even if they are smaller. This exception does not apply if the percentage is more than 1 or
    /// [`widest`](Self::widest) is set.
    pub fn min_share(mut self, percent: f64) -> Self {
        self.min_share = percent;
        self
    }

    /// Sets the maximum number of lines below each branch; the largest lines are drawn. Default:
    /// 12, plus each line with at least 5 percent of the total.
    pub fn widest(mut self, lines: usize) -> Self {
        self.max_lines = Some(lines);
        self
    }

    /// Sets the units of bytes. Default: [`Units::Iec`].
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Keeps the bracketed frames. Otherwise each is merged into the line that it describes.
    pub fn detailed(mut self) -> Self {
        self.detailed = true;
        self
    }

    /// Returns the text with the styles of its parts.
    pub fn styled(&self) -> StyledText {
        let mut text = StyledText::default();
        let lines = if self.detailed { self.profile.tree.detailed() } else { self.profile.plain() };
        let rows = Rows::of(self, lines.root());
        let layout = Layout::of(&rows, self.width);
        for row in &rows {
            layout.write(row, &mut text);
        }
        let mut parts = footer(self.profile, self.units);
        if let Some(intervals) = self.intervals {
            let estimated = intervals.footer(self.units);
            if !estimated.is_empty() {
                // The estimate replaces the first part, which describes exactness.
                let sums = parts.drain(1..).map(|sum| format!("about {sum}"));
                let sums: Vec<_> = sums.filter(|_| intervals.estimates_counts()).collect();
                parts = [estimated, sums].concat();
            }
        }
        text.push(footer::style(self.profile), &wrapped(&parts, self.width));
        text
    }
}

impl fmt::Display for Tree<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.styled().fmt(out)
    }
}
