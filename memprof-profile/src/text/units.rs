//! Bytes and counts as people read them: `1.2 MiB`, `8 388 608`.

use core::fmt;

/// The units in which bytes are shown.
///
/// ```
/// use memprof::views::Units;
///
/// assert_eq!(Units::Iec.show(1_258_291).to_string(), "1.2 MiB");
/// assert_eq!(Units::Si.show(1_258_291).to_string(), "1.3 MB");
/// assert_eq!(Units::Bytes.show(1_258_291).to_string(), "1 258 291 B");
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
    /// A half of the last digit is rounded up. A value that rounds up to the next unit is shown in
    /// that unit: 1 048 575 bytes are `1.0 MiB`, not `1024.0 KiB`.
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

/// A count with its thousands separated by spaces.
///
/// ```
/// assert_eq!(memprof::views::Grouped(8_388_608).to_string(), "8 388 608");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "it wraps one value and never gains a field")]
pub struct Grouped(pub u64);

impl fmt::Display for Grouped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                out.write_str(" ")?;
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
        let most = ["16.0 EiB", "18.4 EB", "18 446 744 073 709 551 615 B"];
        cases.push((u64::MAX, most.map(String::from)));
        for (bytes, expected) in cases {
            let shown =
                [Units::Iec, Units::Si, Units::Bytes].map(|units| units.show(bytes).to_string());
            assert_eq!(shown, expected, "{bytes}");
        }
    }

    /// Parses a line of the table, such as `[1024, "1.0 KiB", "1.0 kB", "1 024 B"],`.
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
}
