//! Budgets: amounts of memory as people write them, the comparison of profiles with budgets, and the
//! tolerances of differences.
//!
//! A budget is an upper limit, so a profile that misses values proves nothing: an empty total of a
//! locked map is within any budget. Like `memprof diff --fail-if-grows`, a check fails then, and
//! names the part that was not visited. Contents that no walk visits, such as those of a channel, do
//! not fail it, because then no value with a channel could have a budget.
//!
//! Amounts are parsed without floating point, so `"0.1 KiB"` is 102 bytes on every platform.

use crate::Profile;
use crate::text::{Grouped, Growth, Shown, Signed, Table, Units, cut, debug_as_text, shortened};
use crate::tree::{PathNotFound, Unvisited};
use crate::views::{Diff, lower_bound, on_screen};
use core::convert::Infallible;
use core::fmt;
use core::str::FromStr;
use std::error::Error;

#[cfg(test)]
mod tests;

/// A limit for an amount of memory: a number of bytes, or a string such as `64 MiB`.
///
/// A string has a number and a unit. Units are `B`; the powers of 1024 `KiB`, `MiB`, `GiB`, `TiB`,
/// `PiB`, `EiB`; and the powers of 1000 `kB`, `MB`, `GB`, `TB`, `PB`, `EB`. A number without a unit
/// is in bytes. Fractions of a byte are dropped.
///
/// ```
/// use memprof::testing::Budget;
///
/// let bytes = |text: &str| text.parse::<Budget>().unwrap().bytes();
/// assert_eq!(bytes("64 MiB"), 64 << 20);
/// assert_eq!(bytes("1.5GiB"), 3 << 29);
/// assert_eq!(bytes("100 kB"), 100_000);
/// assert_eq!(bytes("4096"), 4096);
/// assert_eq!(
///     "64 Mib".parse::<Budget>().unwrap_err().to_string(),
///     "\"64 Mib\" is not an amount of memory: unknown unit \"Mib\", did you mean \"MiB\"?"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Budget {
    bytes: u64,
}

impl Budget {
    /// Returns a budget of this number of bytes.
    pub const fn of_bytes(bytes: u64) -> Self {
        Self { bytes }
    }

    /// Returns the number of bytes.
    pub const fn bytes(self) -> u64 {
        self.bytes
    }
}

/// Shows IEC units, rounded to one digit after the point.
impl fmt::Display for Budget {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Units::Iec.show(self.bytes).fmt(out)
    }
}

impl FromStr for Budget {
    type Err = AmountError;

    fn from_str(text: &str) -> Result<Self, AmountError> {
        parse(text).map(Self::of_bytes)
    }
}

impl TryFrom<&str> for Budget {
    type Error = AmountError;

    fn try_from(text: &str) -> Result<Self, AmountError> {
        text.parse()
    }
}

impl TryFrom<&String> for Budget {
    type Error = AmountError;

    fn try_from(text: &String) -> Result<Self, AmountError> {
        text.parse()
    }
}

/// Converts from `i32`, the type of a literal without a suffix.
impl TryFrom<i32> for Budget {
    type Error = AmountError;

    fn try_from(bytes: i32) -> Result<Self, AmountError> {
        let bytes = u64::try_from(bytes)
            .map_err(|_| AmountError::new(&bytes.to_string(), Kind::Negative))?;
        Ok(Self::of_bytes(bytes))
    }
}

impl From<u32> for Budget {
    fn from(bytes: u32) -> Self {
        Self::of_bytes(bytes.into())
    }
}

impl From<u64> for Budget {
    fn from(bytes: u64) -> Self {
        Self::of_bytes(bytes)
    }
}

impl From<usize> for Budget {
    fn from(bytes: usize) -> Self {
        Self::of_bytes(bytes as u64)
    }
}

