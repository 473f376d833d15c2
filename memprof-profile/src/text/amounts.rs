//! Amounts as people read them: bytes and counts (`1.2 MiB`, `8,388,608`), changes (`+1.2 MiB`,
//! `+12.5 %`, `×40`), moments and spans of time.
//!
//! Everything is computed in integers and rounded once, so a value never rounds up into the next
//! unit, and one amount has the same text in every view and on the page.

use core::fmt;
use core::time::Duration;

/// The units in which bytes are shown.
///
/// ```
/// use memprof::views::Units;
///
/// assert_eq!(Units::Iec.show(1_258_291).to_string(), "1.2 MiB");
/// assert_eq!(Units::Si.show(1_258_291).to_string(), "1.3 MB");
/// assert_eq!(Units::Bytes.show(1_258_291).to_string(), "1,258,291 B");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Units {
    /// Powers of 1024: `KiB`, `MiB`, `GiB`, …
    #[default]
    Iec,
    /// Powers of 1000: `kB`, `MB`, `GB`, …
    Si,
    /// Plain bytes, never rounded.
    Bytes,
}

/// An amount of bytes in some units, returned by [`Units::show`]. `{}` prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    bytes: u64,
    units: Units,
}

impl Units {
    /// Returns `bytes` in these units: whole bytes below the first unit, else one digit after the
    /// point.
    ///
    /// Halves are rounded up. A value that rounds up to the next unit is shown in that unit:
    /// 1,048,575 bytes are `1.0 MiB`, not `1024.0 KiB`.
    pub const fn show(self, bytes: u64) -> Amount {
        Amount { bytes, units: self }
    }

    fn scale(self) -> (u128, &'static [&'static str]) {
        match self {
            Self::Iec => (1024, &["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]),
            Self::Si => (1000, &["kB", "MB", "GB", "TB", "PB", "EB"]),
            Self::Bytes => (u128::MAX, &[]),
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (base, names) = self.units.scale();
        let bytes = u128::from(self.bytes);
        if bytes < base {
            return out.pad(&format!("{} B", Grouped(self.bytes)));
        }
        let mut unit = 1;
        let mut shown = (0, "");
        for name in names {
            unit *= base;
            shown = ((bytes * 10 + unit / 2) / unit, *name);
            if shown.0 < base * 10 {
                break;
            }
        }
        out.pad(&format!("{}.{} {}", shown.0 / 10, shown.0 % 10, shown.1))
    }
}

/// A count with commas between its thousands.
///
/// ```
/// assert_eq!(memprof::views::Grouped(8_388_608).to_string(), "8,388,608");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "it wraps one value and never gains a field")]
pub struct Grouped(pub u64);

impl fmt::Display for Grouped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                out.write_str(",")?;
            }
            write!(out, "{digit}")?;
        }
        Ok(())
    }
}

/// A share of a whole with one digit after the point; shown as `–` if the whole is 0.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers construct it, so a new field is a breaking change"
)]
pub struct Percent {
    /// The part.
    pub part: u64,
    /// The whole.
    pub whole: u64,
}

impl fmt::Display for Percent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.whole == 0 {
            return out.pad("–");
        }
        let whole = u128::from(self.whole);
        let tenths = (u128::from(self.part) * 1000 + whole / 2) / whole;
        out.pad(&format!("{}.{} %", tenths / 10, tenths % 10))
    }
}

/// Returns a share between 0 and 1 with one digit after the point.
///
/// ```
/// use memprof_profile::text::percent;
///
/// assert_eq!(percent(0.8544), "85.4 %");
/// ```
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Returns `n things`, or `1 thing`.
///
/// ```
/// use memprof_profile::text::counted;
///
/// assert_eq!(counted(1, "value"), "1 value");
/// assert_eq!(counted(4096, "value"), "4,096 values");
/// ```
pub fn counted(count: u64, thing: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {thing}{ending}", Grouped(count))
}

/// A change of bytes with its sign.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers construct it, so a new field is a breaking change"
)]
pub struct Signed {
    /// The bytes before.
    pub before: u64,
    /// The bytes after.
    pub after: u64,
    /// The units of the difference.
    pub units: Units,
}

impl fmt::Display for Signed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&change(i128::from(self.after) - i128::from(self.before), self.units))
    }
}

/// Formats a change of bytes with its sign.
///
/// ```
/// use memprof_profile::text::{change, Units};
///
/// assert_eq!([4096, -1, 0].map(|bytes| change(bytes, Units::Iec)), ["+4.0 KiB", "−1 B", "±0 B"]);
/// ```
pub fn change(bytes: i128, units: Units) -> String {
    format!("{}{}", sign(bytes), magnitude(bytes, units))
}

