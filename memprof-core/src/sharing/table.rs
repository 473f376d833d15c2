//! The table of shared memory met so far, by address.

use crate::layout::prefetch;
use crate::sharing::batch::Batch;

/// Lanes of a group. Four fill a cache line, so that a look-up misses the cache once.
const LANES: usize = 4;

/// So many of eight lanes may be in use before the table grows.
const FULL: usize = 5;

/// Groups at first, 16 KiB: small arrays that share a few units must not grow the table in steps.
const FIRST_GROUPS: usize = 256;

/// Addresses of shared pieces, their numbers, and the handles to them met outside shared memory.
///
/// Open addressing by groups whose lanes fill from the first on. On 200 thousand pieces, a table that
/// may be seven eighths full is half as large and one in eight look-ups goes on to another group,
/// which costs a tenth more time.
#[derive(Debug, Default)]
pub(super) struct PieceTable {
    /// A power of two of them, at least two, or none.
    groups: Box<[Group]>,
    /// What is left of a hash after this shift is the number of a group.
    shift: u32,
    len: usize,
}

/// Addresses are in halves of 32 bits, four of which any processor compares at once.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Group {
    /// Both 0 where a lane is free.
    low: [u32; LANES],
    high: [u32; LANES],
    pieces: [u32; LANES],
    root_handles: [u32; LANES],
}

impl Group {
    /// Counts a handle to an address if a lane has it, and says whether one does; without a branch,
    /// as that can't be foreseen.
    #[inline]
    fn count(&mut self, address: usize) -> bool {
        let (low, high) = halves(address);
        let mut found = 0;
        for lane in 0..LANES {
            let is_it = u32::from((self.low[lane] ^ low) | (self.high[lane] ^ high) == 0);
            found |= is_it;
            let handles = self.root_handles[lane];
            self.root_handles[lane] = handles + (is_it & u32::from(handles != u32::MAX));
        }
        found != 0
    }

    /// The lane of an address, if there is one; no branch for each lane.
    #[inline]
    fn lane(&self, address: usize) -> Option<usize> {
        let (low, high) = halves(address);
        let differs = |lane: usize| (self.low[lane] ^ low) | (self.high[lane] ^ high);
        let is_here = (0..LANES).fold(0, |found, lane| found | u32::from(differs(lane) == 0)) != 0;
        is_here.then(|| (0..LANES).find(|&lane| differs(lane) == 0)).flatten()
    }

    /// How many lanes are not free.
    #[inline]
    fn used(&self) -> usize {
        let is_used = |lane: usize| u32::from(self.low[lane] | self.high[lane] != 0);
        (0..LANES).map(is_used).sum::<u32>() as usize
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.address(LANES - 1) != 0
    }

    #[inline]
    fn address(&self, lane: usize) -> usize {
        (u64::from(self.high[lane]) << 32 | u64::from(self.low[lane])) as usize
    }

    #[inline]
    fn set(&mut self, lane: usize, address: usize, piece: u32, root_handles: u32) {
        (self.low[lane], self.high[lane]) = halves(address);
        self.pieces[lane] = piece;
        self.root_handles[lane] = root_handles;
    }
}

fn halves(address: usize) -> (u32, u32) {
    (address as u32, (address as u64 >> 32) as u32)
}

