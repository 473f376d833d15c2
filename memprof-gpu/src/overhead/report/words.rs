//! Times and ratios as people read them.

use crate::overhead::comparison::Timing;
use crate::overhead::statistics::Estimate;

/// Three digits and a unit: `0.31 ns`, `4.20 µs`, `118 ms`.
pub(super) fn time(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds.abs() {
        ..999.5 => (nanoseconds, "ns"),
        ..999_500.0 => (nanoseconds / 1e3, "µs"),
        ..999_500_000.0 => (nanoseconds / 1e6, "ms"),
        _ => (nanoseconds / 1e9, "s"),
    };
    format!("{} {unit}", digits(value))
}

/// Three digits, with as many after the point as that leaves.
pub(super) fn digits(value: f64) -> String {
    let text = match value.abs() {
        ..9.995 => format!("{value:.2}"),
        ..99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    };
    let is_zero = text.trim_start_matches('-').chars().all(|digit| "0.".contains(digit));
    if is_zero { "0".to_owned() } else { text.replace('-', "−") }
}

/// `+110 ns`, `−3.00 µs`.
pub(super) fn signed(nanoseconds: f64) -> String {
    let text = time(nanoseconds);
    if text.starts_with('−') || text.starts_with("0 ") { text } else { format!("+{text}") }
}

/// A time per element, which may be far below a nanosecond: `0.50 ns`, `3.2e-5 ns`.
pub(super) fn tiny(nanoseconds: f64) -> String {
    if nanoseconds == 0.0 || nanoseconds.abs() >= 0.01 {
        return time(nanoseconds);
    }
    format!("{nanoseconds:.1e} ns").replace('-', "−")
}

/// A ratio: `1.353`, `12.4`.
pub(super) fn ratio(ratio: f64) -> String {
    if (0.0..9.9995).contains(&ratio) { format!("{ratio:.3}") } else { digits(ratio) }
}

/// `1.33 to 1.37`, or nothing.
pub(super) fn interval(estimate: Option<&Estimate>) -> String {
    let interval = estimate.and_then(|estimate| estimate.interval);
    interval.map_or_else(String::new, |(low, high)| format!("{} to {}", ratio(low), ratio(high)))
}

/// A share: `64 %`, `0.8 %`.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        ..0.095 => format!("{percent:.2} %"),
        ..9.95 => format!("{percent:.1} %"),
        _ => format!("{percent:.0} %"),
    }
}

/// `±1.2 %`, or that it is unknown.
pub(super) fn noise(timing: &Timing) -> String {
    timing.noise.map_or_else(|| "unknown".to_owned(), |noise| format!("±{}", percent(noise)))
}

/// The verdict, and whether it was the same again.
pub(super) fn verdict(timing: &Timing) -> String {
    let verdict = timing.verdict.words();
    match (timing.is_stable(), timing.spread) {
        (Some(false), Some(spread)) => {
            format!("{verdict}, unstable: repeats differ by {}", percent(spread))
        }
        _ => verdict.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{percent, ratio, signed, time, tiny};

    #[test]
    fn times_have_three_digits_and_no_negative_zero() {
        let table = [
            (0.0, "0 ns"),
            (-0.001, "0 ns"),
            (0.314, "0.31 ns"),
            (9.996, "10.0 ns"),
            (999.4, "999 ns"),
            (999.6, "1.00 µs"),
            (-2500.0, "−2.50 µs"),
            (1.5e8, "150 ms"),
            (2e10, "20.0 s"),
        ];
        for (nanoseconds, expected) in table {
            assert_eq!(time(nanoseconds), expected);
        }
        assert_eq!([signed(0.0), signed(3.0), signed(-3.0)], ["0 ns", "+3.00 ns", "−3.00 ns"]);
    }

    #[test]
    fn what_is_tiny_or_a_share_keeps_its_digits() {
        assert_eq!([tiny(0.000_032), tiny(0.5)], ["3.2e−5 ns", "0.50 ns"]);
        let shares = [0.0003, 0.008, 0.0996, 1.2].map(percent);
        assert_eq!(shares, ["0.03 %", "0.8 %", "10 %", "120 %"]);
        assert_eq!([ratio(1.0), ratio(12.34)], ["1.000", "12.3"]);
    }
}
