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

/// An amount of bytes in some units, ready to be shown; [`Units::show`] makes it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_rounded_once_and_never_reach_the_next_unit() {
        let cases = [
            (0, "0 B", "0 B", "0 B"),
            (1, "1 B", "1 B", "1 B"),
            (999, "999 B", "999 B", "999 B"),
            (1000, "1 000 B", "1.0 kB", "1 000 B"),
            (1023, "1 023 B", "1.0 kB", "1 023 B"),
            (1024, "1.0 KiB", "1.0 kB", "1 024 B"),
            (1075, "1.0 KiB", "1.1 kB", "1 075 B"),
            (1076, "1.1 KiB", "1.1 kB", "1 076 B"),
            (999_949, "976.5 KiB", "999.9 kB", "999 949 B"),
            (999_950, "976.5 KiB", "1.0 MB", "999 950 B"),
            (1_048_524, "1023.9 KiB", "1.0 MB", "1 048 524 B"),
            (1_048_525, "1.0 MiB", "1.0 MB", "1 048 525 B"),
            (1 << 40, "1.0 TiB", "1.1 TB", "1 099 511 627 776 B"),
            (u64::MAX, "16.0 EiB", "18.4 EB", "18 446 744 073 709 551 615 B"),
        ];
        for (bytes, iec, si, plain) in cases {
            let shown =
                [Units::Iec, Units::Si, Units::Bytes].map(|units| units.show(bytes).to_string());
            assert_eq!(shown, [iec, si, plain], "{bytes}");
        }
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
