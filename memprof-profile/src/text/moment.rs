//! Moments and spans of time as people read them.

use core::time::Duration;

/// Formats a moment for people, given as nanoseconds since 1970 began.
///
/// ```
/// assert_eq!(memprof_profile::text::utc(0), "1970-01-01 00:00:00 UTC");
/// ```
pub fn utc(unix_ns: u64) -> String {
    let (date, time) = date_and_time(unix_ns / 1_000_000_000);
    format!("{date} {time} UTC")
}

/// Formats a moment as in RFC 3339, given as seconds since 1970 began.
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

/// Formats a span of time for people.
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
    use super::{rfc3339, span, utc};

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
