//! Items that generated code names. They are not part of the public API, so any release may change
//! them.

use crate::shape::Content;
use crate::tree::{LeafKind, OpaqueReason};
use core::marker::PhantomData;

pub use crate::MemoryProfile;
pub use crate::state::Tally;
pub use crate::tree::Role;
pub use crate::walk::{Each, Field, Follow, Keyed, Position, Shape, Walk};
pub use core::fmt::Display;
pub use core::hash::Hash;
pub use core::iter::Iterator;
pub use core::marker::Sized;
pub use core::mem::needs_drop;
pub use core::primitive::{bool, str, usize};

/// Returns the same as [`Field::of`], but takes a function that can only be named if the type
/// implements the trait.
pub const fn field<T>(name: &'static str, shape: fn() -> &'static Shape) -> Field {
    Field::new::<T>(name, Content::Typed(shape))
}

/// Returns the shape of a newtype, from the shape of its only field.
pub const fn newtype<T: ?Sized>(size: Option<usize>, inner: fn() -> &'static Shape) -> Shape {
    Shape::newtype_of_any_size::<T>(size, inner)
}

/// Returns a field whose type the derive recognized as a scalar by its name. `Copy` proves that the
/// type owns nothing.
pub const fn scalar<T: MemoryProfile + Copy>(name: &'static str) -> Field {
    Field::of::<T>(name)
}

/// Returns a field that contains a function pointer or a raw pointer. No impl covers all signatures,
/// so the type needs none: `Copy` proves that it owns nothing.
pub const fn pointer<T: Copy>(name: &'static str) -> Field {
    Field::lump::<T>(name)
}

/// Marks a skipped field of the active variant. The skipped fields of a struct are marked by its
/// shape.
pub fn skipped<T: ?Sized>(walk: &mut Walk<'_>, at: Position) {
    if needs_drop::<T>() {
        walk.opaque(at, OpaqueReason::Skipped);
    }
}

/// Marks a value of another crate's type whose mirror does not list every field or variant.
pub fn hidden<T>(_: &T, walk: &mut Walk<'_>, at: Position) {
    if needs_drop::<T>() {
        walk.opaque(at, OpaqueReason::Foreign);
    }
}

/// Fails to compile unless a field of another crate's type has the type that its mirror states. The
/// type of the argument is inferred, because an argument of a given type could be coerced to it.
pub fn is_of_type<T: ?Sized, F: IsType<T> + ?Sized>(_: &F) {}

/// The type `T` itself.
#[diagnostic::on_unimplemented(
    message = "the field has the type `{Self}`, not `{T}`",
    label = "write `{Self}`"
)]
pub trait IsType<T: ?Sized> {}

impl<T: ?Sized> IsType<T> for T {}

/// Adds what a field owns and what the references in it point to.
pub fn follow<'a, T: MemoryProfile + Follow>(value: &'a T, walk: &mut Walk<'a>, at: Position) {
    value.owned(walk, at);
    value.follow(walk, at);
}

/// The type of a struct's last field, or the struct itself. The inherent items apply to types with a
/// size, and those of [`TailOfAnySize`] to others.
#[derive(Debug)]
pub struct Tail<T: ?Sized>(PhantomData<T>);

/// The shape of a struct whose last field may have no size.
pub trait Shaped {
    /// Returns the shape.
    fn shape() -> &'static Shape;
}

/// Returns the shape of a struct whose last field may have no size.
pub const fn shape_of_any_size<T: ?Sized>(size: Option<usize>, fields: &'static [Field]) -> Shape {
    Shape::of_any_size::<T>(size, fields)
}

/// Returns a field with another name.
pub const fn named(mut field: Field, name: &'static str) -> Field {
    field.name = name;
    field
}

impl<T> Tail<T> {
    pub const SIZE: Option<usize> = Some(size_of::<T>());
    pub const SKIPPED: Field = Field::skipped::<T>("");
    pub const LUMP: Field = Field::lump::<T>("");

    /// Does nothing, because the shape marks the skipped fields of a struct with a size.
    pub fn mark_skipped<F: ?Sized>(_: &mut Walk<'_>, _: Position) {}
}

impl<T: MemoryProfile> Tail<T> {
    pub const FIELD: Field = Field::of::<T>("");

    pub fn is_flat() -> bool {
        T::is_flat()
    }

    pub fn shape() -> &'static Shape {
        T::shape()
    }

    pub fn inline(_: &T, walk: &mut Walk<'_>, at: Position) {
        walk.inline(at, T::shape(), 1);
    }

    #[inline]
    pub fn tally<'a>(value: &'a T, tally: &mut Tally, walk: &mut Walk<'a>, at: Position) {
        value.tally(tally, walk, at);
    }

    #[inline]
    pub fn settle(tally: Tally, walk: &mut Walk<'_>, at: Position) {
        T::settle(tally, walk, at);
    }
}

/// The items of [`Tail`] for a type without a size. Nothing calls those that replace methods of
/// [`MemoryProfile`] which need a size; they only have to compile.
pub trait TailOfAnySize {
    /// The type.
    type Type: ?Sized;

    const SIZE: Option<usize> = None;
    const SKIPPED: Field = Field::frame("");
    const LUMP: Field = Field::frame("");
    const FIELD: Field = Field::frame("");

    /// Marks a skipped field of a struct without a size, whose shape has no such marks.
    fn mark_skipped<F: ?Sized>(walk: &mut Walk<'_>, at: Position) {
        skipped::<F>(walk, at);
    }

    fn is_flat() -> bool {
        false
    }

    fn shape() -> &'static Shape {
        const { &Shape::lump::<()>(&[]) }
    }

    fn inline(value: &Self::Type, walk: &mut Walk<'_>, at: Position) {
        walk.leaf(at, LeafKind::of_lump::<Self::Type>(), size_of_val(value));
    }

    fn tally(_: &Self::Type, _: &mut Tally, _: &mut Walk<'_>, _: Position) {}

    fn settle(_: Tally, _: &mut Walk<'_>, _: Position) {}
}

impl<T: ?Sized> TailOfAnySize for Tail<T> {
    type Type = T;
}

/// Adds the alignment padding of a value around its only field, which may be unsized.
pub fn padding_around<T: ?Sized, F: ?Sized>(
    value: &T,
    field: &F,
    walk: &mut Walk<'_>,
    at: Position,
) {
    walk.leaf(at, LeafKind::Padding, size_of_val(value) - size_of_val(field));
}
