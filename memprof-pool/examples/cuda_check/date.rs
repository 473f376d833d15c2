//! The date, from the seconds since 1970.

/// A date in UTC: `2026-11-21`.
pub(super) fn utc(unix_seconds: u64) -> String {
    let leap_days = |year: u64| {
        let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100);
        u64::from(is_leap || year.is_multiple_of(400))
    };
    let (mut year, mut day) = (1970, unix_seconds / 86_400);
    while day >= 365 + leap_days(year) {
        day -= 365 + leap_days(year);
        year += 1;
    }
    let february = 28 + leap_days(year);
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < days {
            break;
        }
        day -= days;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", day + 1)
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn days_are_those_of_the_calendar() {
        let cases = [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_798_761_599, "2026-12-31"),
            (4_107_542_400, "2100-03-01"),
        ];
        for (seconds, date) in cases {
            assert_eq!(utc(seconds), date);
        }
    }
}
