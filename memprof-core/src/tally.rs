//! Sums that a loop over values keeps in registers instead of in the tree.

/// The buffers met in a loop over values of one type: their number, length and capacity.
///
/// Adding to the tree once per loop instead of once per value halves the time of a walk over
/// structs that contain text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub(crate) allocations: usize,
    pub(crate) len: usize,
    pub(crate) capacity: usize,
}

impl Tally {
    /// A tally without buffers.
    pub(crate) const NONE: Self = Self { allocations: 0, len: 0, capacity: 0 };

    /// Returns a tally without buffers.
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a tally of one buffer with room for `capacity` values, `len` of them live.
    #[inline]
    pub fn of(len: usize, capacity: usize) -> Self {
        Self { allocations: usize::from(capacity != 0), len, capacity }
    }

    /// Adds a buffer with room for `capacity` values, `len` of them live.
    #[inline]
    pub fn add(&mut self, len: usize, capacity: usize) {
        self.allocations += usize::from(capacity != 0);
        self.len += len;
        self.capacity += capacity;
    }

    /// Adds the buffers of another tally.
    #[inline]
    pub fn merge(&mut self, other: Self) {
        self.allocations += other.allocations;
        self.len = self.len.saturating_add(other.len);
        self.capacity += other.capacity;
    }
}
