//! Reads amounts of memory.

use crate::budget::BudgetError;

/// Every unit and its bytes.
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

/// The bytes that a text stands for.
pub(crate) fn parse(text: &str) -> Result<u64, BudgetError> {
    let trimmed = text.trim();
    if trimmed.starts_with('-') {
        return Err(BudgetError::negative(text));
    }
    let is_number = |char: char| char.is_ascii_digit() || matches!(char, '.' | '_' | ' ');
    let end = trimmed.find(|char| !is_number(char)).unwrap_or(trimmed.len());
    let (number, unit) = (trimmed[..end].trim_end(), &trimmed[end..]);
    let bytes = unit_bytes(unit).ok_or_else(|| match likely_unit(unit) {
        Some(likely) => BudgetError::unit_misspelt(text, unit, likely),
        None => BudgetError::malformed(text),
    })?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let (Some(whole), Some(fraction)) = (digits(whole), digits(fraction)) else {
        return Err(BudgetError::malformed(text));
    };
    if whole.is_empty() || (number.contains('.') && fraction.is_empty()) {
        return Err(BudgetError::malformed(text));
    }
    amount(&whole, &fraction, bytes).ok_or_else(|| BudgetError::too_large(text))
}

/// Digits, of which groups may be set apart by `_` or a space.
fn digits(text: &str) -> Option<String> {
    let is_apart = |char: char| matches!(char, '_' | ' ');
    if text.starts_with(is_apart) || text.ends_with(is_apart) {
        return None;
    }
    let digits: String = text.chars().filter(|&char| !is_apart(char)).collect();
    digits.chars().all(|char| char.is_ascii_digit()).then_some(digits)
}

/// Whole and fraction times a unit, without rounding in between.
fn amount(whole: &str, fraction: &str, unit: u64) -> Option<u64> {
    let whole = whole.parse::<u64>().ok()?.checked_mul(unit)?;
    // What comes after 18 digits is less than a byte of any unit but the largest, and that for two.
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

/// The unit that differs in case only, or that a single letter stands for.
fn likely_unit(unit: &str) -> Option<&'static str> {
    let is_likely = |name: &str| {
        name.eq_ignore_ascii_case(unit)
            || unit.len() == 1 && name.ends_with("iB") && name[..1].eq_ignore_ascii_case(unit)
    };
    UNITS.iter().map(|&(name, _)| name).find(|name| is_likely(name))
}
