//! bytes 1: views of buffers that several views may share.
//!
//! A `Bytes` made of a vector without spare capacity owns its buffer alone until it is first cloned
//! or split. Until then the words of the `Bytes` contain the buffer's size. Afterwards a private
//! header contains the buffer's address and size.

use crate::MemoryProfile;
use crate::layout::bytes1::{Contents, Header, View, ViewMut, view_of, view_of_mut};
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Position, Walk};
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
            View::Shared(header) => {
                add_shared(header, self.as_ptr().addr(), self.len(), walk, at);
            }
            View::Unknown => walk.opaque(at, OpaqueReason::Foreign),
        }
    }
}

impl MemoryProfile for BytesMut {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.block_of(self.as_ptr().addr(), self.capacity());
        match view_of_mut(self) {
            ViewMut::Shared(header) => {
                add_shared(header, self.as_ptr().addr(), self.len(), walk, at);
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

/// Adds a buffer and its header, unless another view of the buffer was met before. If the header
/// hides the size of the buffer, adds only what the view covers.
fn add_shared(header: Header, start: usize, len: usize, walk: &mut Walk<'_>, at: Position) {
    let Header { address, size, contents } = header;
    let views = || contents.map_or(0, |contents| contents.views);
    walk.shared(at, address, views, |walk, at| {
        walk.leaf(at, LeafKind::Counts, size);
        walk.count_allocations(at, 2);
        walk.block(address);
        walk.block_of(start, len);
        match contents {
            Some(Contents { capacity, views: 1 }) => {
                walk.leaf(at, LeafKind::Data, len.min(capacity));
                walk.leaf(at, LeafKind::Spare, capacity.saturating_sub(len));
            }
            Some(Contents { capacity, .. }) => walk.leaf(at, LeafKind::Data, capacity),
            None => {
                walk.leaf(at, LeafKind::Data, len);
                walk.opaque(at, OpaqueReason::Foreign);
            }
        }
    });
}

/// Adds what a view covers of a buffer that is otherwise unknown.
fn add_region(used: usize, capacity: usize, walk: &mut Walk<'_>, at: Position) {
    walk.leaf(at, LeafKind::Data, used);
    walk.leaf(at, LeafKind::Spare, capacity - used);
    walk.opaque(at, OpaqueReason::Foreign);
}
