//! bytes 1: views of buffers that several views may share.
//!
//! A `Bytes` made of a vector without spare capacity owns its buffer alone until it is first cloned
//! or split. Until then the words of the `Bytes` contain the buffer's size. Afterwards a private
//! header contains the buffer's address and size.

use crate::MemoryProfile;
use crate::layout::bytes1::{HEADER_MUT, View, ViewMut, view_of, view_of_mut};
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Position, Walk};
use crate::windows::Window;
use bytes::{Bytes, BytesMut};

impl MemoryProfile for Bytes {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        // A clone changes the representation of a view that owns its buffer.
        match view_of(self) {
            View::Borrowed => {}
            View::Unique { capacity } => {
                add_unique(self.len(), capacity, walk, at);
                // An empty view may point to the end of the buffer.
                walk.block_of(self.as_ptr().addr(), self.len());
            }
            View::Shared { address, header } => {
                let strong = || usize::from(self.is_unique());
                let start = self.as_ptr().addr();
                let range = start..start + self.len();
                let window = Window { buffer: address, range, capacity: None };
                walk.window(at, window, strong, |walk, at| {
                    // The header has no public size.
                    walk.estimated(at, LeafKind::Counts, header);
                    walk.count_allocations(at, 2);
                    walk.block(address);
                    walk.block_of(start, self.len());
                });
            }
            View::Unknown => walk.opaque(at, OpaqueReason::Foreign),
        }
    }
}

impl MemoryProfile for BytesMut {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.block_of(self.as_ptr().addr(), self.capacity());
        match view_of_mut(self) {
            // The `BytesMut`s of one buffer never overlap, so each adds its own part.
            ViewMut::Shared { address } => {
                walk.shared(
                    at,
                    address,
                    || 0,
                    |walk, at| {
                        walk.estimated(at, LeafKind::Counts, HEADER_MUT);
                        walk.count_allocations(at, 2);
                        walk.block(address);
                    },
                );
                add_region(self.len(), self.capacity(), walk, at);
            }
            ViewMut::Unique { capacity } => add_unique(self.len(), capacity, walk, at),
            ViewMut::Unknown => add_region(self.len(), self.capacity(), walk, at),
        }
    }
}

/// Adds a buffer that only one view uses. A view never releases the part that it does not use.
fn add_unique(used: usize, capacity: usize, walk: &mut Walk<'_>, at: Position) {
    walk.count_allocations(at, usize::from(capacity != 0));
    walk.leaf(at, LeafKind::Data, used);
    walk.leaf(at, LeafKind::Spare, capacity - used);
}

/// Adds the part of a buffer that a view covers. Only the private header has the buffer's capacity.
fn add_region(used: usize, capacity: usize, walk: &mut Walk<'_>, at: Position) {
    walk.estimated(at, LeafKind::Data, used);
    walk.estimated(at, LeafKind::Spare, capacity - used);
    if capacity == 0 {
        // A zero-byte estimate leaves no mark.
        walk.opaque(at, OpaqueReason::Foreign);
    }
}
