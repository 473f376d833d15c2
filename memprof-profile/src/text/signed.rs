//! Changes as people read them: `+1.2 MiB`, `−4.0 KiB`, `+12.5 %`, `×40`.

use crate::text::{Amount, Grouped, Percent, Units};
use core::fmt;

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

/// The ratio from which growth is shown as a factor, because `+6 710 786 %` is hard to read.
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

#[cfg(test)]
mod tests {
    use super::*;

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
            (1, u64::MAX, "+16.0 EiB", "×18 446 744 073 709 551 615"),
            (u64::MAX, 0, "−16.0 EiB", "−100.0 %"),
        ];
        for (before, after, signed, growth) in cases {
            let units = Units::Iec;
            assert_eq!(Signed { before, after, units }.to_string(), signed, "{before} {after}");
            assert_eq!(Growth { before, after }.to_string(), growth, "{before} {after}");
        }
    }
}
