//! Vectors of slots. A slot contains a value, and links or a version, or it is vacant. Arenas and
//! graphs consist of such vectors.

use crate::MemoryProfile;
use crate::impls::parts::add_values;
use crate::tree::LeafKind;
use crate::walk::{Position, Walk};

pub(crate) struct Slots {
    /// The bytes of a slot.
    pub(crate) size: usize,
    pub(crate) capacity: usize,
    pub(crate) occupied: usize,
    /// The number of slots for which `shrink_to_fit` keeps capacity.
    pub(crate) kept: usize,
    pub(crate) certain: bool,
}

impl Slots {
    /// Adds the vector with its values and all that they own. Vacant slots are excess capacity.
    pub(crate) fn add<'a, T: MemoryProfile + 'a>(
        self,
        values: impl Iterator<Item = &'a T>,
        walk: &mut Walk<'a>,
        at: Position,
    ) {
        let occupied = self.occupied;
        self.add_bytes(size_of::<T>(), walk, at);
        walk.count_values(at, occupied);
        add_values(values, occupied, walk, at);
    }

    /// Adds a vector whose slots only contain links.
    #[cfg(feature = "slotmap1")]
    pub(crate) fn add_links(self, walk: &mut Walk<'_>, at: Position) {
        self.add_bytes(0, walk, at);
    }

    /// Adds the vector, except `counted` bytes of each occupied slot.
    fn add_bytes(self, counted: usize, walk: &mut Walk<'_>, at: Position) {
        let Self { size, capacity, occupied, kept, certain } = self;
        let bytes = capacity * size;
        let spare = capacity.saturating_sub(occupied) * size;
        let links = occupied * size.saturating_sub(counted);
        walk.count_allocations(at, usize::from(bytes != 0));
        walk.shrinkable(at, bytes, capacity.saturating_sub(kept) * size);
        // A vector without capacity has no slots, so their size does not matter.
        let certain = certain || capacity == 0;
        walk.leaves(at, [(LeafKind::Spare, spare), (LeafKind::Nodes, links)], certain);
    }
}
