//! Advice: rules that read a profile and report what to change, each with its evidence.
//!
//! The rules that come with memprof are the table [`RULES`]. A rule is one function that looks at
//! the whole value or at one line of the plain tree. What a finding is worth is decided in one
//! place, so that no rule can overstate it:
//!
//! - **A promise needs an exact part.** Unread contents may hold further handles, entries or
//!   capacity, and an estimate is no amount to promise. A finding about such a part keeps its
//!   evidence and loses its savings. `externally held` and `metadata` report nothing then, because
//!   unread contents would turn their statement around.
//! - **Importance is a share of the whole value.** A finding is a warning only if it concerns
//!   `warning_share` of the value. In a value of 3.4 MiB, 803 KiB of capacity in a buffer that is
//!   76 % full matter, and 14 KiB in a buffer that is empty do not.
//! - **A saving must last.** Excess capacity that was removed stays away. The free slots of a B-tree
//!   do not: see [`HALF_EMPTY`].

use crate::Profile;
use crate::statistics::Statistics;
use crate::text::{Grouped, Percent, counted};
use crate::tree::{Branch, Leaf, LeafKind, Path};
use crate::views::{Marks, Units, spare_bytes};
use core::fmt;
use memprof_core::tree::sort_by;
use std::collections::HashMap;

#[cfg(test)]
mod tests;

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

memprof_core::keywords! {
    /// The importance of a finding.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Severity {
        /// Good news that needs no action.
        Good => "good",
        /// A fact that is worth knowing.
        Info => "info",
        /// Memory that could be saved, and a large part of the whole value.
        Warning => "warning",
        /// A problem that leads to a failure later if nothing changes.
        Critical => "critical",
    }
}

/// The thresholds above which the rules that come with memprof report.
///
/// ```
/// use memprof::report::{Advisor, Thresholds};
///
/// let mut thresholds = Thresholds::default();
/// thresholds.spare_share = 0.5;
/// let advisor = Advisor::new().thresholds(thresholds);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Thresholds {
    /// The minimum share of the whole value that a finding concerns if it is a warning. Default:
    /// 0.1. Smaller findings are reported as info.
    pub warning_share: f64,
    /// The maximum size of a value that the rule `metadata` counts as small. Default: 1024 bytes.
    pub small_value_bytes: u64,
    /// The minimum share of metadata in a small value that the rule `metadata` reports. Default:
    /// 0.9.
    pub metadata_share: f64,
    /// The minimum ratio of auxiliary bytes to data that the rule `auxiliary` reports. Default:
    /// 1.0, which means equal amounts.
    pub auxiliary_ratio: f64,
    /// The minimum share of excess capacity that the rule `spare` reports, relative to all bytes of
    /// the buffers with that capacity. Default: 0.25. Capacity of at least
    /// [`warning_share`](Self::warning_share) of the whole value is reported in any case.
    pub spare_share: f64,
    /// The minimum share of padding in all bytes that the rule `padding` reports. Default: 0.1.
    pub padding_share: f64,
    /// The minimum excess capacity, padding or externally held memory that a rule reports. Default:
    /// 4096 bytes.
    pub min_bytes: u64,
    /// The maximum number of findings that one rule returns: those that concern the most bytes.
    /// Default: 5.
    pub max_findings: usize,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            warning_share: 0.1,
            small_value_bytes: 1024,
            metadata_share: 0.9,
            auxiliary_ratio: 1.0,
            spare_share: 0.25,
            padding_share: 0.1,
            min_bytes: 4096,
            max_findings: 5,
        }
    }
}

/// A finding of a rule, with its figures and the action to take.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Recommendation {
    rule: String,
    severity: Severity,
    path: Option<String>,
    evidence: String,
    action: Option<String>,
    savings: Option<u64>,
    is_upper_bound: bool,
    /// The bytes that the finding concerns, by which findings are sorted.
    weight: u64,
}

impl Recommendation {
    /// Returns a finding with the figures behind it as `evidence`.
    pub fn new(severity: Severity, evidence: impl Into<String>) -> Self {
        Self {
            rule: String::new(),
            severity,
            path: None,
            evidence: evidence.into(),
            action: None,
            savings: None,
            is_upper_bound: false,
            weight: 0,
        }
    }

    /// Limits the finding to a path.
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Sets the action to take.
    pub fn with_action(mut self, action: impl Into<String>) -> Self {
        self.action = Some(action.into());
        self
    }

