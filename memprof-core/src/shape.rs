//! What a type says of itself once: its size, its fields' names, and how its own bytes split.

use crate::{At, Kind, MemoryProfile, Role, Walk};
use core::any::type_name;
use core::mem::needs_drop;

/// Adds the inline bytes of `count` values of one type below a position.
pub(crate) type Inline = for<'w> fn(&mut Walk<'w>, At, usize);

/// The fields of a type, and how the bytes of a value split over them.
///
/// A shape is data that the compiler makes once per type, never once per value:
///
/// ```
/// # use memprof_core::{At, Field, MemoryProfile, Shape, Walk};
/// struct Pair { left: Vec<u8>, right: String }
///
/// static PAIR: Shape =
///     Shape::of::<Pair>(&[Field::of::<Vec<u8>>("left"), Field::of::<String>("right")]);
///
/// impl MemoryProfile for Pair {
///     fn shape() -> &'static Shape {
///         &PAIR
///     }
///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
///         let fields = walk.fields(at, Self::shape());
///         self.left.owned(walk, fields.at(0));
///         self.right.owned(walk, fields.at(1));
///     }
/// }
/// # let pair = Pair { left: vec![1; 100], right: String::new() };
/// # assert_eq!(memprof_core::total_bytes(&pair), 48 + 100);
/// ```
#[derive(Debug)]
pub struct Shape {
    /// Tells types apart that the compiler would otherwise give one and the same shape.
    type_name: fn() -> &'static str,
    pub(crate) size: usize,
    pub(crate) split: Split,
    pub(crate) fields: &'static [Field],
}

/// Whether a value's own bytes are split over the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Split {
    /// Over the fields; what they leave is padding.
    Fields,
    /// One leaf at the position itself, as for enums: which variant is active differs by value.
    Lump(Kind),
}

impl Shape {
    /// The shape of a struct: every value has every field, so its own bytes split over them.
    ///
    /// # Panics
    /// When evaluated, that is at compile time, if the fields are larger than the type.
    pub const fn of<T>(fields: &'static [Field]) -> Self {
        let mut sum = 0;
        let mut index = 0;
        while index < fields.len() {
            sum += fields[index].size;
            index += 1;
        }
        assert!(sum <= size_of::<T>(), "the fields of a shape are larger than the type");
        let split = if fields.is_empty() { Split::Lump(Kind::Data) } else { Split::Fields };
        Self { type_name: type_name::<T>, size: size_of::<T>(), split, fields }
    }

    /// The shape of an enum, or of anything whose own bytes are to stay one leaf.
    ///
    /// The leaf is `[inline]` for a handle: what frees memory when dropped and has no fields to show,
    /// such as a `Vec`. It is `[data]` for an enum and for what owns nothing.
    pub const fn lump<T>(fields: &'static [Field]) -> Self {
        let kind = if fields.is_empty() { Kind::of_lump::<T>() } else { Kind::Data };
        Self { type_name: type_name::<T>, size: size_of::<T>(), split: Split::Lump(kind), fields }
    }

    /// The kind of the one leaf that values add up to, if they do.
    #[inline]
    pub(crate) const fn lump_kind(&self) -> Option<Kind> {
        if let Split::Lump(kind) = self.split { Some(kind) } else { None }
    }

    /// The full name of the type.
    pub(crate) fn type_name(&self) -> &'static str {
        (self.type_name)()
    }

    /// Whether two shapes are of one type. Different addresses do not tell: the compiler may make
    /// a shape once per crate that needs it.
    pub(crate) fn is(&'static self, other: &'static Self) -> bool {
        core::ptr::eq(self, other)
            || self.size == other.size
                && self.fields.len() == other.fields.len()
                && self.fields.iter().zip(other.fields).all(|(a, b)| a.name == b.name)
                && (self.type_name)() == (other.type_name)()
    }
}

/// One field of a [`Shape`]: its frame and how its own bytes are shown.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub(crate) name: &'static str,
    /// 0: below the shape's own position; `n`: below the shape's entry `n - 1`.
    pub(crate) parent: u16,
    pub(crate) role: Option<Role>,
    pub(crate) leaf: bool,
    /// `true` if it joins the line above and has no frame.
    pub(crate) hidden: bool,
    pub(crate) size: usize,
    pub(crate) content: Content,
}

/// Who knows how a field's own bytes split.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    /// The field's type.
    Typed(Inline),
    /// Nobody: one leaf.
    Lump(Kind),
    /// Nobody, on request: one `[skipped]` leaf, which hides memory if the flag is set.
    Skipped { owns: bool },
}

impl Kind {
    /// What the own bytes of a `T` are where nothing splits them: a handle's if it frees memory.
    pub(crate) const fn of_lump<T: ?Sized>() -> Self {
        if needs_drop::<T>() { Self::Inline } else { Self::Data }
    }
}

impl Field {
    /// A field whose type implements [`MemoryProfile`].
    pub const fn of<T: MemoryProfile>(name: &'static str) -> Self {
        Self::new::<T>(name, Content::Typed(T::inline))
    }

    /// A field whose own bytes are one leaf; its type need not implement anything.
    pub const fn lump<T>(name: &'static str) -> Self {
        Self::new::<T>(name, Content::Lump(Kind::of_lump::<T>()))
    }

    /// A field that is not visited: its own bytes are one `[skipped]` leaf.
    pub const fn skipped<T>(name: &'static str) -> Self {
        Self::new::<T>(name, Content::Skipped { owns: needs_drop::<T>() })
    }

    /// A frame with no bytes of its own, such as an enum's variant.
    pub const fn frame(name: &'static str) -> Self {
        Self::new::<()>(name, Content::Lump(Kind::Data))
    }

    /// A field of type `T`, or of its size.
    pub(crate) const fn new<T>(name: &'static str, content: Content) -> Self {
        Self {
            name,
            parent: 0,
            role: None,
            leaf: false,
            hidden: false,
            size: size_of::<T>(),
            content,
        }
    }

    /// The same field with a role, which everything below it inherits.
    #[must_use]
    pub const fn role(mut self, role: Role) -> Self {
        self.role = Some(role);
        self
    }

    /// The same field as one leaf: everything below it is added up.
    #[must_use]
    pub const fn leaf(mut self) -> Self {
        self.leaf = true;
        self
    }

    /// The same field without a frame: its leaves and children join the line above, as those of a
    /// tuple struct's only field do.
    #[must_use]
    pub const fn without_frame(mut self) -> Self {
        self.hidden = true;
        self
    }

    /// The same field below entry `index` of the shape, as a variant's fields are below the variant.
    #[must_use]
    pub const fn below(mut self, index: u16) -> Self {
        self.parent = index + 1;
        self
    }
}
