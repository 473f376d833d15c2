//! The error of a string that is not an amount of memory.

use core::fmt;
use std::error::Error;

/// The reason why a text is not an amount of memory or a percentage. `Display` names what was
/// expected.
#[derive(Clone, PartialEq, Eq)]
pub struct AmountError {
    text: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Malformed,
    Negative,
    TooLarge,
    Share,
    Tolerance,
    UnitMisspelt { unit: String, suggestion: &'static str },
}

impl AmountError {
    pub(crate) fn malformed(text: &str) -> Self {
        Self { text: text.into(), kind: Kind::Malformed }
    }

    pub(crate) fn negative(text: &str) -> Self {
        Self { text: text.into(), kind: Kind::Negative }
    }

    pub(crate) fn too_large(text: &str) -> Self {
        Self { text: text.into(), kind: Kind::TooLarge }
    }

    pub(crate) fn share(text: &str) -> Self {
        Self { text: text.into(), kind: Kind::Share }
    }

    /// Returns the same error for a string that could also be a percentage.
    pub(crate) fn or_share(self) -> Self {
        let is_malformed = self.kind == Kind::Malformed;
        Self { kind: if is_malformed { Kind::Tolerance } else { self.kind }, ..self }
    }

    pub(crate) fn unit_misspelt(text: &str, unit: &str, suggestion: &'static str) -> Self {
        Self { text: text.into(), kind: Kind::UnitMisspelt { unit: unit.into(), suggestion } }
    }
}

impl fmt::Display for AmountError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let description = match self.kind {
            Kind::Share => "not a percentage",
            Kind::Tolerance => "neither a percentage nor an amount of memory",
            _ => "not an amount of memory",
        };
        write!(out, "{:?} is {description}: ", self.text)?;
        match &self.kind {
            Kind::Malformed => out.write_str(
                "expected a number and a unit, such as \"64 MiB\", \"1.5 GiB\", \"100 kB\" or \"4096 B\"",
            ),
            Kind::Negative => out.write_str("expected at least 0 bytes"),
            Kind::TooLarge => out.write_str("expected less than 16 EiB"),
            Kind::Share => out.write_str("expected a number and a percent sign, such as \"5%\""),
            Kind::Tolerance => out.write_str("expected one such as \"5%\" or \"4 KiB\""),
            Kind::UnitMisspelt { unit, suggestion } => {
                write!(out, "unknown unit {unit:?}, did you mean {suggestion:?}?")
            }
        }
    }
}

/// Writes the same text as `Display`, because `main` and `unwrap` print `Debug`.
impl fmt::Debug for AmountError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for AmountError {}
