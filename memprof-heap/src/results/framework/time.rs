//! Readable durations: `1.2 ms`.

use core::fmt;
use core::time::Duration;

/// A duration with one decimal; below a microsecond, in whole nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time(pub(super) Duration);

/// Nanoseconds in each unit.
const UNITS: [(u128, &str); 3] = [(1000, "µs"), (1_000_000, "ms"), (1_000_000_000, "s")];

impl fmt::Display for Time {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanoseconds = self.0.as_nanos();
        if nanoseconds < 1000 {
            return write!(out, "{nanoseconds} ns");
        }
        let mut shown = (0, "");
        for (unit, name) in UNITS {
            shown = ((nanoseconds * 10 + unit / 2) / unit, name);
            if shown.0 < 10_000 {
                break;
            }
        }
        write!(out, "{}.{} {}", shown.0 / 10, shown.0 % 10, shown.1)
    }
}

#[cfg(test)]
mod tests {
    use super::Time;
    use core::time::Duration;

    #[test]
    fn times_are_rounded_once_and_never_reach_the_next_unit() {
        let cases = [
            (0, "0 ns"),
            (999, "999 ns"),
            (1000, "1.0 µs"),
            (1049, "1.0 µs"),
            (1050, "1.1 µs"),
            (999_949, "999.9 µs"),
            (999_950, "1.0 ms"),
            (1_500_000, "1.5 ms"),
            (999_950_000, "1.0 s"),
            (90_000_000_000, "90.0 s"),
            (u64::MAX, "18446744073.7 s"),
        ];
        for (nanoseconds, shown) in cases {
            assert_eq!(Time(Duration::from_nanos(nanoseconds)).to_string(), shown);
        }
        assert_eq!(Time(Duration::MAX).to_string(), "18446744073709551616.0 s");
    }
}
