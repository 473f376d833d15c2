//! slab 0.4: a vector of entries, which are vacant or contain a value.

use crate::MemoryProfile;
use crate::impls::slots::Slots;
use crate::layout::certificate::Certificate;
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

/// A copy of the definition of an entry, which the compiler lays out the same way.
#[expect(dead_code, reason = "never constructed: only its size is used")]
enum Entry<T> {
    Vacant(usize),
    Occupied(T),
}

const fn entry_size<T>() -> usize {
    size_of::<Entry<T>>()
}

static CERTIFICATE: Certificate = Certificate::new(observe);

fn entries_are_known() -> bool {
    CERTIFICATE.is_certified()
}

/// Observes slabs of values with different alignments, with and without invalid bit patterns.
fn observe() -> bool {
    matches_layout([1_u8, 2])
        && matches_layout([1_u64, 2])
        && matches_layout([[1_u8; 11], [2; 11]])
        && matches_layout([(1_u64, false), (2, true)])
        && matches_layout([Some(Box::new(1_u8)), None])
        && matches_layout([1_u128, 2])
}

/// Returns whether two neighbouring values are as far apart as the described entries.
fn matches_layout<T>(values: [T; 2]) -> bool {
    let slab: Slab<T> = values.into_iter().enumerate().collect();
    let address = |key: usize| slab.get(key).map(|value| (&raw const *value).addr());
    let (Some(first), Some(second)) = (address(0), address(1)) else { return false };
    second.wrapping_sub(first) == entry_size::<T>()
}

#[cfg(test)]
mod tests {
    use super::{entries_are_known, entry_size, matches_layout};

    #[test]
    fn entries_have_the_described_size() {
        assert!(entries_are_known());
        assert_eq!(entry_size::<()>(), 2 * size_of::<usize>());
    }

    #[test]
    fn entries_of_other_types_have_it_too() {
        assert!(matches_layout([String::from("a"), String::new()]));
        assert!(matches_layout([(Some(1_u32), 'a', true); 2]));
    }
}
