//! The source of random values: the same seed creates the same value.

/// The maximum number of elements of one value in all its containers.
const ELEMENTS: usize = 4_000;

/// The maximum number of levels of containers inside containers.
const LEVELS: u32 = 5;

/// A stream of random numbers, with the number of elements and levels that the value may still get.
#[derive(Clone)]
pub(crate) struct Random {
    state: u64,
    elements: usize,
    level: u32,
    /// The number of containers created so far.
    pub(crate) containers: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed, elements: ELEMENTS, level: 0, containers: 0 }
    }

    /// Returns the next number of Steele, Lea and Flood's `SplitMix64`.
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// Returns a number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    pub(crate) fn flip(&mut self) -> bool {
        self.next() & 1 == 0
    }

    /// Returns a number of elements: mostly few, sometimes many, and 0 once the value has its
    /// maximum.
    pub(crate) fn len(&mut self) -> usize {
        let most = match self.below(16) {
            0..10 => 6,
            10..13 => 13,
            13..15 => 100,
            _ => 1_500,
        };
        let len = self.below(most + 1).min(self.elements);
        self.elements -= len;
        len
    }

    /// Returns a capacity to request, which uses up no elements.
    pub(crate) fn capacity(&mut self) -> usize {
        let most = if self.below(8) == 0 { 300 } else { 20 };
        self.below(most)
    }

    /// Creates a container, one level deeper.
    pub(crate) fn container<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        self.containers += 1;
        self.level += 1;
        let container = make(self);
        self.level -= 1;
        container
    }

    /// Returns `true` if values may contain further containers here.
    pub(crate) fn may_nest(&self) -> bool {
        self.level < LEVELS && self.elements > 0
    }
}
