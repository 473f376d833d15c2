//! Advice: rules that read a profile and report what to change, each with its evidence.

mod recommendation;
mod rules;
mod thresholds;

#[cfg(test)]
mod tests;

use crate::Profile;
use crate::views::Units;
pub use recommendation::{Recommendation, Severity};
pub use thresholds::Thresholds;

/// A check of a profile that returns recommendations.
///
/// Your own rule can use data that the profile does not contain: store that data in the rule's
/// type.
///
/// ```
/// use memprof::report::{Advisor, Recommendation, Rule, Severity, Thresholds};
/// use memprof::Profile;
///
/// /// Reports arrays that are stored with a scale factor.
/// struct ScaledUnits<'a>(&'a [(Vec<f64>, f64)]);
///
/// impl Rule for ScaledUnits<'_> {
///     fn name(&self) -> &str {
///         "scaled units"
///     }
///
///     fn check(&self, _: &Profile, _: &Thresholds) -> Vec<Recommendation> {
///         let scaled = self.0.iter().filter(|(_, factor)| *factor != 1.0).count();
///         let found = Recommendation::new(Severity::Info, format!("{scaled} arrays are scaled"));
///         if scaled == 0 { vec![] } else { vec![found.with_action("convert them to base units")] }
///     }
/// }
///
/// let arrays = [(vec![1.0], 1.0), (vec![2.0], 1000.0)];
/// let advisor = Advisor::new().rule(ScaledUnits(&arrays));
/// let advice = advisor.advise(&Profile::of(&arrays));
/// assert!(advice.iter().any(|found| found.rule() == "scaled units"));
/// ```
pub trait Rule {
    /// Returns the name of the rule, shown next to its recommendations.
    fn name(&self) -> &str;

    /// Returns what the rule found in the profile; empty if it found nothing.
    fn check(&self, profile: &Profile, thresholds: &Thresholds) -> Vec<Recommendation>;
}

/// A set of rules and the thresholds above which they report.
#[must_use]
pub struct Advisor<'r> {
    rules: Vec<Box<dyn Rule + 'r>>,
    thresholds: Thresholds,
}

impl<'r> Advisor<'r> {
    /// Returns an advisor with all rules that come with memprof: `share equal`, `shared`,
    /// `auxiliary`, `metadata`, `spare`, `padding`, `externally held`, `not exact`.
    pub fn new() -> Self {
        Self { rules: rules::all(), thresholds: Thresholds::default() }
    }

    /// Returns an advisor without rules.
    pub fn without_rules() -> Self {
        Self { rules: Vec::new(), thresholds: Thresholds::default() }
    }

    /// Adds a rule.
    pub fn rule(mut self, rule: impl Rule + 'r) -> Self {
        self.rules.push(Box::new(rule));
        self
    }

    /// Removes the rules of this name.
    pub fn without(mut self, name: &str) -> Self {
        self.rules.retain(|rule| rule.name() != name);
        self
    }

    /// Sets the thresholds.
    pub fn thresholds(mut self, thresholds: Thresholds) -> Self {
        self.thresholds = thresholds;
        self
    }

    /// Returns what the rules found in a profile: the most severe first, then the largest savings.
    ///
    /// # Cost
    /// Each rule reads the tree once.
    pub fn advise(&self, profile: &Profile) -> Vec<Recommendation> {
        let mut advice = Vec::new();
        for rule in &self.rules {
            for mut found in rule.check(profile, &self.thresholds) {
                rule.name().clone_into(&mut found.rule);
                advice.push(found);
            }
        }
        advice.sort_by_key(|found| core::cmp::Reverse((found.severity(), found.savings())));
        advice
    }
}

impl Default for Advisor<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl core::fmt::Debug for Advisor<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let rules: Vec<&str> = self.rules.iter().map(|rule| rule.name()).collect();
        let thresholds = &self.thresholds;
        out.debug_struct("Advisor").field("rules", &rules).field("thresholds", thresholds).finish()
    }
}

/// # Advice
impl Profile {
    /// Returns what the rules that come with memprof found; an [`Advisor`] applies other rules.
    ///
    /// ```
    /// use memprof::Profile;
    ///
    /// let mut numbers = Vec::with_capacity(1_000_000);
    /// numbers.push(1_u64);
    /// let advice = Profile::named("numbers", &numbers).advice();
    /// assert_eq!(advice[0].rule(), "spare");
    /// assert_eq!(advice[0].savings(), Some(7_999_992));
    /// println!("{}", advice[0]);
    /// ```
    pub fn advice(&self) -> Vec<Recommendation> {
        Advisor::new().advise(self)
    }
}

/// The units of bytes in the evidence.
const UNITS: Units = Units::Iec;