/// A conversion that never runs, because a number of bytes is always a valid budget.
impl From<Infallible> for AmountError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// Panics if a value exceeds its budget, or a path in the value exceeds the path's own budget.
///
/// ```
/// # use memprof::{assert_budget, Profile};
/// let names: Vec<String> = (0..1000).map(|i| format!("row {i}")).collect();
/// let model = (vec![0.0_f64; 4096], names);
/// assert_budget!(model, "64 KiB");
/// assert_budget!(model, "64 KiB", "0" => "32.1 KiB", "1" => "33 kB");
/// ```
///
/// The first argument is an expression. Its value is a [`Profile`](crate::Profile) or has a type
/// that implements [`MemoryProfile`](crate::MemoryProfile). The macro borrows the value.
///
/// A budget is a number of bytes or a string such as `"64 MiB"`; [`Budget`](crate::testing::Budget)
/// lists the accepted texts. A path is one that [`Profile::bytes_at`](crate::Profile::bytes_at)
/// accepts. Its budget covers the path and everything below it.
///
/// # Panics
/// - Panics if a budget is exceeded. The message contains the figures and the tree, largest
///   first, within a screen of 40 lines and 100 columns.
/// - Panics if a part of the value was not visited, because it is locked or borrowed. Its bytes are
///   unknown, so the value may be over its budget. The message names the part.
/// - Panics if a path does not exist. The message lists the paths that do.
/// - Panics if a budget is not an amount of memory.
/// - Panics if the value is a mutable reference, or a reference to a reference, because a reference
///   owns nothing.
///
/// [`Profile::check_budget`](crate::Profile::check_budget) returns an error instead.
#[macro_export]
macro_rules! assert_budget {
    ($value:expr, $budget:expr $(, $path:expr => $of_path:expr)* $(,)?) => {{
        use $crate::testing::Profiled as _;
        let value = ::core::stringify!($value);
        $crate::testing::assert_budget(
            value,
            ($value).__memprof_profile(),
            $crate::testing::budget(value, $budget),
            &[$(($path, $crate::testing::budget(value, $of_path))),*],
        )
    }};
    ($($other:tt)*) => {
        ::core::compile_error!(
            "expected `assert_budget!(value, \"1 MiB\", \"path\" => \"1 KiB\")`: the value, the budget \
             of its total, and budgets of paths"
        )
    };
}

/// # Budgets
impl Profile {
    /// Checks the profile against a budget, and each given path against its own budget.
    ///
    /// In tests, use [`assert_budget!`](crate::assert_budget).
    ///
    /// ```
    /// use memprof::testing::Budget;
    /// use memprof::Profile;
    ///
    /// let profile = Profile::named("pair", &(vec![0_u8; 1000], [0_u8; 8]));
    /// let kib = Budget::of_bytes(1024);
    /// assert!(profile.check_budget(kib, &[("0", kib)]).is_err());
    /// assert!(profile.check_budget(2000_u64.into(), &[("0", kib)]).is_ok());
    /// ```
    ///
    /// # Errors
    /// Returns an error if a budget is exceeded, if a path does not exist, or if the walk did not
    /// visit all values that a budget covers, for example because a lock was held.
    ///
    /// # Cost
    /// Takes as long as [`bytes_at`](Self::bytes_at) for each path. Errors also format the tree.
    pub fn check_budget(
        &self,
        whole: Budget,
        paths: &[(&str, Budget)],
    ) -> Result<(), BudgetExceeded> {
        let of_paths = paths.iter().map(|&(path, budget)| (Some(path), budget));
        let failures: Vec<Failure> = core::iter::once((None, whole))
            .chain(of_paths)
            .filter_map(|(path, budget)| self.exceeds(path, budget))
            .collect();
        if failures.is_empty() { Ok(()) } else { Err(BudgetExceeded::new(self, failures)) }
    }

    fn exceeds(&self, path: Option<&str>, budget: Budget) -> Option<Failure> {
        let unvisited = self.unvisited_at(path.unwrap_or_default());
        let bytes = match self.try_bytes_at(path.unwrap_or_default()) {
            Ok(bytes) => bytes,
            // Values that were not visited may have the path.
            Err(_) if unvisited.is_some() => 0,
            Err(error) => return Some(Failure::NoPath(error)),
        };
        let is_over = bytes > budget.bytes();
        let path = path.map(str::to_owned);
        (is_over || unvisited.is_some()).then_some(Failure::Bytes {
            path,
            bytes,
            budget,
            unvisited,
        })
    }
}

/// The error of a profile or path that exceeds its budget or that could not be checked, or of a path
/// that does not exist.
///
/// `Display` writes the figures and the tree, largest first, within 40 lines and 100 columns.
#[derive(Clone)]
pub struct BudgetExceeded {
    root: String,
    failures: Vec<Failure>,
    tree: String,
}

/// A budget that was exceeded or could not be checked, or a path that does not exist.
#[derive(Clone, Debug)]
enum Failure {
    Bytes { path: Option<String>, bytes: u64, budget: Budget, unvisited: Option<Unvisited> },
    NoPath(PathNotFound),
}

