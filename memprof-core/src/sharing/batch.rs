//! Handles of a slice, which are looked up together.

/// The number of handles in a batch. If one in ten leads to a new allocation, 256 have enough of
/// those to keep the memory busy.
pub(crate) const BATCH: usize = 256;

/// The number of addresses between the prefetch for an address and its look-up.
pub(super) const AHEAD: usize = 24;

/// The addresses that handles of a slice lead to, and the places of those left to visit.
#[derive(Debug)]
pub(crate) struct Batch {
    addresses: [usize; BATCH],
    len: usize,
    left: Left,
}

/// The places of the addresses that are left, in order.
///
/// It is separate from the addresses, which are eight times as large, because it stays on the stack
/// while the rest is visited.
#[derive(Debug)]
pub(crate) struct Left {
    places: [u8; BATCH],
    len: usize,
}

impl Left {
    /// Returns the places that are left.
    #[inline]
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        self.places[..self.len].iter().map(|&place| usize::from(place))
    }
}

impl Batch {
    /// Collects at most [`BATCH`] addresses. None of them is left before [`sift`](Self::sift).
    #[inline]
    pub(crate) fn of(addresses: impl Iterator<Item = usize>) -> Self {
        let left = Left { places: [0; BATCH], len: 0 };
        let mut batch = Self { addresses: [0; BATCH], len: 0, left };
        let mut len = 0;
        for (place, address) in batch.addresses.iter_mut().zip(addresses) {
            *place = address;
            len += 1;
        }
        batch.len = len;
        batch
    }

    /// Returns the places that are left.
    pub(super) fn into_left(self) -> Left {
        self.left
    }

    /// Returns the addresses that are left.
    #[inline]
    pub(super) fn left(&self) -> impl Iterator<Item = usize> {
        self.left.places().map(|place| self.addresses[place])
    }

    /// Returns the addresses that [`sift`](Self::sift) passes first.
    pub(super) fn first(&self) -> &[usize] {
        &self.addresses[..self.len.min(AHEAD)]
    }

    /// Keeps all addresses for which `wanted` returns `true`, without branching on the result. The
    /// second argument of `wanted` is an address to prefetch: one that is passed later, or an
    /// arbitrary one near the end.
    #[inline]
    pub(super) fn sift(&mut self, mut wanted: impl FnMut(usize, usize) -> bool) {
        let Left { places, len } = &mut self.left;
        let mut left = 0;
        for (index, &address) in self.addresses[..self.len].iter().enumerate() {
            let later = self.addresses[(index + AHEAD) % BATCH];
            places[left % BATCH] = index as u8;
            left += usize::from(wanted(address, later));
        }
        *len = left;
    }

    /// Keeps those of the remaining addresses for which `wanted` returns `true`.
    #[inline]
    pub(super) fn retain(&mut self, mut wanted: impl FnMut(usize) -> bool) {
        let Left { places, len } = &mut self.left;
        let mut left = 0;
        for index in 0..*len {
            let place = places[index % BATCH];
            places[left % BATCH] = place;
            left += usize::from(wanted(self.addresses[usize::from(place)]));
        }
        *len = left;
    }
}
