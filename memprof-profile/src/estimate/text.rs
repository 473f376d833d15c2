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
        if self.is_exact() {
            return Vec::new();
        }
        let (interval, drawn) = (self.total().show(units), self.drawn_elements());
        let no_upper_end = self
            .no_upper_end()
            .map(|reason| format!(", no upper end: {reason}"))
            .unwrap_or_default();
        if drawn == 0 {
            // The sum of the visited bytes is the lower end, and no estimate.
            return vec![format!("{interval}{no_upper_end}"), "no element drawn".to_owned()];
        }
        let bytes = units.show(self.profile().total_bytes());
        let elements = Grouped(self.sampled_elements());
        vec![
            format!("estimated {bytes} ({interval}{no_upper_end})"),
            format!("{} of {elements} elements drawn", Grouped(drawn)),
            format!("seed {}", self.seed()),
        ]
    }

    fn estimates_counts(&self) -> bool {
        self.drawn_elements() > 0
    }
}

/// Draws the [`tree`](EstimatedProfile::tree) with its default settings.
impl fmt::Display for EstimatedProfile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tree().fmt(out)
    }
}
