//! `compact_str` 0.9 and 0.10: text that is stored inline up to 24 bytes.

use crate::MemoryProfile;
use crate::state::Tally;
use crate::tree::LeafKind;
use crate::walk::{Position, Walk};

/// The capacity of the smallest allocation.
const MIN_CAPACITY: usize = 4 * size_of::<usize>();

/// The length up to which `shrink_to_fit` moves a string inline.
const MAX_INLINE_LEN: usize = 3 * size_of::<usize>();

/// Adds the allocation of a string that is at most [`MIN_CAPACITY`] bytes long, or whose capacity
/// is not stored inline.
fn add_text(len: usize, capacity: usize, walk: &mut Walk<'_>, at: Position) {
    let kept = if len <= MAX_INLINE_LEN { 0 } else { len.max(MIN_CAPACITY) };
    walk.count_allocations(at, 1);
    walk.shrinkable(at, capacity, capacity.saturating_sub(kept));
    walk.leaf(at, LeafKind::Data, len);
    walk.leaf(at, LeafKind::Spare, capacity - len);
    if is_stored_outside(capacity) {
        walk.estimated(at, LeafKind::Inline, size_of::<usize>());
    }
}

/// On 32-bit targets, a text has only three bytes for its capacity.
const fn is_stored_outside(capacity: usize) -> bool {
    cfg!(target_pointer_width = "32") && capacity > 0xFF_FFFD
}

/// Implements `MemoryProfile` for the text type of a version.
macro_rules! compact_text {
    ($text:ty) => {
        impl MemoryProfile for $text {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                if self.is_heap_allocated() {
                    add_text(self.len(), self.capacity(), walk, at);
                    walk.block(self.as_ptr().addr());
                }
            }

            #[inline]
            fn tally<'a>(&'a self, tally: &mut Tally, walk: &mut Walk<'a>, at: Position) {
                if !self.is_heap_allocated() {
                    return;
                }
                let (len, capacity) = (self.len(), self.capacity());
                if len < MIN_CAPACITY || is_stored_outside(capacity) {
                    add_text(len, capacity, walk, at);
                } else {
                    tally.add(len, capacity);
                }
            }

            #[inline]
            fn settle(tally: Tally, walk: &mut Walk<'_>, at: Position) {
                if tally.allocations != 0 {
                    walk.allocations(at, tally);
                }
            }

            #[inline]
            fn empty<'e>() -> Option<&'e Self> {
                Some(const { &<$text>::const_new("") })
            }
        }
    };
}

#[cfg(feature = "compact_str09")]
compact_text! { compact_str_09::CompactString }
#[cfg(feature = "compact_str010")]
compact_text! { compact_str_010::CompactString }