    /// Sets the bytes that the action saves.
    pub fn with_savings(self, bytes: u64) -> Self {
        Self { savings: Some(bytes), is_upper_bound: false, weight: bytes, ..self }
    }

    /// Sets an upper bound of the bytes that the action saves.
    pub fn with_savings_at_most(self, bytes: u64) -> Self {
        Self { savings: Some(bytes), is_upper_bound: true, weight: bytes, ..self }
    }

    /// Returns the name of the rule.
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// Returns the importance of the finding.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns the path of the finding, spelled as in folded stacks; `None` if the finding is about
    /// the whole profile.
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// Returns the figures behind the finding.
    pub fn evidence(&self) -> &str {
        &self.evidence
    }

    /// Returns the action to take, if there is one.
    pub fn action(&self) -> Option<&str> {
        self.action.as_deref()
    }

    /// Returns the bytes that the action saves, or an upper bound; `None` if neither is known.
    pub fn savings(&self) -> Option<u64> {
        self.savings
    }

    /// Returns `true` if [`savings`](Self::savings) is an upper bound and not the exact amount.
    pub fn is_upper_bound(&self) -> bool {
        self.is_upper_bound
    }

    pub(crate) fn line(&self, path: fn(&str) -> String, text: fn(&str) -> String) -> String {
        let path = self.path.as_ref().map(|at| format!(" at {}", path(at)));
        let action = self.action.as_ref().map(|action| format!("; {}", text(action)));
        let savings = self.savings.filter(|&bytes| bytes > 0);
        let bound = if self.is_upper_bound { "at most " } else { "" };
        let savings = savings.map(|bytes| format!(" (saves {bound}{})", UNITS.show(bytes)));
        format!(
            "{}{}: {}{}{}",
            text(&self.rule),
            path.unwrap_or_default(),
            text(&self.evidence),
            action.unwrap_or_default(),
            savings.unwrap_or_default(),
        )
    }
}

/// Writes the finding on one line, such as
/// `spare at numbers: 7.6 MiB of 7.6 MiB is unused capacity (100.0 %); call … (saves 7.6 MiB)`.
impl fmt::Display for Recommendation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.line(str::to_owned, str::to_owned))
    }
}

/// A set of rules and the thresholds above which they report.
#[must_use]
pub struct Advisor<'r> {
    built_in: Vec<&'static BuiltIn>,
    rules: Vec<Box<dyn Rule + 'r>>,
    thresholds: Thresholds,
}

impl<'r> Advisor<'r> {
    /// Returns an advisor with all rules that come with memprof: `share equal`, `shared`,
    /// `auxiliary`, `metadata`, `spare`, `padding`, `externally held`, `not exact`.
    pub fn new() -> Self {
        Self { built_in: RULES.iter().collect(), ..Self::without_rules() }
    }

    /// Returns an advisor without rules.
    pub fn without_rules() -> Self {
        Self { built_in: Vec::new(), rules: Vec::new(), thresholds: Thresholds::default() }
    }

    /// Adds a rule.
    pub fn rule(mut self, rule: impl Rule + 'r) -> Self {
        self.rules.push(Box::new(rule));
        self
    }

    /// Removes the rules with this name.
    pub fn without(mut self, name: &str) -> Self {
        self.built_in.retain(|rule| rule.name != name);
        self.rules.retain(|rule| rule.name() != name);
        self
    }

    /// Sets the thresholds.
    pub fn thresholds(mut self, thresholds: Thresholds) -> Self {
        self.thresholds = thresholds;
        self
    }

    /// Returns what the rules found in a profile: most severe first, then those that concern the
    /// most bytes.
    ///
    /// # Cost
    /// The rules that come with memprof read the tree together, once.
    pub fn advise(&self, profile: &Profile) -> Vec<Recommendation> {
        let mut advice = self.check_built_in(profile);
        for rule in &self.rules {
            for found in rule.check(profile, &self.thresholds) {
                advice.push(Recommendation { rule: rule.name().to_owned(), ..found });
            }
        }
        sort(&mut advice);
        advice
    }

