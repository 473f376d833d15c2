//! Units: a symbol, the powers of the base units, and the factor to the coherent unit.

use memprof::MemoryProfile;
use std::hash::{Hash, Hasher};

/// The powers of length, mass, time, current, temperature, amount of substance and luminosity.
pub(crate) type Dimension = [i8; 7];

pub(crate) const LENGTH: Dimension = [1, 0, 0, 0, 0, 0, 0];
pub(crate) const SPEED: Dimension = [1, 0, -1, 0, 0, 0, 0];
pub(crate) const PRESSURE: Dimension = [-1, 1, -2, 0, 0, 0, 0];
pub(crate) const TEMPERATURE: Dimension = [0, 0, 0, 0, 1, 0, 0];

/// A unit of measurement. Arrays should share units, so the type is marked as shareable and the
/// profile counts equal units.
#[derive(Clone, Debug, MemoryProfile)]
#[profile(shareable)]
pub(crate) struct Unit {
    symbol: String,
    dimension: Dimension,
    /// The factor to the coherent unit: 1000 for km.
    scale: f64,
}

impl Unit {
    pub(crate) fn new(symbol: &str, dimension: Dimension, scale: f64) -> Self {
        Self { symbol: symbol.to_owned(), dimension, scale }
    }

    pub(crate) fn symbol(&self) -> &str {
        &self.symbol
    }

    pub(crate) fn dimension(&self) -> Dimension {
        self.dimension
    }

    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }
}

/// Hashes the bits of the factor, because floating-point numbers have no hash.
impl Hash for Unit {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.symbol.hash(state);
        self.dimension.hash(state);
        self.scale.to_bits().hash(state);
    }
}
