//! The shape of a type: its size, its fields' names, and the split of its inline bytes. And the
//! positions of a tree, at which the walk adds values and their fields.

use crate::list::Number;
use crate::words::{LeafKind, Role};
use core::any::type_name;
use core::mem::needs_drop;

/// A function that returns the shape of a type. A function, because the shapes of recursive types
/// refer to each other.
pub(crate) type ShapeOf = fn() -> &'static Shape;

/// The fields of a type, and the split of a value's bytes over them.
///
/// The compiler creates a shape once per type, never once per value:
///
/// ```
/// # use memprof::walk::{Field, Position, Shape, Walk};
/// # use memprof::MemoryProfile;
/// struct Pair { left: Vec<u8>, right: String }
///
/// static PAIR: Shape =
///     Shape::of::<Pair>(&[Field::of::<Vec<u8>>("left"), Field::of::<String>("right")]);
///
/// impl MemoryProfile for Pair {
///     fn shape() -> &'static Shape {
///         &PAIR
///     }
///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
///         let fields = walk.fields(at, Self::shape());
///         self.left.owned(walk, fields.at(0));
///         self.right.owned(walk, fields.at(1));
///     }
/// }
/// # let pair = Pair { left: vec![1; 100], right: String::new() };
/// # assert_eq!(memprof::total_bytes(&pair), 48 + 100);
/// ```
#[derive(Debug)]
pub struct Shape {
    /// Distinguishes types whose shapes the compiler would otherwise merge into one.
    type_name: fn() -> &'static str,
    pub(crate) size: usize,
    pub(crate) split: Split,
    pub(crate) fields: &'static [Field],
}

/// The way in which a value's inline bytes are split.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Split {
    /// The bytes are split over the fields. The rest is padding.
    Fields,
    /// The bytes are one leaf at the position itself. Enums use this because the active variant
    /// differs by value.
    Lump(LeafKind),
    /// The bytes are those of `times` values of another type at the same position. The rest is
    /// padding.
    Values { inner: ShapeOf, times: usize },
}

impl Shape {
    /// Returns the shape of a struct. Every value has every field, so the inline bytes are split
    /// over them.
    ///
    /// # Panics
    /// Panics when evaluated, which is at compile time, if the fields are larger than the type.
    pub const fn of<T>(fields: &'static [Field]) -> Self {
        Self::of_any_size::<T>(Some(size_of::<T>()), fields)
    }

    /// Without a size, the inline bytes are one leaf.
    pub(crate) const fn of_any_size<T: ?Sized>(
        size: Option<usize>,
        fields: &'static [Field],
    ) -> Self {
        let Some(size) = size else {
            let split = Split::Lump(LeafKind::Data);
            return Self { type_name: type_name::<T>, size: 0, split, fields };
        };
        let mut sum = 0;
        let mut index = 0;
        while index < fields.len() {
            sum += fields[index].size;
            index += 1;
        }
        assert!(sum <= size, "the fields of a shape are larger than the type");
        let split = if fields.is_empty() { Split::Lump(LeafKind::Data) } else { Split::Fields };
        Self { type_name: type_name::<T>, size, split, fields }
    }

    /// Returns the shape of an enum, or of another type whose inline bytes should stay one leaf.
    ///
    /// The leaf is `[inline]` for a type that frees memory when dropped and has no fields, such as
    /// a `Vec`. It is `[data]` for an enum and for a type that owns nothing.
    pub const fn lump<T>(fields: &'static [Field]) -> Self {
        let kind = if fields.is_empty() { LeafKind::of_lump::<T>() } else { LeafKind::Data };
        Self { type_name: type_name::<T>, size: size_of::<T>(), split: Split::Lump(kind), fields }
    }

    /// Returns the shape of a type that consists of `times` values of the type with the shape
    /// `inner`, and padding.
    pub(crate) const fn values<T>(inner: ShapeOf, times: usize) -> Self {
        let split = Split::Values { inner, times };
        Self { type_name: type_name::<T>, size: size_of::<T>(), split, fields: &[] }
    }

    /// Returns the shape of a struct that is the same as its only field, which may have no size.
    pub(crate) const fn newtype_of_any_size<T: ?Sized>(
        size: Option<usize>,
        inner: ShapeOf,
    ) -> Self {
        // No value without a size has this shape.
        let size = if let Some(size) = size { size } else { 0 };
        let split = Split::Values { inner, times: 1 };
        Self { type_name: type_name::<T>, size, split, fields: &[] }
    }

    pub(crate) fn type_name(&self) -> &'static str {
        (self.type_name)()
    }

    /// Returns whether two shapes split the same number of bytes, without a look at the types of
    /// their fields, which may be recursive.
    fn is_like(&'static self, other: &'static Self) -> bool {
        core::ptr::eq(self, other)
            || self.type_name() == other.type_name() && self.size == other.size
    }

    /// Returns whether two shapes are of the same type. Different addresses prove nothing, because
    /// the compiler may make one shape per crate that needs it.
    pub(crate) fn is(&'static self, other: &'static Self) -> bool {
        core::ptr::eq(self, other)
            || self.size == other.size
                && self.fields.len() == other.fields.len()
                && self.fields.iter().zip(other.fields).all(|(a, b)| a.is(b))
                && (self.type_name)() == (other.type_name)()
    }
}

/// One field of a [`Shape`]: its frame, and how its inline bytes are profiled.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub(crate) name: &'static str,
    /// 0 if the field is below the shape's own position; `n` if it is below the shape's entry `n -
    /// 1`.
    pub(crate) parent: u16,
    pub(crate) role: Option<Role>,
    pub(crate) leaf: bool,
    /// True if the field has no frame, so that its leaves and branches are added to the branch
    /// above.
    pub(crate) frameless: bool,
    pub(crate) size: usize,
    pub(crate) content: Content,
}

