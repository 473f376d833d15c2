//! What can be wrong with an amount of memory.

use core::fmt;
use std::error::Error;

/// Why a text is no amount of memory; shown, it says what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BudgetError {
    text: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Malformed,
    Negative,
    TooLarge,
    UnitMisspelt { unit: String, likely: &'static str },
}

impl BudgetError {
    pub(crate) fn malformed(text: &str) -> Self {
        Self { text: text.into(), kind: Kind::Malformed }
    }

    pub(crate) fn negative(text: &str) -> Self {
        Self { text: text.into(), kind: Kind::Negative }
    }

    pub(crate) fn too_large(text: &str) -> Self {
        Self { text: text.into(), kind: Kind::TooLarge }
    }

    pub(crate) fn unit_misspelt(text: &str, unit: &str, likely: &'static str) -> Self {
        Self { text: text.into(), kind: Kind::UnitMisspelt { unit: unit.into(), likely } }
    }
}

impl fmt::Display for BudgetError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?} is no amount of memory: ", self.text)?;
        match &self.kind {
            Kind::Malformed => out.write_str(
                "expected a number and a unit, such as \"64 MiB\", \"1.5 GiB\", \"100 kB\" or \"4096 B\"",
            ),
            Kind::Negative => out.write_str("expected at least 0 bytes"),
            Kind::TooLarge => out.write_str("expected less than 16 EiB"),
            Kind::UnitMisspelt { unit, likely } => {
                write!(out, "there is no unit {unit:?}, did you mean {likely:?}?")
            }
        }
    }
}

impl Error for BudgetError {}