impl Failure {
    fn is_over(&self) -> bool {
        matches!(self, Self::Bytes { bytes, budget, .. } if *bytes > budget.bytes())
    }

    /// Returns the path, bytes, budget, excess, and the part that was not checked.
    fn cells(&self) -> Option<Vec<String>> {
        let Self::Bytes { path, bytes, budget, unvisited } = self else { return None };
        let name = path.as_ref().map_or("total".into(), |path| Shown(path).to_string());
        let amount = lower_bound(unvisited.is_some(), Units::Iec.show(*bytes));
        let (before, after) = (budget.bytes(), *bytes);
        let (over, growth) = if self.is_over() {
            let over = Signed { before, after, units: Units::Iec };
            (over.to_string(), Growth { before, after }.to_string())
        } else {
            Default::default()
        };
        let note =
            unvisited.as_ref().map_or_else(String::new, |part| format!("not checked: {part}"));
        Some(vec![name, amount, format!("of {budget}"), over, growth, note])
    }
}

/// The lines and columns of a screen, minus one line that is printed before the message.
const LINES: usize = 39;
const WIDTH: usize = 100;

/// The maximum number of failures that the message lists; it counts the rest.
const MAX_LISTED: usize = 12;

const MAX_ROOT_WIDTH: usize = 44;

impl BudgetExceeded {
    fn new(profile: &Profile, failures: Vec<Failure>) -> Self {
        // Subtract three lines: the first line, an empty line, and possibly `…n more`.
        let lines = LINES - failures.len().min(MAX_LISTED) - 3;
        let root = profile.root().name().into();
        Self { root, tree: on_screen(profile, lines, WIDTH), failures }
    }

    /// Returns the paths that have a budget and do not exist.
    pub fn missing_paths(&self) -> impl Iterator<Item = &PathNotFound> {
        self.failures.iter().filter_map(|failure| match failure {
            Failure::NoPath(error) => Some(error),
            Failure::Bytes { .. } => None,
        })
    }

    /// Returns the first line: what is wrong, most important first.
    fn heading(&self) -> String {
        let root = shortened(&Shown(&self.root).to_string(), MAX_ROOT_WIDTH);
        let over = self.failures.iter().filter(|failure| failure.is_over()).count();
        let missing = self.missing_paths().count();
        let unchecked = self.failures.len() - over - missing;
        // Only what the first sentence does not state follows.
        let (first, unchecked, missing) = match (over, unchecked) {
            (0, 0) => ("has no such path", 0, 0),
            (0, _) => ("could not be checked", 0, missing),
            _ => ("is over budget", unchecked, missing),
        };
        let count = |count: usize, one: &str, some: &str| {
            (count > 0).then(|| if count == 1 { one } else { some }.to_owned())
        };
        let sentences = [
            Some(format!("{root} {first}")),
            count(unchecked, "One part could not be checked", "Some parts could not be checked"),
            count(missing, "One path does not exist", "Some paths do not exist"),
        ];
        let sentences: Vec<String> = sentences.into_iter().flatten().collect();
        let end = if sentences.len() > 1 { "." } else { "" };
        format!("{}{end}", sentences.join(". "))
    }
}

impl fmt::Display for BudgetExceeded {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.heading())?;
        let listed = &self.failures[..self.failures.len().min(MAX_LISTED)];
        let table = Table::of_rows(listed.iter().filter_map(Failure::cells).collect(), &[0, 5]);
        let mut lines = table.lines(WIDTH);
        let missing = listed.iter().filter_map(|failure| match failure {
            Failure::NoPath(error) => Some(error.to_string()),
            Failure::Bytes { .. } => None,
        });
        lines.extend(missing);
        if self.failures.len() > MAX_LISTED {
            let more = Grouped((self.failures.len() - MAX_LISTED) as u64);
            lines.push(format!("…{more} more"));
        }
        lines.iter().try_for_each(|line| write!(out, "\n{}", cut(line, WIDTH)))?;
        write!(out, "\n\n{}", self.tree)
    }
}

debug_as_text!(BudgetExceeded);

impl Error for BudgetExceeded {}

/// The largest accepted change, in bytes or in percent of the total before: `4 KiB`, `0.5 %`, `5%`.
///
/// ```
/// use memprof::testing::Tolerance;
/// use memprof::Profile;
///
/// let (before, after) = (Profile::of(&vec![0_u8; 1000]), Profile::of(&vec![0_u8; 1020]));
/// assert!(after.diff(&before).is_within("2%".parse()?));
/// assert!(!after.diff(&before).is_within("19 B".parse()?));
/// # Ok::<(), memprof::testing::AmountError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tolerance {
    allowed: Allowed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Allowed {
    Bytes(Budget),
    /// A share in millionths of a percent.
    Share(u64),
}