/// Formats bytes that may be negative.
///
/// ```
/// use memprof_profile::text::{signed, Units};
///
/// assert_eq!([4096, -1, 0].map(|bytes| signed(bytes, Units::Iec)), ["4.0 KiB", "−1 B", "0 B"]);
/// ```
pub fn signed(bytes: i128, units: Units) -> String {
    let sign = if bytes < 0 { "−" } else { "" };
    format!("{sign}{}", magnitude(bytes, units))
}

fn magnitude(bytes: i128, units: Units) -> Amount {
    units.show(u64::try_from(bytes.unsigned_abs()).unwrap_or(u64::MAX))
}

/// A change relative to the amount before; shown as `–` if that amount is 0.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers construct it, so a new field is a breaking change"
)]
pub struct Growth {
    /// The amount before.
    pub before: u64,
    /// The amount after.
    pub after: u64,
}

/// The ratio from which growth is shown as a factor, because `+6,710,786 %` is hard to read.
const FACTOR: u128 = 10;

impl fmt::Display for Growth {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self { before, after } = self;
        let (whole, all) = (u128::from(before), u128::from(after));
        if whole > 0 && all >= FACTOR * whole {
            let factor = (all + whole / 2) / whole;
            return out.pad(&format!("×{}", Grouped(factor as u64)));
        }
        if before == 0 {
            return out.pad("–");
        }
        let share = Percent { part: before.abs_diff(after), whole: before };
        out.pad(&format!("{}{share}", sign(i128::from(after) - i128::from(before))))
    }
}

fn sign(change: i128) -> &'static str {
    match change {
        ..0 => "−",
        0 => "±",
        1.. => "+",
    }
}

/// Formats a human-readable time, given as nanoseconds since the Unix epoch.
///
/// ```
/// assert_eq!(memprof_profile::text::utc(0), "1970-01-01 00:00:00 UTC");
/// ```
pub fn utc(unix_ns: u64) -> String {
    let (date, time) = date_and_time(unix_ns / 1_000_000_000);
    format!("{date} {time} UTC")
}

/// Formats a time as in RFC 3339, given as seconds since the Unix epoch.
///
/// ```
/// assert_eq!(memprof_profile::text::rfc3339(0), "1970-01-01T00:00:00Z");
/// ```
pub fn rfc3339(unix_seconds: u64) -> String {
    let (date, time) = date_and_time(unix_seconds);
    format!("{date}T{time}Z")
}

fn date_and_time(seconds: u64) -> (String, String) {
    let (year, month, day) = date(seconds / 86_400);
    let [hour, minute, second] = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60];
    (format!("{year:04}-{month:02}-{day:02}"), format!("{hour:02}:{minute:02}:{second:02}"))
}

/// Returns the date that is `days` days after 1970 began. Years start in March here, so that a leap
/// day is the last day of a year. Every 400 years then have the same number of days.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let leap_days = day_of_era / 1460 + day_of_era / 146_096 - day_of_era / 36_524;
    let year_of_era = (day_of_era - leap_days) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

/// Formats the mean lifetime of freed blocks, for the end of a line about a call site. Lifetimes are
/// known to the millisecond.
///
/// ```
/// use core::time::Duration;
///
/// let text = memprof_profile::text::lived;
/// assert_eq!(text(Duration::from_millis(3)), ", freed blocks lived 3.0 ms");
/// assert_eq!(text(Duration::ZERO), ", freed blocks lived less than 1 ms");
/// ```
pub fn lived(mean: Duration) -> String {
    let nanoseconds = u64::try_from(mean.as_nanos()).unwrap_or(u64::MAX);
    let mean = if nanoseconds < 1_000_000 { "less than 1 ms".into() } else { span(nanoseconds) };
    format!(", freed blocks lived {mean}")
}

