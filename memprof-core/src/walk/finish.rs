//! The end of a walk: adds pending sums and shared buffers and splits the inline bytes of all values over their
//! fields.

use super::Walk;
use crate::frame::LeafKind;
use crate::opaque::OpaqueReason;
use crate::position::Position;
use crate::shape::Content;
use crate::state::Unsplit;

impl Walk<'_> {
    /// Adds pending sums and shared buffers, and splits the inline bytes of all values over their
    /// fields.
    pub(super) fn complete(&mut self) {
        self.end_sums();
        self.add_windows();
        self.split_inline_bytes();
    }

    /// Splits the inline bytes of all values over their fields.
    pub(super) fn split_inline_bytes(&mut self) {
        // Splitting a field set adds values to the field sets of the structs inside. These usually
        // follow in the list. If a recursive type folded, these sets may precede the current one,
        // and then another round splits them. A type cannot contain itself, so the number of rounds
        // is at most the depth to which structs nest.
        while split_all(self) {}
    }
}

/// Splits each field set once, including those that splitting adds. Returns whether any of them had
/// values to split.
fn split_all(walk: &mut Walk<'_>) -> bool {
    let (mut number, mut any) = (0, false);
    while let Some(field_set) = walk.state().take_unsplit(number) {
        if field_set.count != 0 {
            any = true;
            split(walk, &field_set);
        }
        number += 1;
    }
    any
}

/// Splits the inline bytes of values over a field set.
fn split(walk: &mut Walk<'_>, field_set: &Unsplit) {
    let &Unsplit { shape, owner, base, count } = field_set;
    let mut padding = shape.size;
    for (field, node) in shape.fields.iter().zip(base..) {
        padding -= field.size;
        let at = Position::node(node);
        match field.content {
            Content::Typed(inline) => inline(walk, at, count),
            Content::Lump(kind) => walk.leaf(at, kind, count * field.size),
            Content::Skipped { owns } => {
                walk.leaf(at, LeafKind::Skipped, count * field.size);
                if owns {
                    walk.mark_opaque(at, OpaqueReason::Skipped, count as u64);
                }
            }
        }
    }
    walk.leaf(Position::node(owner), LeafKind::Padding, count * padding);
}