impl Diff<'_> {
    /// Returns whether each path, and the total, changed by at most the tolerance. New and gone
    /// paths count with all their bytes.
    ///
    /// Returns `false` if a walk did not visit all values, because their bytes may have changed.
    pub fn is_within(&self, tolerance: Tolerance) -> bool {
        if self.has_lower_end() {
            return false;
        }
        let largest = self.largest_change();
        let whole = self.before_bytes().abs_diff(self.after_bytes());
        tolerance.covers(largest.max(whole), self.before_bytes())
    }
}

impl Tolerance {
    /// Returns whether growth from `before` to `after` bytes is within the tolerance. A percentage
    /// is one of `before`.
    ///
    /// ```
    /// use memprof::testing::Tolerance;
    ///
    /// let tolerance: Tolerance = "5%".parse()?;
    /// assert!(tolerance.allows_growth(1000, 1050));
    /// assert!(!tolerance.allows_growth(1000, 1051));
    /// assert!(tolerance.allows_growth(1000, 10));
    /// # Ok::<(), memprof::testing::AmountError>(())
    /// ```
    pub fn allows_growth(self, before: u64, after: u64) -> bool {
        self.covers(after.saturating_sub(before), before)
    }

    fn covers(self, change: u64, before: u64) -> bool {
        match self.allowed {
            Allowed::Bytes(budget) => change <= budget.bytes(),
            // The left side is less than 2^64 times 2^27, so only the right side can overflow.
            Allowed::Share(millionths) => {
                let allowed = u128::from(millionths).checked_mul(before.into());
                allowed.is_none_or(|allowed| u128::from(change) * 100_000_000 <= allowed)
            }
        }
    }
}

impl FromStr for Tolerance {
    type Err = AmountError;

    fn from_str(text: &str) -> Result<Self, AmountError> {
        let allowed = match share(text) {
            Some(share) => Allowed::Share(share?),
            None => Allowed::Bytes(text.parse().map_err(AmountError::or_share)?),
        };
        Ok(Self { allowed })
    }
}

impl TryFrom<&str> for Tolerance {
    type Error = AmountError;

    fn try_from(text: &str) -> Result<Self, AmountError> {
        text.parse()
    }
}

impl From<Budget> for Tolerance {
    fn from(bytes: Budget) -> Self {
        Self { allowed: Allowed::Bytes(bytes) }
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.allowed {
            Allowed::Bytes(budget) => budget.fmt(out),
            Allowed::Share(millionths) => {
                let (whole, part) = (millionths / 1_000_000, millionths % 1_000_000);
                let part = format!("{part:06}");
                let part = part.trim_end_matches('0');
                let point = if part.is_empty() { "" } else { "." };
                write!(out, "{whole}{point}{part} %")
            }
        }
    }
}

/// The reason why a text is not an amount of memory or a percentage. `Display` names what was
/// expected.
#[derive(Clone, PartialEq, Eq)]
pub struct AmountError {
    text: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Malformed,
    Number(String),
    Negative,
    TooLarge,
    Share,
    Tolerance,
    Unit { unit: String, suggestion: &'static str },
}

impl AmountError {
    fn new(text: &str, kind: Kind) -> Self {
        Self { text: text.into(), kind }
    }

    /// Returns the same error for a string that could also be a percentage.
    fn or_share(self) -> Self {
        let is_malformed = self.kind == Kind::Malformed;
        Self { kind: if is_malformed { Kind::Tolerance } else { self.kind }, ..self }
    }
}

impl fmt::Display for AmountError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let description = match self.kind {
            Kind::Share => "not a percentage",
            Kind::Tolerance => "neither a percentage nor an amount of memory",
            _ => "not an amount of memory",
        };
        write!(out, "{:?} is {description}: ", self.text)?;
        match &self.kind {
            Kind::Malformed => out.write_str(
                "expected a number and a unit, such as \"64 MiB\", \"1.5 GiB\", \"100 kB\" or \"4096 B\"",
            ),
            Kind::Number(number) => {
                write!(out, "{number:?} is not a number, expected one such as \"64\" or \"1.5\"")
            }
            Kind::Negative => out.write_str("expected at least 0 bytes"),
            Kind::TooLarge => out.write_str("expected less than 16 EiB"),
            Kind::Share => out.write_str("expected a number and a percent sign, such as \"5%\""),
            Kind::Tolerance => out.write_str("expected one such as \"5%\" or \"4 KiB\""),
            Kind::Unit { unit, suggestion } => {
                write!(out, "unknown unit {unit:?}, did you mean {suggestion:?}?")
            }
        }
    }
}

