//! The comparison of a value with a raw baseline: the overhead of the type around the data.

use crate::Profile;
use crate::text::{Code, Growth, Shown, Signed, Table, Units, head, row, shortened};
use crate::views::notes::{Known, warnings};
use core::fmt;

/// The bytes of a value compared with a baseline, returned by [`Profile::against`]. `{}` prints
/// three lines.
///
/// ```
/// use memprof::views::Units;
/// use memprof::Profile;
///
/// let data = vec![0.0_f64; 1000];
/// let baseline = Profile::named("Vec<f64>", &data);
/// let value = Profile::named("WithUnit", &(data, String::from("m/s")));
/// let comparison = value.against(&baseline);
/// assert_eq!(comparison.overhead_bytes(), 24 + 3);
/// assert_eq!(comparison.overhead_percent(), Some(100.0 * 27.0 / 8024.0));
/// assert_eq!(
///     comparison.units(Units::Bytes).to_string(),
///     "WithUnit  8,051 B\n\
///      Vec<f64>  8,024 B\n\
///      overhead    +27 B  +0.3 %"
/// );
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Comparison<'p> {
    value: &'p Profile,
    baseline: &'p Profile,
    units: Units,
}

/// # Comparison with a plain representation
impl Profile {
    /// Compares this profile with the profile of a baseline that holds the same data. For an array
    /// type, the baseline may be the `Vec<f64>` that the type wraps.
    ///
    /// For two types, only the totals can be compared. For two values of one type,
    /// [`diff`](Self::diff) lists the changes path by path.
    pub fn against<'p>(&'p self, baseline: &'p Self) -> Comparison<'p> {
        Comparison { value: self, baseline, units: Units::Iec }
    }
}

impl Comparison<'_> {
    /// Returns the bytes of the value.
    pub fn bytes(&self) -> u64 {
        self.value.total_bytes()
    }

    /// Returns the bytes of the baseline.
    pub fn baseline_bytes(&self) -> u64 {
        self.baseline.total_bytes()
    }

    /// Returns the overhead of the value; negative if the value has fewer bytes than the baseline.
    pub fn overhead_bytes(&self) -> i128 {
        i128::from(self.bytes()) - i128::from(self.baseline_bytes())
    }

    /// Returns the overhead in percent of the baseline; `None` if the baseline has no bytes.
    #[expect(clippy::cast_precision_loss, reason = "a percentage has far fewer digits")]
    pub fn overhead_percent(&self) -> Option<f64> {
        let baseline = self.baseline_bytes();
        (baseline > 0).then(|| 100.0 * self.overhead_bytes() as f64 / baseline as f64)
    }

    /// Returns whether both profiles are exact.
    pub fn is_exact(&self) -> bool {
        self.value.is_exact() && self.baseline.is_exact()
    }

    /// Sets the units of bytes. Default: [`Units::Iec`].
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Returns the comparison as a table in Markdown.
    pub fn to_markdown(&self) -> String {
        let [value, baseline] =
            [self.value, self.baseline].map(|side| Code(Shown(side.root().name())).to_string());
        let [bytes, raw] = self.known().map(|known| known.show(self.units));
        let (overhead, growth) = self.overhead();
        let names = format!("{value} with {baseline}");
        let table = head(&["value", "baseline", "overhead", "growth", "compared"])
            + &row(&[&bytes, &raw, &overhead, &growth, &names]);
        self.warnings().fold(table, |table, warning| format!("{table}\n{warning}\n"))
    }

    fn known(&self) -> [Known; 2] {
        [self.value, self.baseline].map(|side| Known::of(side.root()))
    }

    fn overhead(&self) -> (Signed, Growth) {
        let (before, after) = (self.baseline_bytes(), self.bytes());
        (Signed { before, after, units: self.units }, Growth { before, after })
    }

    /// Returns the reason why a side is not exact, for each side that is not exact.
    fn warnings(&self) -> impl Iterator<Item = String> {
        let sides = [("value", self.value), ("baseline", self.baseline)];
        sides.into_iter().filter_map(|(side, profile)| {
            let reason = warnings(profile, self.units)?;
            Some(format!("the {side} is not exact: {reason}"))
        })
    }
}

/// The maximum number of columns of a name. Longer names are shortened in the middle.
const MAX_NAME_WIDTH: usize = 60;

/// Writes the value, the baseline, and the overhead of the value.
impl fmt::Display for Comparison<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name =
            |side: &Profile| shortened(&Shown(side.root().name()).to_string(), MAX_NAME_WIDTH);
        let [bytes, raw] = self.known().map(|known| known.show(self.units));
        let (overhead, growth) = self.overhead();
        let rows = [
            [name(self.value), bytes, String::new()],
            [name(self.baseline), raw, String::new()],
            ["overhead".into(), overhead.to_string(), growth.to_string()],
        ];
        let table = Table::of_rows(rows.map(Vec::from).into(), &[0]);
        out.write_str(&table.lines(usize::MAX).join("\n"))?;
        self.warnings().try_for_each(|warning| write!(out, "\n{warning}"))
    }
}

#[cfg(feature = "json")]
mod json {
    use super::Comparison;
    use crate::Profile;
    use crate::views::notes::Known;
    use serde::Serialize;

    /// The value of the first key, which identifies the format.
    const FORMAT: &str = "memprof comparison";

    /// Raised when keys change their meaning. New keys do not raise it.
    const VERSION: u64 = 1;

    #[derive(Serialize)]
    struct Record<'c> {
        format: &'static str,
        version: u64,
        value: SideRecord<'c>,
        baseline: SideRecord<'c>,
        overhead_bytes: i128,
        overhead_percent: Option<f64>,
    }

    #[derive(Serialize)]
    struct SideRecord<'c> {
        name: &'c str,
        bytes: u64,
        exact: bool,
        /// Left out if it is `false`.
        #[serde(skip_serializing_if = "core::ops::Not::not")]
        lower_bound: bool,
    }

    impl Comparison<'_> {
        /// Returns the comparison as JSON on one line; `docs/format.md` describes it.
        #[expect(clippy::missing_panics_doc, reason = "writing to memory does not fail")]
        pub fn to_json(&self) -> String {
            let record = Record {
                format: FORMAT,
                version: VERSION,
                value: side(self.value),
                baseline: side(self.baseline),
                overhead_bytes: self.overhead_bytes(),
                overhead_percent: self.overhead_percent(),
            };
            serde_json::to_string(&record).expect("writing to memory does not fail") + "\n"
        }
    }

    fn side(profile: &Profile) -> SideRecord<'_> {
        let Known { bytes, is_lower_bound } = Known::of(profile.root());
        let (name, exact) = (profile.root().name(), profile.is_exact());
        SideRecord { name, bytes, exact, lower_bound: is_lower_bound }
    }
}
