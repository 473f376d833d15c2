//! Handles of a slice, which are looked up together.

/// The number of handles in a batch. If one handle in ten leads to a new allocation, 256 handles
/// lead to enough new allocations to keep the memory busy.
pub(crate) const BATCH: usize = 256;

/// The number of addresses between the prefetch for an address and the look-up of that address.
pub(super) const AHEAD: usize = 24;

/// The addresses that handles of a slice lead to, and the indices of the addresses left to visit.
#[derive(Debug)]
pub(crate) struct Batch {
    addresses: [usize; BATCH],
    len: usize,
    unresolved: Unresolved,
}

/// The indices of the addresses that are left, in order.
///
/// The list stays on the stack while the handles are visited. So it is separate from the addresses,
/// which are eight times as large.
#[derive(Debug)]
pub(crate) struct Unresolved {
    indices: [u8; BATCH],
    len: usize,
}

impl Unresolved {
    /// Returns the indices that are left.
    #[inline]
    pub(crate) fn indices(&self) -> impl Iterator<Item = usize> {
        self.indices[..self.len].iter().map(|&index| usize::from(index))
    }
}

impl Batch {
    /// Collects at most [`BATCH`] addresses. The list of unresolved indices is empty until
    /// [`filter_unknown`](Self::filter_unknown) fills it.
    #[inline]
    pub(crate) fn of(addresses: impl Iterator<Item = usize>) -> Self {
        let unresolved = Unresolved { indices: [0; BATCH], len: 0 };
        let mut batch = Self { addresses: [0; BATCH], len: 0, unresolved };
        let mut len = 0;
        for (slot, address) in batch.addresses.iter_mut().zip(addresses) {
            *slot = address;
            len += 1;
        }
        batch.len = len;
        batch
    }

    /// Returns the indices of all addresses.
    pub(crate) fn all(mut self) -> Unresolved {
        self.filter_unknown(|_, _| true);
        self.unresolved
    }

    /// Returns the indices that are left.
    pub(super) fn into_unresolved(self) -> Unresolved {
        self.unresolved
    }

    /// Returns the addresses that are left.
    #[inline]
    pub(super) fn unresolved(&self) -> impl Iterator<Item = usize> {
        self.unresolved.indices().map(|index| self.addresses[index])
    }

    /// Returns the first addresses that [`filter_unknown`](Self::filter_unknown) visits. That
    /// function prefetches only later addresses, so the caller prefetches these.
    pub(super) fn first(&self) -> &[usize] {
        &self.addresses[..self.len.min(AHEAD)]
    }

    /// Keeps all addresses for which `wanted` returns `true`, without branching on the result. The
    /// second argument of `wanted` is the address to prefetch, which is visited [`AHEAD`] calls
    /// later. Near the end, it is an earlier address or 0.
    #[inline]
    pub(super) fn filter_unknown(&mut self, mut wanted: impl FnMut(usize, usize) -> bool) {
        let Unresolved { indices, len } = &mut self.unresolved;
        let mut left = 0;
        for (index, &address) in self.addresses[..self.len].iter().enumerate() {
            let later = self.addresses[(index + AHEAD) % BATCH];
            indices[left % BATCH] = index as u8;
            left += usize::from(wanted(address, later));
        }
        *len = left;
    }

    /// Keeps the remaining addresses for which `wanted` returns `true`.
    #[inline]
    pub(super) fn retain(&mut self, mut wanted: impl FnMut(usize) -> bool) {
        let Unresolved { indices, len } = &mut self.unresolved;
        let mut left = 0;
        for index in 0..*len {
            let index = indices[index % BATCH];
            indices[left % BATCH] = index;
            left += usize::from(wanted(self.addresses[usize::from(index)]));
        }
        *len = left;
    }
}