    /// At most `max_findings` for each name.
    fn check_built_in(&self, profile: &Profile) -> Vec<Recommendation> {
        if self.built_in.is_empty() {
            return Vec::new();
        }
        let plain = profile.plain();
        let (statistics, thresholds) = (profile.statistics(), &self.thresholds);
        let value = Value { profile, root: plain.root(), statistics, thresholds };
        let mut found = Vec::new();
        for &rule in &self.built_in {
            if let Find::Whole(find) = rule.find {
                found.extend(find(&value).map(|finding| value.rate(rule, finding, value.root)));
            }
        }
        each_line(value.root, &mut Path::default(), &mut |path, line| {
            for &rule in &self.built_in {
                if let Find::Line(find) = rule.find {
                    let finding = find(&value, line).map(|found| found.at(path));
                    found.extend(finding.map(|finding| value.rate(rule, finding, line)));
                }
            }
        });
        sort(&mut found);
        let mut counts = HashMap::new();
        found.retain(|found| {
            let count = counts.entry(found.rule.clone()).or_insert(0);
            *count += 1;
            *count <= thresholds.max_findings
        });
        found
    }
}

impl Default for Advisor<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Advisor<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rules: Vec<&str> = self.built_in.iter().map(|rule| rule.name).collect();
        rules.dedup();
        rules.extend(self.rules.iter().map(|rule| rule.name()));
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

const UNITS: Units = Units::Iec;

struct BuiltIn {
    name: &'static str,
    /// The severity of a finding that concerns a large part of the value.
    severity: Severity,
    find: Find,
}

enum Find {
    Whole(fn(&Value<'_>) -> Option<Finding>),
    Line(fn(&Value<'_>, Branch<'_>) -> Option<Finding>),
}

/// The rules that come with memprof. Of equal findings, those of an earlier rule come first.
static RULES: [BuiltIn; 10] = {
    use Find::{Line, Whole};
    use Severity::{Good, Info, Warning};
    const fn rule(name: &'static str, severity: Severity, find: Find) -> BuiltIn {
        BuiltIn { name, severity, find }
    }
    [
        rule("share equal", Warning, Line(equal_values)),
        rule("shared", Good, Line(shared_allocations)),
        rule("auxiliary", Warning, Whole(auxiliary_memory)),
        rule("metadata", Warning, Whole(small_values)),
        rule("spare", Warning, Line(unused_capacity)),
        rule("spare", Warning, Line(half_empty_nodes)),
        rule("spare", Info, Line(fixed_capacity)),
        rule("padding", Info, Whole(padding)),
        rule("externally held", Info, Whole(externally_held)),
        rule("not exact", Info, Whole(not_exact)),
    ]
};

struct Value<'p> {
    profile: &'p Profile,
    root: Branch<'p>,
    statistics: Statistics,
    thresholds: &'p Thresholds,
}

struct Finding {
    path: Option<String>,
    bytes: u64,
    evidence: String,
    action: Option<&'static str>,
    saves: Saves,
}

#[derive(Clone, Copy, PartialEq)]
enum Saves {
    Unknown,
    All,
    AtMost,
}

impl Finding {
    fn new(bytes: u64, evidence: String) -> Self {
        Self { path: None, bytes, evidence, action: None, saves: Saves::Unknown }
    }

    fn action(self, action: &'static str, saves: Saves) -> Self {
        Self { action: Some(action), saves, ..self }
    }

    fn at(self, path: &Path<'_>) -> Self {
        Self { path: Some(path.to_string()), ..self }
    }
}

impl Value<'_> {
    /// Adds savings if the part that the finding is about is exact.
    fn rate(&self, rule: &BuiltIn, finding: Finding, part: Branch<'_>) -> Recommendation {
        let Finding { path, bytes, evidence, action, saves } = finding;
        let is_large = is_share(bytes, self.root.total_bytes(), self.thresholds.warning_share);
        let severity = if is_large { rule.severity } else { rule.severity.min(Severity::Info) };
        let savings = (saves != Saves::Unknown && part.is_exact()).then_some(bytes);
        Recommendation {
            rule: rule.name.to_owned(),
            severity,
            path,
            evidence,
            action: action.map(str::to_owned),
            savings,
            is_upper_bound: savings.is_some() && saves == Saves::AtMost,
            weight: bytes,
        }
    }

    /// Returns a finding if `part` is at least `share` of some buffers' bytes.
    fn excess(&self, part: u64, whole: u64, share: f64, what: &str) -> Option<Finding> {
        let is_reported = part >= self.thresholds.min_bytes && is_share(part, whole, share);
        is_reported.then(|| Finding::new(part, evidence(part, whole, what)))
    }

