//! The parser of amounts of memory.

use crate::budget::AmountError;

/// Every unit with its number of bytes.
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

/// Parses a text to a number of bytes.
pub(crate) fn parse(text: &str) -> Result<u64, AmountError> {
    let trimmed = text.trim();
    if trimmed.starts_with('-') {
        return Err(AmountError::negative(text));
    }
    let is_number = |char: char| char.is_ascii_digit() || matches!(char, '.' | '_' | ' ');
    let end = trimmed.find(|char| !is_number(char)).unwrap_or(trimmed.len());
    let (number, unit) = (trimmed[..end].trim_end(), &trimmed[end..]);
    let bytes = unit_bytes(unit).ok_or_else(|| match similar_unit(unit) {
        Some(suggestion) => AmountError::unit_misspelt(text, unit, suggestion),
        None => AmountError::malformed(text),
    })?;
    let (whole, fraction) = decimal(number).ok_or_else(|| AmountError::malformed(text))?;
    amount(&whole, &fraction, bytes).ok_or_else(|| AmountError::too_large(text))
}

/// Parses a string such as `5%` to millionths of a percent; `None` if it has no percent sign.
pub(crate) fn share(text: &str) -> Option<Result<u64, AmountError>> {
    let number = text.trim().strip_suffix('%')?.trim_end();
    let millionths = decimal(number).and_then(|(whole, part)| amount(&whole, &part, 1_000_000));
    Some(millionths.ok_or_else(|| AmountError::share(text)))
}

/// Splits a number into the digits before the point and the digits after it.
fn decimal(number: &str) -> Option<(String, String)> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let (whole, fraction) = (digits(whole)?, digits(fraction)?);
    (!whole.is_empty() && !fraction.is_empty()).then_some((whole, fraction))
}

/// Returns the digits of a string without the `_` and spaces that separate groups.
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
