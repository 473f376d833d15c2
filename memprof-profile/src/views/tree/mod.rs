//! The profile as a tree for a terminal: aligned, widest first, quiet where there is nothing to say.

mod choice;
mod layout;
mod rows;

use crate::Profile;
use crate::text::Units;
use crate::views::verdict::{verdict, wrapped};
use core::fmt;
use layout::Layout;
use rows::Rows;

/// How a profile is drawn as a tree; [`Profile::tree`] makes it, `{}` draws it.
///
/// What is left out is added up in a line of its own (`…12 more`), so that the lines below a branch
/// add up to it. The last line tells whether the bytes can be trusted.
///
/// ```
/// use memprof_profile::{Profile, Units};
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
    widest: Option<usize>,
    units: Units,
    detailed: bool,
}

/// Percent of the whole below which a line is left out, unless set.
const MIN_SHARE: f64 = 1.0;

/// No line is drawn narrower.
const MIN_WIDTH: usize = 40;

impl Profile {
    /// The profile as a tree, to be drawn with other settings than `{}` of the profile has.
    pub fn tree(&self) -> Tree<'_> {
        Tree {
            profile: self,
            depth: usize::MAX,
            width: 100,
            min_share: MIN_SHARE,
            widest: None,
            units: Units::Iec,
            detailed: false,
        }
    }
}

/// Draws the [`tree`](Profile::tree) with its default settings.
impl fmt::Display for Profile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tree().fmt(out)
    }
}

impl Tree<'_> {
    /// Draws so many levels below the root; all unless set.
    pub fn depth(mut self, levels: usize) -> Self {
        self.depth = levels;
        self
    }

    /// Keeps lines within so many columns (at least 40; 100 unless set): names lose their middle,
    /// notes their end. Only levels nested too deep to be indented go past it.
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.max(MIN_WIDTH);
        self
    }

    /// Leaves out what is smaller than so many percent of the whole; 1 unless set, 0 keeps all.
    ///
    /// Up to 64 lines right below the root, such as a struct's fields, are kept unless this is more
    /// than 1 or [`widest`](Self::widest) is set.
    pub fn min_share(mut self, percent: f64) -> Self {
        self.min_share = percent;
        self
    }

    /// Draws at most the `lines` widest lines below each branch. Unless set, these are 12 and
    /// whatever else takes 5 percent of the whole.
    pub fn widest(mut self, lines: usize) -> Self {
        self.widest = Some(lines);
        self
    }

    /// Shows bytes in these units; [`Units::Iec`] unless set.
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Keeps the bracketed frames, which are merged into the line they describe otherwise.
    pub fn detailed(mut self) -> Self {
        self.detailed = true;
        self
    }
}

impl fmt::Display for Tree<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = if self.detailed { self.profile.tree.detailed() } else { self.profile.plain() };
        let rows = Rows::of(self, lines.root());
        let layout = Layout::of(&rows, self.width);
        for row in &rows {
            writeln!(out, "{}", layout.line(row))?;
        }
        out.write_str(&wrapped(&verdict(self.profile, self.units), self.width))
    }
}
