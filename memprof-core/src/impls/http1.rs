//! http 1: maps of headers, whose vectors and texts have private capacities.

use crate::MemoryProfile;
use crate::impls::parts::add_values;
use crate::impls::std::scalar::impl_flat;
use crate::layout::http1::{INDEX, entry_size, further_size, has_text, indices_for};
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Position, Walk};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Version};

/// The number of indices follows from the public capacity. The vector of entries has the same
/// capacity unless the map was cloned, so all bytes are an estimate.
impl<T: MemoryProfile> MemoryProfile for HeaderMap<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let (len, names, capacity) = (self.len(), self.keys_len(), self.capacity());
        let further = len - names;
        let entry = entry_size::<T>();
        // The names and the values are counted below.
        let links = names * entry + further * further_size::<T>()
            - names * size_of::<HeaderName>()
            - len * size_of::<T>();
        let vectors = usize::from(capacity != 0) * 2 + usize::from(further != 0);
        walk.count_allocations(at, vectors);
        walk.count_values(at, len);
        walk.estimated(at, LeafKind::Spare, capacity.saturating_sub(names) * entry);
        walk.estimated(at, LeafKind::Table, indices_for(capacity) * INDEX + links);
        let keys = walk.keys(at);
        add_values(self.keys(), names, walk, keys);
        add_values(self.values(), len, walk, at);
    }
}

/// A name that is one of the crate's constants owns nothing. Any other name stores its text, which
/// its clones share.
impl MemoryProfile for HeaderName {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if has_text(self) != Some(false) {
            add_text(self.as_str().as_bytes(), walk, at);
        }
    }
}

/// The bytes may be a part of a buffer, and clones share them.
impl MemoryProfile for HeaderValue {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_text(self.as_bytes(), walk, at);
    }
}

/// Adds text whose buffer is private.
fn add_text(text: &[u8], walk: &mut Walk<'_>, at: Position) {
    walk.count_allocations(at, usize::from(!text.is_empty()));
    walk.estimated(at, LeafKind::Data, text.len());
    if text.is_empty() {
        // A zero-byte estimate leaves no mark, but the text may keep a buffer.
        walk.opaque(at, OpaqueReason::Foreign);
    }
}

impl_flat! { StatusCode }

impl_flat! {
    [] Version;
}