    /// `spare_share`, or less if the excess is a large part of the whole value.
    fn spare_share(&self, excess: u64) -> f64 {
        let Thresholds { warning_share, spare_share, .. } = *self.thresholds;
        if is_share(excess, self.root.total_bytes(), warning_share) { 0.0 } else { spare_share }
    }
}

fn equal_values(_: &Value<'_>, line: Branch<'_>) -> Option<Finding> {
    let counts = line.counts();
    let (values, bytes) = (counts.duplicates, counts.duplicate_bytes);
    if values == 0 {
        return None;
    }
    let verb = if values == 1 { "equals" } else { "equal" };
    let evidence = format!(
        "{} ({}) {verb} another and could share it",
        counted(values, "value"),
        UNITS.show(bytes)
    );
    let action = "store each distinct value in an `Arc` once, and clone that handle";
    // If each value has an `Rc` or `Arc` of its own, its counts and alignment go too.
    let bytes_of = |kind| {
        let leaves = line.leaves().iter().filter(|leaf| leaf.kind() == kind);
        leaves.map(Leaf::bytes).fold(0, u64::saturating_add)
    };
    let around = match bytes_of(LeafKind::Counts) {
        0 => 0,
        counts => counts.saturating_add(bytes_of(LeafKind::Padding)),
    };
    Some(Finding::new(bytes.saturating_add(around), evidence).action(action, Saves::AtMost))
}

/// Reports lines where shared allocations have at least two handles on average, as good news.
fn shared_allocations(_: &Value<'_>, line: Branch<'_>) -> Option<Finding> {
    let counts = line.counts();
    if counts.shared_allocations == 0 || counts.handles / 2 < counts.shared_allocations {
        return None;
    }
    let allocations = counted(counts.shared_allocations, "allocation");
    Some(Finding::new(0, format!("{} handles share {allocations}", Grouped(counts.handles))))
}

/// Reports on the profile as a whole, and names the path with the most auxiliary bytes.
fn auxiliary_memory(value: &Value<'_>) -> Option<Finding> {
    let Statistics { data, auxiliary, .. } = value.statistics;
    if auxiliary == 0 || !is_share(auxiliary, data, value.thresholds.auxiliary_ratio) {
        return None;
    }
    let evidence = format!(
        "{} of auxiliary memory beside {} of data ({})",
        UNITS.show(auxiliary),
        UNITS.show(data),
        Percent { part: auxiliary, whole: data },
    );
    let (mut most, mut largest) = (0, None);
    each_line(value.root, &mut Path::default(), &mut |path, line| {
        let own = Statistics::right_at(line).auxiliary;
        if own > most {
            (most, largest) = (own, Some(path.to_string()));
        }
    });
    let action = "compute it on demand, or store it in a smaller type";
    let found = Finding::new(auxiliary, evidence).action(action, Saves::AtMost);
    Some(Finding { path: largest, ..found })
}

/// Reports a small value, or a collection whose elements are small on average, with more metadata
/// than data. Excess capacity is left out, because the rule `spare` reports it.
fn small_values(value: &Value<'_>) -> Option<Finding> {
    let Statistics { metadata, spare, data, .. } = value.statistics;
    let (total, thresholds) = (value.statistics.total(), value.thresholds);
    let values = value.profile.root().counts().values.max(1);
    let metadata = metadata.saturating_sub(spare);
    let is_small = total / values <= thresholds.small_value_bytes;
    // The data may be in contents that were not read.
    let is_known = total > 0 && value.root.is_exact();
    if !is_known || !is_small || !is_share(metadata, total, thresholds.metadata_share) {
        return None;
    }
    let share = evidence(metadata, total, "is metadata");
    if data == 0 {
        return Some(Finding::new(0, format!("{share}, with no data")));
    }
    let each = match values {
        1 => "the value is small".into(),
        _ => format!("{} values are small", Grouped(values)),
    };
    let action = "batch them: store the data of many in one array, and the metadata once";
    Some(Finding::new(metadata, format!("{each}: {share}")).action(action, Saves::Unknown))
}

fn unused_capacity(value: &Value<'_>, line: Branch<'_>) -> Option<Finding> {
    let counts = line.counts();
    let (freed, buffers) = (counts.shrinkable_bytes, counts.buffer_bytes);
    let action = "call `shrink_to_fit` after filling it, or reserve only the capacity it needs";
    let found = value.excess(freed, buffers, value.spare_share(freed), "is unused capacity")?;
    Some(found.action(action, Saves::All))
}