impl PieceTable {
    /// Where the search for an address starts: the high bits of Fibonacci hashing, which depend on
    /// all bits of the address.
    #[inline]
    fn home(&self, address: usize) -> usize {
        address.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as usize) >> self.shift
    }

    /// Counts handles to the addresses that are in the table, and leaves the others in the batch.
    ///
    /// Cache misses take nearly all the time, so groups are asked for before they are read. Whether an
    /// address stands in its home group can't be foreseen, so there is no branch on it; those few
    /// that stand in another group are looked for together, for the same reason.
    pub(super) fn count_known(&mut self, batch: &mut Batch) {
        let Some(last) = self.groups.len().checked_sub(1) else {
            return batch.sift(|_, _| true);
        };
        for &address in batch.first() {
            prefetch((&raw const self.groups[self.home(address) & last]).addr());
        }
        batch.sift(|address, later| {
            prefetch((&raw const self.groups[self.home(later) & last]).addr());
            let home = self.home(address) & last;
            !self.groups[home].count(address)
        });
        for address in batch.left() {
            let next = (self.home(address) + 1) & last;
            prefetch((&raw const self.groups[next]).addr());
        }
        batch.retain(|address| {
            let mut index = self.home(address) & last;
            let mut known = false;
            while !known && self.groups[index].is_full() {
                index = (index + 1) & last;
                known = self.groups[index].count(address);
            }
            !known
        });
    }

    /// Counts a handle to `address` if that stands in the first lane of its home group, where few
    /// pieces stand and a branch foresees it; says whether it does.
    #[inline]
    pub(super) fn count_in_first_lane(&mut self, address: usize) -> bool {
        let home = self.home(address);
        let Some(group) = self.groups.get_mut(home) else { return false };
        let known = group.address(0) == address;
        if known {
            group.root_handles[0] = group.root_handles[0].saturating_add(1);
        }
        known
    }

    /// The number of the piece at `address`, and the count of handles to it.
    pub(super) fn find(&mut self, address: usize) -> Option<(u32, &mut u32)> {
        let last = self.groups.len().checked_sub(1)?;
        let mut index = self.home(address) & last;
        loop {
            if let Some(lane) = self.groups[index].lane(address) {
                let group = &mut self.groups[index];
                return Some((group.pieces[lane], &mut group.root_handles[lane]));
            }
            if !self.groups[index].is_full() {
                return None;
            }
            index = (index + 1) & last;
        }
    }

    /// Adds a piece with a number of its own, unless the table has one at `address`, which is returned.
    pub(super) fn find_or_insert(
        &mut self,
        address: usize,
        piece: u32,
        root_handles: u32,
    ) -> Option<(u32, &mut u32)> {
        if (self.len + 1) * 8 > self.groups.len() * LANES * FULL {
            self.grow(self.groups.len() * 2);
        }
        let last = self.groups.len() - 1;
        let mut index = self.home(address) & last;
        loop {
            if let Some(lane) = self.groups[index].lane(address) {
                let group = &mut self.groups[index];
                return Some((group.pieces[lane], &mut group.root_handles[lane]));
            }
            let lane = self.groups[index].used();
            if lane < LANES {
                self.groups[index].set(lane, address, piece, root_handles);
                self.len += 1;
                return None;
            }
            index = (index + 1) & last;
        }
    }

    /// Makes room for so many more pieces at once, rather than by doubling again and again.
    pub(super) fn reserve(&mut self, pieces: usize) {
        if pieces == 0 {
            return;
        }
        let lanes = (self.len + pieces).saturating_mul(8) / FULL + 1;
        let groups = lanes.div_ceil(LANES).next_power_of_two();
        if groups > self.groups.len() {
            self.grow(groups);
        }
    }

    #[cold]
    fn grow(&mut self, groups: usize) {
        let groups = groups.max(FIRST_GROUPS);
        self.shift = usize::BITS - groups.trailing_zeros();
        let old = core::mem::replace(&mut self.groups, vec![Group::default(); groups].into());
        for group in old {
            for lane in 0..group.used() {
                self.place(group.address(lane), group.pieces[lane], group.root_handles[lane]);
            }
        }
    }

    fn place(&mut self, address: usize, piece: u32, root_handles: u32) {
        let last = self.groups.len() - 1;
        let mut index = self.home(address) & last;
        while self.groups[index].is_full() {
            index = (index + 1) & last;
        }
        let lane = self.groups[index].used();
        self.groups[index].set(lane, address, piece, root_handles);
    }

    /// The handles met outside shared memory, by number of the piece; 0 is none's.
    ///
    /// Free lanes have the number 0, so that no branch need ask which they are.
    pub(super) fn root_handles(&self, pieces: usize) -> Vec<u32> {
        let mut handles = vec![0; pieces + 1];
        for group in &self.groups {
            for lane in 0..LANES {
                handles[group.pieces[lane] as usize] = group.root_handles[lane];
            }
        }
        handles
    }
}
