//! The inline bytes of values, and their split over the fields of their types.
//!
//! The walk only counts the values of each type at each path, because the split depends on the type
//! alone. At the end, the counts are split over the fields, and over the fields of the fields.

use crate::frame::LeafKind;
use crate::opaque::OpaqueReason;
use crate::position::Position;
use crate::shape::{Content, Shape, Split};
use crate::state::{FieldSet, Mark, WalkState};

impl WalkState {
    /// Adds the inline bytes of `count` values.
    #[inline(never)]
    pub(crate) fn add_inline(&mut self, at: Position, shape: &'static Shape, count: usize) {
        let (mut shape, mut count) = (shape, count);
        loop {
            match shape.split {
                Split::Lump(kind) => {
                    return self.add_leaf(at, kind, shape.size.saturating_mul(count));
                }
                Split::Fields => {
                    let first = Position::node(self.first_field(at, shape));
                    self.node(first).instances += count as u64;
                    return self.sharing.add(shape.size * count);
                }
                Split::Values { inner, times } => {
                    let inner = inner();
                    let padding = shape.size - times.saturating_mul(inner.size);
                    if padding != 0 {
                        self.add_leaf(at, LeafKind::Padding, padding.saturating_mul(count));
                    }
                    (shape, count) = (inner, count.saturating_mul(times));
                }
            }
        }
    }

    /// Splits the inline bytes of all values over their fields.
    pub(crate) fn split_inline_bytes(&mut self) {
        // Splitting a field set adds values to the field sets of the structs inside. These usually
        // follow in the list. If a recursive type folded, these sets may precede the current one,
        // and then another round splits them. A type cannot contain itself, so the number of rounds
        // is at most the depth to which structs nest.
        while self.split_field_sets() {}
    }

    /// Splits each field set once, including those that splitting adds. Returns whether any of them
    /// had values to split.
    fn split_field_sets(&mut self) -> bool {
        let (mut number, mut any) = (0, false);
        while let Some(field_set) = self.field_sets.get_mut(number) {
            let &mut FieldSet { shape, owner, base, ref mut split } = field_set;
            let values = self.nodes[base as usize].instances;
            let count = (values - core::mem::replace(split, values)) as usize;
            if count != 0 {
                any = true;
                self.split(shape, owner, base, count);
            }
            number += 1;
        }
        any
    }

    /// Splits the inline bytes of `count` values over their field set.
    fn split(&mut self, shape: &'static Shape, owner: u32, base: u32, count: usize) {
        let mut padding = shape.size;
        for (field, node) in shape.fields.iter().zip(base..) {
            padding -= field.size;
            let at = Position::node(node);
            match field.content {
                Content::Typed(shape) => self.add_inline(at, shape(), count),
                Content::Lump(kind) => self.add_leaf(at, kind, count * field.size),
                Content::Skipped { owns } => {
                    self.add_leaf(at, LeafKind::Skipped, count * field.size);
                    if owns {
                        self.mark(node, Mark::Opaque(OpaqueReason::Skipped), count as u64);
                    }
                }
            }
        }
        self.add_leaf(Position::node(owner), LeafKind::Padding, count * padding);
    }
}
