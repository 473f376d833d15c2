//! Handles of a slice, which are met together.

/// How many: when one in ten leads to something new, 256 have enough of those to keep the memory busy.
pub(crate) const BATCH: usize = 256;

/// How many addresses later the memory of one is needed that is asked for.
pub(super) const AHEAD: usize = 24;

/// The addresses that handles of a slice lead to, and which of them are left to look into.
#[derive(Debug)]
pub(crate) struct Batch {
    addresses: [usize; BATCH],
    len: usize,
    left: Left,
}

/// The places of those that are left, in their order.
///
/// Apart from the addresses, which are eight times as large: while what is left is visited, this
/// stays on the stack.
#[derive(Debug)]
pub(crate) struct Left {
    places: [u8; BATCH],
    len: usize,
}

impl Left {
    /// The places that are left.
    #[inline]
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        self.places[..self.len].iter().map(|&place| usize::from(place))
    }
}

impl Batch {
    /// At most [`BATCH`] addresses, of which none is left before [`sift`](Self::sift).
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

    /// What is left.
    pub(super) fn into_left(self) -> Left {
        self.left
    }

    /// The addresses that are left.
    #[inline]
    pub(super) fn left(&self) -> impl Iterator<Item = usize> {
        self.left.places().map(|place| self.addresses[place])
    }

    /// The first addresses that [`sift`](Self::sift) will ask about.
    pub(super) fn first(&self) -> &[usize] {
        &self.addresses[..self.len.min(AHEAD)]
    }

    /// Leaves those of all addresses that `wanted` says, without a branch on what it says. It is also
    /// given an address that it will be asked about later, so that it can ask for memory, or any.
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

    /// Leaves those that `wanted` says of those that are left.
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
