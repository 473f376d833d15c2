//! The table of shared memory met so far, by address.

use crate::probe;

/// Lanes of a group. Four fill a cache line, so that a look-up misses the cache once.
const LANES: usize = 4;

/// Groups at first, 16 KiB: small arrays that share a few units must not grow the table in steps.
const FIRST_GROUPS: usize = 256;

/// Addresses of shared pieces, their numbers, and the handles to them met outside shared memory.
///
/// Open addressing by groups whose lanes fill from the first on, at most seven eighths full: on 200
/// thousand pieces, a table of twice the size loses more to the caches than it gains in look-ups.
#[derive(Debug, Default)]
pub(super) struct PieceTable {
    /// A power of two of them, at least two, or none.
    groups: Box<[Group]>,
    /// What is left of a hash after this shift is the number of a group.
    shift: u32,
    len: usize,
}

#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Group {
    /// 0 where a lane is free.
    addresses: [usize; LANES],
    pieces: [u32; LANES],
    root_handles: [u32; LANES],
}

impl Group {
    /// The lane of an address, or `LANES`; without a branch, as which lane it is can't be foreseen.
    #[inline]
    fn lane(&self, address: usize) -> usize {
        let mut found = LANES;
        for (lane, &known) in self.addresses.iter().enumerate() {
            found = if known == address { lane } else { found };
        }
        found
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.addresses[LANES - 1] != 0
    }
}

impl PieceTable {
    /// Where the search for an address starts: the high bits of Fibonacci hashing, which depend on
    /// all bits of the address.
    #[inline]
    fn home(&self, address: usize) -> usize {
        address.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as usize) >> self.shift
    }

    /// Asks for the memory that a look-up of `address` will read.
    #[inline]
    pub(super) fn prefetch(&self, address: usize) {
        if let Some(group) = self.groups.get(self.home(address)) {
            probe::prefetch((&raw const *group).addr());
        }
    }

    /// Counts a handle to `address` if that stands in its home group, and says whether it does.
    #[inline]
    pub(super) fn count_at_home(&mut self, address: usize) -> bool {
        let home = self.home(address);
        let Some(group) = self.groups.get_mut(home) else { return false };
        let lane = group.lane(address);
        let known = lane < LANES;
        let handles = &mut group.root_handles[lane % LANES];
        *handles = handles.saturating_add(u32::from(known));
        known
    }

    /// Like [`count_at_home`](Self::count_at_home), for few pieces: they stand in the first lane,
    /// which a branch foresees.
    #[inline]
    pub(super) fn count_in_first_lane(&mut self, address: usize) -> bool {
        let home = self.home(address);
        let Some(group) = self.groups.get_mut(home) else { return false };
        let known = group.addresses[0] == address;
        if known {
            group.root_handles[0] = group.root_handles[0].saturating_add(1);
        }
        known
    }

    /// The number of the piece at `address`, and the count of handles to it.
    pub(super) fn find(&mut self, address: usize) -> Option<(u32, &mut u32)> {
        if self.groups.is_empty() {
            return None;
        }
        let last = self.groups.len() - 1;
        let mut index = self.home(address);
        loop {
            let lane = self.groups[index].lane(address);
            if lane < LANES {
                let group = &mut self.groups[index];
                return Some((group.pieces[lane], &mut group.root_handles[lane]));
            }
            if !self.groups[index].is_full() {
                return None;
            }
            index = (index + 1) & last;
        }
    }

    /// Adds a piece that is not in the table.
    pub(super) fn insert(&mut self, address: usize, piece: u32, root_handles: u32) {
        if (self.len + 1) * 8 > self.groups.len() * LANES * 7 {
            self.grow();
        }
        self.len += 1;
        self.place(address, piece, root_handles);
    }

    #[cold]
    fn grow(&mut self) {
        let groups = (self.groups.len() * 2).max(FIRST_GROUPS);
        self.shift = usize::BITS - groups.trailing_zeros();
        let old = core::mem::replace(&mut self.groups, vec![Group::default(); groups].into());
        for group in old {
            for lane in 0..LANES {
                if group.addresses[lane] != 0 {
                    let Group { addresses, pieces, root_handles } = &group;
                    self.place(addresses[lane], pieces[lane], root_handles[lane]);
                }
            }
        }
    }

    fn place(&mut self, address: usize, piece: u32, root_handles: u32) {
        let mut index = self.home(address);
        while self.groups[index].is_full() {
            index = (index + 1) & (self.groups.len() - 1);
        }
        let group = &mut self.groups[index];
        let lane = group.addresses.iter().take_while(|&&address| address != 0).count();
        group.addresses[lane] = address;
        group.pieces[lane] = piece;
        group.root_handles[lane] = root_handles;
    }

    /// The handles met outside shared memory, by number of the piece, from the first on.
    pub(super) fn root_handles(&self, pieces: usize) -> Vec<u64> {
        let mut handles = vec![0; pieces];
        for group in &self.groups {
            for lane in 0..LANES {
                if group.addresses[lane] != 0 {
                    handles[group.pieces[lane] as usize - 1] = u64::from(group.root_handles[lane]);
                }
            }
        }
        handles
    }
}
