//! An estimate as a tree for a terminal.

use super::EstimatedProfile;
use super::result::Form;
use crate::text::{Grouped, Units};
use crate::tree::Branch;
use crate::views::{Intervals, Tree};
use core::fmt;

impl EstimatedProfile {
    /// Returns the estimate as a [`Tree`], whose settings may differ from the defaults of `{}`.
    /// Each estimated line has its interval.
    pub fn tree(&self) -> Tree<'_> {
        self.profile().tree().with_intervals(self)
    }
}

impl Intervals for EstimatedProfile {
    fn of_line(&self, line: Branch<'_>, is_detailed: bool, units: Units) -> Option<String> {
        let form = if is_detailed { Form::Detailed } else { Form::Plain };
        let interval = self.is_estimated(line, form).then(|| self.interval_of(line, form))?;
        (!interval.is_exact()).then(|| interval.show(units).to_string())
    }

    fn footer(&self, units: Units) -> Vec<String> {
        let mut parts = Vec::new();
        let bytes = units.show(self.profile().total_bytes());
        let interval = self.total().show(units);
        parts.push(match self.no_upper_end() {
            _ if self.is_exact() => return parts,
            None => format!("estimated {bytes} ({interval})"),
            Some(reason) => format!("estimated {bytes} ({interval}, no upper end: {reason})"),
        });
        if self.sampled_elements() > 0 {
            let (drawn, all) = (self.drawn_elements(), self.sampled_elements());
            parts.push(format!("{} of {} elements drawn", Grouped(drawn), Grouped(all)));
            parts.push(format!("seed {}", self.seed()));
        }
        parts
    }
}

/// Draws the [`tree`](EstimatedProfile::tree) with its default settings.
impl fmt::Display for EstimatedProfile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tree().fmt(out)
    }
}
