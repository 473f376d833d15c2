//! The table of shared allocations met so far, by address.

use crate::layout::prefetch;
use crate::sharing::batch::Batch;

/// The number of lanes in a group. Four lanes fill a cache line, so a look-up misses the cache
/// once.
const LANES: usize = 4;

/// The largest number of lanes in use, in eighths of all lanes. If more would be in use, the table
/// grows.
const MAX_LOAD: usize = 5;

/// The initial number of groups, which take 16 KiB. With fewer groups, a small array with a few
/// shared values would grow the table repeatedly.
const FIRST_GROUPS: usize = 256;

/// A map from the address of each shared allocation to the number of its context. It also counts
/// the handles to each allocation that the walk met outside shared memory.
///
/// The table uses open addressing by groups, whose lanes fill in order. With a maximum load of
/// seven eighths, 200,000 allocations would take half the memory. But one look-up in eight would
/// continue to another group, and look-ups would take a tenth more time.
#[derive(Debug, Default)]
pub(super) struct AllocationTable {
    /// The number of groups is 0, or a power of two that is at least 2.
    groups: Box<[Group]>,
    /// A hash shifted right by this number of bits is the index of a group.
    shift: u32,
    len: usize,
}

/// One cache line of the table. Addresses are split into halves of 32 bits, because any processor
/// compares four such halves at once.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Group {
    /// A lane is free if both halves are 0.
    low: [u32; LANES],
    high: [u32; LANES],
    contexts: [u32; LANES],
    root_handles: [u32; LANES],
}

impl Group {
    /// Counts a handle to `address` if a lane contains this address, and returns whether a lane
    /// does. The code has no branch, because the result is hard to predict.
    #[inline]
    fn count(&mut self, address: usize) -> bool {
        let (low, high) = halves(address);
        let mut found = 0;
        for lane in 0..LANES {
            let is_match = u32::from((self.low[lane] ^ low) | (self.high[lane] ^ high) == 0);
            found |= is_match;
            let handles = self.root_handles[lane];
            self.root_handles[lane] = handles + (is_match & u32::from(handles != u32::MAX));
        }
        found != 0
    }

    /// Returns the lane of an address, if there is one. The code has no branch per lane.
    #[inline]
    fn lane(&self, address: usize) -> Option<usize> {
        let (low, high) = halves(address);
        let differs = |lane: usize| (self.low[lane] ^ low) | (self.high[lane] ^ high);
        let is_here = (0..LANES).fold(0, |found, lane| found | u32::from(differs(lane) == 0)) != 0;
        is_here.then(|| (0..LANES).find(|&lane| differs(lane) == 0)).flatten()
    }

    /// Returns the number of lanes in use.
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
    fn set(&mut self, lane: usize, address: usize, context: u32, root_handles: u32) {
        (self.low[lane], self.high[lane]) = halves(address);
        self.contexts[lane] = context;
        self.root_handles[lane] = root_handles;
    }
}

fn halves(address: usize) -> (u32, u32) {
    (address as u32, (address as u64 >> 32) as u32)
}

impl AllocationTable {
    /// Returns the index at which the search for an address starts: the high bits of Fibonacci
    /// hashing, which depend on all bits of the address.
    #[inline]
    fn home(&self, address: usize) -> usize {
        address.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as usize) >> self.shift
    }

    /// Counts handles to the addresses in the table and leaves the others in the batch.
    ///
    /// Cache misses dominate the cost, so the groups are prefetched. Two loops avoid branches that
    /// are hard to predict. The first checks the home group of each address without a branch. The
    /// second searches further groups for the few addresses that are left.
    pub(super) fn count_known(&mut self, batch: &mut Batch) {
        let Some(last) = self.groups.len().checked_sub(1) else {
            return batch.filter_unknown(|_, _| true);
        };
        for &address in batch.first() {
            prefetch((&raw const self.groups[self.home(address) & last]).addr());
        }
        batch.filter_unknown(|address, later| {
            prefetch((&raw const self.groups[self.home(later) & last]).addr());
            let home = self.home(address) & last;
            !self.groups[home].count(address)
        });
        for address in batch.unresolved() {
            let next = (self.home(address) + 1) & last;
            prefetch((&raw const self.groups[next]).addr());
        }
        batch.retain(|address| {
            let mut index = self.home(address) & last;
            let mut is_known = false;
            while !is_known && self.groups[index].is_full() {
                index = (index + 1) & last;
                is_known = self.groups[index].count(address);
            }
            !is_known
        });
    }

    /// Counts a handle to `address` if it is in its home group, and returns whether it is. With few
    /// allocations this is the usual case, so the branch is predictable. With 50 allocations in the
    /// table, a check of the first lane alone would fail for one in ten of them.
    #[inline]
    pub(super) fn count_in_home_group(&mut self, address: usize) -> bool {
        let home = self.home(address);
        self.groups.get_mut(home).is_some_and(|group| group.count(address))
    }

    /// Returns the number of the context at `address`, and its count of handles.
    pub(super) fn find(&mut self, address: usize) -> Option<(u32, &mut u32)> {
        let last = self.groups.len().checked_sub(1)?;
        let mut index = self.home(address) & last;
        loop {
            if let Some(lane) = self.groups[index].lane(address) {
                let group = &mut self.groups[index];
                return Some((group.contexts[lane], &mut group.root_handles[lane]));
            }
            if !self.groups[index].is_full() {
                return None;
            }
            index = (index + 1) & last;
        }
    }

    /// Adds a shared allocation with a new number. If the table already has an allocation at
    /// `address`, returns that allocation's number and count instead.
    pub(super) fn find_or_insert(
        &mut self,
        address: usize,
        context: u32,
        root_handles: u32,
    ) -> Option<(u32, &mut u32)> {
        if (self.len + 1) * 8 > self.groups.len() * LANES * MAX_LOAD {
            self.grow(self.groups.len() * 2);
        }
        let last = self.groups.len() - 1;
        let mut index = self.home(address) & last;
        loop {
            if let Some(lane) = self.groups[index].lane(address) {
                let group = &mut self.groups[index];
                return Some((group.contexts[lane], &mut group.root_handles[lane]));
            }
            let lane = self.groups[index].used();
            if lane < LANES {
                self.groups[index].set(lane, address, context, root_handles);
                self.len += 1;
                return None;
            }
            index = (index + 1) & last;
        }
    }

    /// Reserves capacity for more allocations at once, instead of doubling the table repeatedly.
    pub(super) fn reserve(&mut self, contexts: usize) {
        if contexts == 0 {
            return;
        }
        let lanes = (self.len + contexts).saturating_mul(8) / MAX_LOAD + 1;
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
                self.insert(group.address(lane), group.contexts[lane], group.root_handles[lane]);
            }
        }
    }

    fn insert(&mut self, address: usize, context: u32, root_handles: u32) {
        let last = self.groups.len() - 1;
        let mut index = self.home(address) & last;
        while self.groups[index].is_full() {
            index = (index + 1) & last;
        }
        let lane = self.groups[index].used();
        self.groups[index].set(lane, address, context, root_handles);
    }

    /// Returns the number of handles met outside shared memory, indexed by the number of the
    /// context. Index 0 belongs to no context.
    ///
    /// Free lanes have the number 0, so the loop needs no branch to skip them.
    pub(super) fn root_handles(&self, contexts: usize) -> Vec<u32> {
        let mut handles = vec![0; contexts + 1];
        for group in &self.groups {
            for lane in 0..LANES {
                handles[group.contexts[lane] as usize] = group.root_handles[lane];
            }
        }
        handles
    }
}