/// Formats a human-readable duration.
///
/// ```
/// assert_eq!(memprof_profile::text::span(12_345_678), "12.3 ms");
/// assert_eq!(memprof_profile::text::span(125_000_000_000), "2 min 5 s");
/// ```
pub fn span(nanoseconds: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("µs", 1000), ("ms", 1_000_000), ("s", 1_000_000_000)];
    if nanoseconds < 1000 {
        return format!("{nanoseconds} ns");
    }
    for (name, unit) in UNITS {
        let tenths = (u128::from(nanoseconds) * 10 + u128::from(unit) / 2) / u128::from(unit);
        let end = if name == "s" { 600 } else { 10_000 };
        if tenths < end {
            return format!("{}.{} {name}", tenths / 10, tenths % 10);
        }
    }
    let seconds = (nanoseconds / 1_000_000_000).max(60);
    let of = |large: u64, name: &str, small: u64, rest: &str| {
        let first = format!("{} {name}", seconds / large);
        match seconds % large / small {
            0 => first,
            left => format!("{first} {left} {rest}"),
        }
    };
    match seconds {
        ..3600 => of(60, "min", 1, "s"),
        3600..86_400 => of(3600, "h", 60, "min"),
        _ => of(86_400, "d", 3600, "h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_rounded_once_and_never_reach_the_next_unit() {
        // The page's scripts format amounts too, and their tests read the same table.
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/units.json");
        let table = std::fs::read_to_string(path).expect("the table is there");
        let mut cases: Vec<_> = table.lines().filter_map(case).collect();
        assert!(cases.len() >= 12, "{cases:?}");
        // JavaScript cannot represent this number, so the table does not contain it.
        let most = ["16.0 EiB", "18.4 EB", "18,446,744,073,709,551,615 B"];
        cases.push((u64::MAX, most.map(String::from)));
        for (bytes, expected) in cases {
            let shown =
                [Units::Iec, Units::Si, Units::Bytes].map(|units| units.show(bytes).to_string());
            assert_eq!(shown, expected, "{bytes}");
        }
    }

    fn case(line: &str) -> Option<(u64, [String; 3])> {
        let (bytes, texts) = line.trim().strip_prefix('[')?.split_once(',')?;
        let mut texts = texts.split('"').skip(1).step_by(2).map(String::from);
        let texts = [texts.next()?, texts.next()?, texts.next()?];
        Some((bytes.parse().ok()?, texts))
    }

    #[test]
    fn shares_are_rounded_to_a_tenth_of_a_percent() {
        let cases = [
            (0, 0, "–"),
            (0, 7, "0.0 %"),
            (1, 3, "33.3 %"),
            (2, 3, "66.7 %"),
            (1, 2000, "0.1 %"),
            (1, 2001, "0.0 %"),
            (u64::MAX, u64::MAX, "100.0 %"),
        ];
        for (part, whole, expected) in cases {
            assert_eq!(Percent { part, whole }.to_string(), expected, "{part} of {whole}");
        }
    }

    #[test]
    fn changes_have_a_sign_and_large_growth_is_a_factor() {
        let cases = [
            (0, 0, "±0 B", "–"),
            (0, 5, "+5 B", "–"),
            (5, 0, "−5 B", "−100.0 %"),
            (8, 8, "±0 B", "±0.0 %"),
            (8, 9, "+1 B", "+12.5 %"),
            (1024, 3072, "+2.0 KiB", "+200.0 %"),
            (100, 999, "+899 B", "+899.0 %"),
            (100, 1000, "+900 B", "×10"),
            (1, u64::MAX, "+16.0 EiB", "×18,446,744,073,709,551,615"),
            (u64::MAX, 0, "−16.0 EiB", "−100.0 %"),
        ];
        for (before, after, signed, growth) in cases {
            let units = Units::Iec;
            assert_eq!(Signed { before, after, units }.to_string(), signed, "{before} {after}");
            assert_eq!(Growth { before, after }.to_string(), growth, "{before} {after}");
        }
    }

    #[test]
    fn moments_are_dates_of_the_calendar() {
        let cases = [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_399, "2000-02-28 23:59:59 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (951_868_800, "2000-03-01 00:00:00 UTC"),
            (1_767_225_599, "2025-12-31 23:59:59 UTC"),
            (1_795_249_800, "2026-11-21 08:30:00 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
            (u64::MAX / 1_000_000_000, "2554-07-21 23:34:33 UTC"),
        ];
        for (seconds, expected) in cases {
            assert_eq!(utc(seconds * 1_000_000_000), expected);
            let rfc = expected.replacen(' ', "T", 1).replace(" UTC", "Z");
            assert_eq!(rfc3339(seconds), rfc);
        }
    }

    #[test]
    fn spans_have_two_figures_and_never_reach_the_next_unit() {
        let cases = [
            (0, "0 ns"),
            (999, "999 ns"),
            (1000, "1.0 µs"),
            (999_949, "999.9 µs"),
            (999_950, "1.0 ms"),
            (12_345_678, "12.3 ms"),
            (999_950_000, "1.0 s"),
            (59_949_999_999, "59.9 s"),
            (59_950_000_000, "1 min"),
            (60_000_000_000, "1 min"),
            (125_000_000_000, "2 min 5 s"),
            (3_600_000_000_000, "1 h"),
            (90_000_000_000_000, "1 d 1 h"),
            (u64::MAX, "213503 d 23 h"),
        ];
        for (nanoseconds, expected) in cases {
            assert_eq!(span(nanoseconds), expected);
        }
    }
}
