//! How much a profile may grow: a share of what it was, or an amount.

use core::fmt;
use core::str::FromStr;
use memprof_core::Units;

/// What `--fail-if-grows` allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Threshold {
    Percent(f64),
    Bytes(u64),
}

/// The units that amounts may have, as memprof shows them.
const UNITS: [(&str, u64); 9] = [
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("kB", 1000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
];

impl Threshold {
    /// Whether a profile that was `before` and is `after` bytes large grew by more than allowed.
    #[expect(clippy::cast_precision_loss, reason = "a share need not be exact to the byte")]
    pub(crate) fn is_exceeded(self, before: u64, after: u64) -> bool {
        let growth = after.saturating_sub(before);
        match self {
            Self::Percent(percent) => growth as f64 > before as f64 * percent / 100.0,
            Self::Bytes(bytes) => growth > bytes,
        }
    }
}

impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected a share such as `5%` or an amount such as `10MiB`".to_owned();
        let number_end = text.find(|char: char| !char.is_ascii_digit() && char != '.');
        let (number, unit) = text.split_at(number_end.unwrap_or(text.len()));
        let number: f64 = number.parse().map_err(|_| expected())?;
        match unit.trim_start() {
            "%" => Ok(Self::Percent(number)),
            "" => bytes(number, 1).ok_or_else(expected),
            unit => {
                let known = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit));
                known.and_then(|&(_, factor)| bytes(number, factor)).ok_or_else(expected)
            }
        }
    }
}

/// Whole bytes, if it is so many.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "nobody limits growth to the byte in units; casts of floats saturate"
)]
fn bytes(number: f64, factor: u64) -> Option<Threshold> {
    let bytes = number * factor as f64;
    (factor > 1 || bytes.fract() == 0.0).then_some(Threshold::Bytes(bytes as u64))
}

impl fmt::Display for Threshold {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Percent(percent) => write!(out, "{percent} %"),
            Self::Bytes(bytes) => Units::Iec.show(*bytes).fmt(out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Threshold::{self, Bytes, Percent};

    #[test]
    fn shares_and_amounts_are_told_apart() {
        let cases = [
            ("5%", Some(Percent(5.0))),
            ("0.5 %", Some(Percent(0.5))),
            ("0", Some(Bytes(0))),
            ("1024", Some(Bytes(1024))),
            ("10MiB", Some(Bytes(10 << 20))),
            ("1.5 kib", Some(Bytes(1536))),
            ("2GB", Some(Bytes(2_000_000_000))),
            ("", None),
            ("%", None),
            ("-5%", None),
            ("1.5", None),
            ("5 apples", None),
            ("1.2.3%", None),
            ("inf%", None),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse::<Threshold>().ok(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_allowed_is_not_exceeded() {
        let cases = [
            (Percent(5.0), 100, 105, false),
            (Percent(5.0), 100, 106, true),
            (Percent(5.0), 0, 0, false),
            (Percent(5.0), 0, 1, true),
            (Percent(0.0), 100, 50, false),
            (Bytes(10), 100, 110, false),
            (Bytes(10), 100, 111, true),
            (Bytes(0), u64::MAX, 0, false),
        ];
        for (threshold, before, after, exceeded) in cases {
            let found = threshold.is_exceeded(before, after);
            assert_eq!(found, exceeded, "{threshold}: {before} → {after}");
        }
    }
}
