//! The position in the tree of names at which a value adds its bytes.

use crate::shape::Shape;

/// The bit in a position's node number that marks an index past the node's shape.
///
/// Bytes added at such a position count as the node's own. A number with this bit is past the end
/// of the nodes, so only a failed bounds check leads to the slow path.
pub(crate) const PAST_SHAPE: u32 = 1 << 31;

/// A position in the tree of names. It is passed by value, so entering and leaving cost nothing.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub(crate) node: u32,
    pub(crate) depth: u32,
}

impl Position {
    pub(crate) const fn node(node: u32) -> Self {
        Self { node, depth: 0 }
    }

    /// Returns the same position, one pointer edge further from the root.
    #[inline]
    pub(crate) const fn deeper(self) -> Self {
        Self { node: self.node, depth: self.depth + 1 }
    }
}

/// The positions of a shape's fields.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    pub(crate) base: u32,
    pub(crate) depth: u32,
    pub(crate) owner: u32,
    pub(crate) shape: &'static Shape,
}

impl Fields {
    /// Returns the position of entry `index` of the shape.
    ///
    /// # Panics
    /// Panics in a build with debug assertions if the shape has no such entry. Without debug
    /// assertions, the value is marked [`BadIndex`](crate::tree::OpaqueReason::BadIndex), and
    /// everything added at the position counts as the value's own.
    ///
    /// # Cost
    /// Takes an addition. If the shape is a constant, the compiler omits the bounds check.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn at(self, index: u32) -> Position {
        if (index as usize) < self.shape.fields.len() {
            return Position { node: self.base + index, depth: self.depth };
        }
        if cfg!(debug_assertions) {
            self.panic_past_shape(index);
        }
        self.past_shape()
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn panic_past_shape(self, index: u32) -> ! {
        let (name, count) = (self.shape.type_name(), self.shape.fields.len());
        panic!("field {index} of `{name}` does not exist: its shape has {count} fields");
    }

    /// Returns the position of the value itself. Anything added there marks the value.
    #[cold]
    pub(crate) fn past_shape(self) -> Position {
        Position { node: self.owner | PAST_SHAPE, depth: self.depth }
    }
}