/// The share of free bytes in the nodes of a B-tree from which collecting the entries is worthwhile.
///
/// Keys that are inserted in random order leave about 33 % of the nodes' bytes free, and removing a
/// part of them at random 34 % to 39 %. Collecting the entries fills all nodes, but random inserts
/// split full nodes: after 10 % more keys the saving is gone, and after 20 % the collected tree is
/// the larger one, by an eighth. Keys that are inserted in ascending or descending order leave 47 %
/// free, and collecting them saves that for good, because further keys at the same end split no
/// full node. An emptied tree keeps a leaf, all of which is free. (10,000 keys, Rust 1.95. Below 200
/// keys, the figures scatter.)
const HALF_EMPTY: f64 = 0.42;

fn half_empty_nodes(value: &Value<'_>, line: Branch<'_>) -> Option<Finding> {
    let counts = line.counts();
    let (freed, buffers) = (counts.compactable_bytes, counts.buffer_bytes);
    let share = value.thresholds.spare_share.max(HALF_EMPTY);
    let action = "collect the entries into a new map, unless keys are inserted between them later";
    let found = value.excess(freed, buffers, share, "is free space in half-empty nodes")?;
    Some(found.action(action, Saves::All))
}

/// Reports excess capacity that no known action frees. Examples are buffers of readers, shared
/// buffers, and profiles from files that do not record what an action frees.
///
/// The elements of a buffer may be below the line of the tree, so the excess is compared with the
/// line's total.
fn fixed_capacity(value: &Value<'_>, line: Branch<'_>) -> Option<Finding> {
    let fixed = spare_bytes(line).saturating_sub(line.counts().buffer_bytes);
    let least = value.spare_share(fixed);
    let found = value.excess(fixed, line.total_bytes(), least, "is unused capacity")?;
    // A line has either advice, or this fact.
    let has_advice = unused_capacity(value, line).or_else(|| half_empty_nodes(value, line));
    has_advice.is_none().then_some(found)
}

fn padding(value: &Value<'_>) -> Option<Finding> {
    let (padding, total) = (value.statistics.padding, value.statistics.total());
    let share = value.thresholds.padding_share;
    let action = "use an array per field instead of an array of structs, or use smaller types";
    let found = value.excess(padding, total, share, "only aligns other bytes")?;
    Some(found.action(action, Saves::AtMost))
}

/// Reports shared allocations with handles that the walk did not visit, unless such a handle may be
/// in contents that were not read.
fn externally_held(value: &Value<'_>) -> Option<Finding> {
    let sharing = value.profile.sharing();
    let (held, freed) = (sharing.externally_held_bytes, sharing.retained_bytes);
    if held < value.thresholds.min_bytes || sharing.is_upper_bound {
        return None;
    }
    let (shown, freed) = (UNITS.show(held), UNITS.show(freed));
    let evidence = format!("{shown} is externally held: dropping the value frees {freed}");
    Some(Finding::new(held, evidence))
}

fn not_exact(value: &Value<'_>) -> Option<Finding> {
    let marks = Marks::of(value.profile.root());
    if marks.is_empty() {
        return None;
    }
    let action = "print the tree with `detailed()` to see where";
    Some(Finding::new(0, marks.of_profile(UNITS)).action(action, Saves::Unknown))
}

/// Returns a statement such as `4.9 KiB of 19.5 KiB is unused capacity (25.0 %)`.
fn evidence(part: u64, whole: u64, what: &str) -> String {
    let share = Percent { part, whole };
    format!("{} of {} {what} ({share})", UNITS.show(part), UNITS.show(whole))
}

fn each_line<'p>(
    line: Branch<'p>,
    path: &mut Path<'p>,
    visit: &mut impl FnMut(&Path<'_>, Branch<'p>),
) {
    path.push(line.name());
    visit(path, line);
    for child in line.children() {
        each_line(child, path, visit);
    }
    path.pop();
}

fn sort(advice: &mut [Recommendation]) {
    sort_by(advice, |a, b| (b.severity, b.weight).cmp(&(a.severity, a.weight)));
}

#[expect(clippy::cast_precision_loss, reason = "a threshold need not be exact")]
fn is_share(part: u64, whole: u64, share: f64) -> bool {
    whole > 0 && part as f64 >= whole as f64 * share
}