/// The split of a field's inline bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    /// The field's type splits the bytes.
    Typed(ShapeOf),
    /// One leaf.
    Lump(LeafKind),
    /// One `[skipped]` leaf, because the attribute `skip` excludes the field from the visit. The
    /// field may hide memory if `owns` is true.
    Skipped { owns: bool },
}

impl LeafKind {
    /// Returns the kind of a `T`'s inline bytes if they are one leaf: `Inline` if `T` frees memory,
    /// otherwise `Data`.
    pub(crate) const fn of_lump<T: ?Sized>() -> Self {
        if needs_drop::<T>() { Self::Inline } else { Self::Data }
    }
}

impl Field {
    /// Returns whether two fields are the same. Two types of one name may differ in the order of their
    /// fields, because a name has neither the version of the crate nor the enclosing function.
    fn is(&self, other: &Self) -> bool {
        let parts = |field: &Self| {
            let Self { name, parent, role, leaf, frameless, size, .. } = *field;
            (name, parent, role, leaf, frameless, size)
        };
        let split = match (self.content, other.content) {
            (Content::Typed(one), Content::Typed(other)) => one().is_like(other()),
            (Content::Lump(one), Content::Lump(other)) => one == other,
            (Content::Skipped { owns: one }, Content::Skipped { owns: other }) => one == other,
            _ => false,
        };
        split && parts(self) == parts(other)
    }

    /// Returns a field whose inline bytes are one leaf. Its type need not implement any trait.
    pub const fn lump<T>(name: &'static str) -> Self {
        Self::new::<T>(name, Content::Lump(LeafKind::of_lump::<T>()))
    }

    /// Returns a field that is not visited. Its inline bytes are one `[skipped]` leaf.
    pub const fn skipped<T>(name: &'static str) -> Self {
        Self::new::<T>(name, Content::Skipped { owns: needs_drop::<T>() })
    }

    /// Returns a frame without inline bytes, such as an enum's variant.
    pub const fn frame(name: &'static str) -> Self {
        Self::new::<()>(name, Content::Lump(LeafKind::Data))
    }

    /// Returns a field of type `T`, or a field with the size of `T`.
    pub(crate) const fn new<T>(name: &'static str, content: Content) -> Self {
        Self {
            name,
            parent: 0,
            role: None,
            leaf: false,
            frameless: false,
            size: size_of::<T>(),
            content,
        }
    }

    /// Sets the role of the field, which everything below it inherits.
    #[must_use]
    pub const fn role(mut self, role: Role) -> Self {
        self.role = Some(role);
        self
    }

    /// Makes the field one leaf that adds up everything below it.
    #[must_use]
    pub const fn leaf(mut self) -> Self {
        self.leaf = true;
        self
    }

    /// Removes the field's frame. Its leaves and branches join the line above, as for the only
    /// field of a tuple struct.
    #[must_use]
    pub const fn without_frame(mut self) -> Self {
        self.frameless = true;
        self
    }

    /// Moves the field below entry `index` of the shape, like a variant's fields below their
    /// variant.
    #[must_use]
    pub const fn below(mut self, index: u16) -> Self {
        self.parent = index + 1;
        self
    }
}

/// The number of a node in a growing tree. A parent has a lower number than its children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// The root, which is its own parent and nobody's child.
    pub(crate) const ROOT: Self = Self(0);

    #[inline]
    pub(crate) const fn plus(self, nodes: u32) -> Self {
        Self(self.0 + nodes)
    }
}

impl Number for NodeId {
    #[inline]
    fn at(index: usize) -> Self {
        Self(index as u32)
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node, or one with [`PAST_SHAPE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TaggedNode(u32);

/// The bit that marks an index past the shape of a position's node.
///
/// Bytes added at such a position count as the node's own. A number with this bit is past the end
/// of the nodes, so only a failed bounds check leads to the slow path.
const PAST_SHAPE: u32 = 1 << 31;

impl TaggedNode {
    /// No node: no position has this number.
    pub(crate) const NONE: Self = Self(u32::MAX);

    /// Returns the index of the node, or one past the end of all nodes if the node has the bit.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the node, and whether it has the bit.
    pub(crate) const fn untagged(self) -> (NodeId, bool) {
        (NodeId(self.0 & !PAST_SHAPE), self.0 & PAST_SHAPE != 0)
    }
}

/// A position in the tree of names. It is passed by value, so entering and leaving cost nothing.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub(crate) node: TaggedNode,
    pub(crate) depth: u32,
}

impl Position {
    pub(crate) const ROOT: Self = Self::node(NodeId::ROOT);

    /// Returns the position of a node, behind no pointer.
    pub(crate) const fn node(node: NodeId) -> Self {
        Self { node: TaggedNode(node.0), depth: 0 }
    }

    /// Returns the position of another node, behind as many pointers.
    #[inline]
    pub(crate) const fn with_node(self, node: NodeId) -> Self {
        Self { node: TaggedNode(node.0), ..self }
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
    /// The node of the first field.
    base: NodeId,
    owner: Position,
    shape: &'static Shape,
}

impl Fields {
    #[inline]
    pub(crate) const fn new(base: NodeId, owner: Position, shape: &'static Shape) -> Self {
        Self { base, owner, shape }
    }

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
            return self.owner.with_node(self.base.plus(index));
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
        let Position { node: TaggedNode(node), depth } = self.owner;
        Position { node: TaggedNode(node | PAST_SHAPE), depth }
    }
}