debug_as_text!(AmountError);

impl Error for AmountError {}

const UNITS: [(&str, u64); 13] = [
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("PiB", 1 << 50),
    ("EiB", 1 << 60),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("PB", 1_000_000_000_000_000),
    ("EB", 1_000_000_000_000_000_000),
];

fn parse(text: &str) -> Result<u64, AmountError> {
    let error = |kind| AmountError::new(text, kind);
    let trimmed = text.trim();
    if trimmed.starts_with('-') {
        return Err(error(Kind::Negative));
    }
    let is_number = |char: char| char.is_ascii_digit() || matches!(char, '.' | ',' | '_' | ' ');
    let end = trimmed.find(|char| !is_number(char)).unwrap_or(trimmed.len());
    let (number, unit) = (trimmed[..end].trim_end(), &trimmed[end..]);
    let decimal = decimal(number).ok_or_else(|| match number {
        "" => error(Kind::Malformed),
        number => error(Kind::Number(number.into())),
    });
    let bytes = unit_bytes(unit).ok_or_else(|| match similar_unit(unit) {
        Some(suggestion) => error(Kind::Unit { unit: unit.into(), suggestion }),
        None => error(Kind::Malformed),
    });
    let (whole, fraction) = decimal?;
    amount(&whole, &fraction, bytes?).ok_or_else(|| error(Kind::TooLarge))
}

fn share(text: &str) -> Option<Result<u64, AmountError>> {
    let number = text.trim().strip_suffix('%')?.trim_end();
    let millionths = decimal(number).and_then(|(whole, part)| amount(&whole, &part, 1_000_000));
    Some(millionths.ok_or_else(|| AmountError::new(text, Kind::Share)))
}

/// Splits a number into the digits before the point and the digits after it.
fn decimal(number: &str) -> Option<(String, String)> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let (whole, fraction) = (digits(&without_commas(whole)?)?, digits(fraction)?);
    (!whole.is_empty() && !fraction.is_empty()).then_some((whole, fraction))
}

/// Commas are between groups of three digits, as reports print them.
fn without_commas(whole: &str) -> Option<String> {
    let mut groups = whole.split(',').map(str::len);
    let is_grouped = matches!(groups.next(), Some(1..=3)) && groups.all(|len| len == 3);
    (is_grouped || !whole.contains(',')).then(|| whole.replace(',', ""))
}

fn digits(text: &str) -> Option<String> {
    let is_separator = |char: char| matches!(char, '_' | ' ');
    if text.starts_with(is_separator) || text.ends_with(is_separator) {
        return None;
    }
    let digits: String = text.chars().filter(|&char| !is_separator(char)).collect();
    digits.chars().all(|char| char.is_ascii_digit()).then_some(digits)
}

/// Multiplies a decimal number by a unit, without rounding in between.
fn amount(whole: &str, fraction: &str, unit: u64) -> Option<u64> {
    let whole = whole.parse::<u64>().ok()?.checked_mul(unit)?;
    // Digits after the 18th add less than one byte for any unit but `EiB`, and less than two for
    // `EiB`.
    let fraction = &fraction[..fraction.len().min(18)];
    let scale = 10_u128.pow(fraction.len() as u32);
    let part = fraction.parse::<u128>().unwrap_or(0) * u128::from(unit) / scale;
    whole.checked_add(part as u64)
}

fn unit_bytes(unit: &str) -> Option<u64> {
    if unit.is_empty() {
        return Some(1);
    }
    UNITS.iter().find(|(name, _)| *name == unit).map(|&(_, bytes)| bytes)
}

/// Returns the unit that equals `unit` except for case, or the IEC unit that begins with `unit`.
fn similar_unit(unit: &str) -> Option<&'static str> {
    let is_similar = |name: &str| {
        name.eq_ignore_ascii_case(unit)
            || unit.len() == 1 && name.ends_with("iB") && name[..1].eq_ignore_ascii_case(unit)
    };
    UNITS.iter().map(|&(name, _)| name).find(|name| is_similar(name))
}
