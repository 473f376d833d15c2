//! Units: powers of metre, kilogram and second, and a scale.

use core::fmt;
use core::ops::{Div, Mul};
use memprof::MemoryProfile;

/// Powers of the base units, times a scale: a kilometre is the metre to the power of 1, times 1000.
#[derive(Clone, Copy, Debug, PartialEq, MemoryProfile)]
pub struct Unit {
    powers: [i8; 3],
    scale: f64,
}

impl Unit {
    /// The unit of plain numbers.
    pub const ONE: Self = Self { powers: [0; 3], scale: 1.0 };
    /// `m`.
    pub const METRE: Self = Self { powers: [1, 0, 0], scale: 1.0 };
    /// `km`.
    pub const KILOMETRE: Self = Self { powers: [1, 0, 0], scale: 1000.0 };
    /// `s`.
    pub const SECOND: Self = Self { powers: [0, 0, 1], scale: 1.0 };

    /// Returns `true` if values of both units can be added, possibly after a conversion.
    pub fn is_like(&self, other: &Self) -> bool {
        self.powers == other.powers
    }

    /// Returns the factor that converts values of `other` to this unit; `None` if the factor is 1.
    #[expect(clippy::float_cmp, reason = "equal scales are the same number")]
    pub fn factor_from(&self, other: &Self) -> Option<f64> {
        (self.scale != other.scale).then(|| other.scale / self.scale)
    }
}

impl Mul for Unit {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let power = |index: usize| self.powers[index].saturating_add(other.powers[index]);
        Self { powers: [power(0), power(1), power(2)], scale: self.scale * other.scale }
    }
}

impl Div for Unit {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let power = |index: usize| self.powers[index].saturating_sub(other.powers[index]);
        Self { powers: [power(0), power(1), power(2)], scale: self.scale / other.scale }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let powers = ["m", "kg", "s"].into_iter().zip(self.powers).filter(|(_, power)| *power != 0);
        let powers =
            powers.map(
                |(name, power)| {
                    if power == 1 { name.to_owned() } else { format!("{name}^{power}") }
                },
            );
        let powers: Vec<String> = powers.collect();
        match (self.scale.to_bits() == 1.0_f64.to_bits(), powers.is_empty()) {
            (true, true) => out.write_str("1"),
            (true, false) => out.write_str(&powers.join(" ")),
            (false, true) => write!(out, "{}", self.scale),
            (false, false) => write!(out, "{} {}", self.scale, powers.join(" ")),
        }
    }
}
