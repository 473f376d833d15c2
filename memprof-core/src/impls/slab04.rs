//! slab 0.4: a vector of entries, which are vacant or contain a value.

use crate::MemoryProfile;
use crate::impls::slots::Slots;
use crate::layout::slab04::{entries_are_known, entry_size};
use crate::walk::{Position, Walk};
use slab::Slab;

impl<T: MemoryProfile> MemoryProfile for Slab<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if let Some((_, value)) = self.iter().next() {
            walk.block_of((&raw const *value).addr(), size_of::<T>());
        }
        let slots = Slots {
            size: entry_size::<T>(),
            capacity: self.capacity(),
            occupied: self.len(),
            // The slab drops vacant entries at its end before it shrinks.
            kept: self.iter().next_back().map_or(0, |(key, _)| key + 1),
            certain: self.capacity() == 0 || entries_are_known(),
        };
        slots.add(self.iter().map(|(_, value)| value), walk, at);
    }
}
