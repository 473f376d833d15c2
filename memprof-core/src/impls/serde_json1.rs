//! `serde_json` 1: values. Objects are B-trees, or insertion-ordered maps with `preserve_order`.
//!
//! Any crate of a build can enable `preserve_order` or `arbitrary_precision` for the whole build.
//! So the code checks which of its two forms each type has.

use crate::MemoryProfile;
use crate::attributes::add_keyed;
use crate::impls::ordered::{EntryIndex, HASH, padding};
use crate::impls::std::btree;
use crate::impls::std::table::Buckets;
use crate::impls::std::wrapper::enums;
use crate::tree::LeafKind;
use crate::walk::{Keyed, Position, Walk};
use core::alloc::Layout;
use core::fmt::{self, Write};
use serde_json::{Error, Map, Number, Value};
use std::collections::BTreeMap;

enums! {
    [] Value { Number: Number, String: String, Array: Vec<Self>, Object: Object }
}

/// Names the entries of an object. A value of another kind has no entries.
impl Keyed for Value {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        let Self::Object(entries) = self else {
            self.owned(walk, at);
            return;
        };
        let fields = walk.fields(at, Self::shape());
        entries.keyed(cap, walk, fields.at(3));
    }
}

/// With `arbitrary_precision` a number is text with a private capacity.
impl MemoryProfile for Number {
    #[inline]
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if !Self::is_flat() {
            let mut text = Length(0);
            // Neither counting bytes nor formatting a number fails.
            let _ = write!(text, "{self}");
            walk.count_allocations(at, 1);
            walk.estimated(at, LeafKind::Data, text.0);
        }
    }

    #[inline]
    fn is_flat() -> bool {
        !core::mem::needs_drop::<Self>()
    }
}

/// A writer that counts the bytes written to it.
struct Length(usize);

impl Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

type Object = Map<String, Value>;

/// True if objects are B-trees, not insertion-ordered maps. Any crate of a build can enable
/// `preserve_order`. The two forms differ in size.
const OBJECTS_ARE_TREES: bool = size_of::<Object>() == size_of::<BTreeMap<String, Value>>();

impl MemoryProfile for Object {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if OBJECTS_ARE_TREES {
            btree::add_entries(self.iter(), self.len(), self, walk, at);
        } else {
            add_in_order(self, walk, at);
        }
    }
}

/// Names the entries with the smallest keys, in both forms of the map. So the names do not depend
/// on the features that other crates enable.
impl Keyed for Object {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        let add_but_entries = |walk: &mut Walk<'a>, at| {
            if OBJECTS_ARE_TREES {
                btree::add_map_but_entries(self.iter(), self.len(), self, walk, at);
            } else {
                add_in_order_but_entries(self.len(), walk, at);
            }
        };
        add_keyed(self, self.iter(), add_but_entries, cap, walk, at);
    }
}

fn add_in_order<'a>(object: &'a Object, walk: &mut Walk<'a>, at: Position) {
    add_in_order_but_entries(object.len(), walk, at);
    if let Some(first) = object.keys().next() {
        walk.block((&raw const *first).addr());
    }
    walk.pairs(object, at);
}

/// Neither capacity is public, so this is an estimate without spare entries.
fn add_in_order_but_entries(len: usize, walk: &mut Walk<'_>, at: Position) {
    let indices = Buckets::of::<EntryIndex>(None, len, len, None);
    let table = indices.bytes(Layout::new::<EntryIndex>());
    walk.count_values(at, len);
    walk.count_allocations(at, if len == 0 { 0 } else { 2 });
    walk.leaf(at, LeafKind::Table, len * HASH);
    walk.leaf(at, LeafKind::Padding, len * padding::<String, Value>());
    walk.leaves(at, [(LeafKind::Table, table)], false);
}

crate::impls::std::scalar::impl_opaque! {
    [] Error;
}
