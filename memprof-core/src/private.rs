//! Items that generated code names. They are not part of the public API, so any release may change
//! them.

use crate::shape::Content;
use crate::tree::OpaqueReason;

pub use crate::MemoryProfile;
pub use crate::tally::Tally;
pub use crate::tree::{LeafKind, Role};
pub use crate::walk::{Each, Field, Fields, Follow, Keyed, Position, Shape, Walk};
pub use core::fmt::Display;
pub use core::hash::Hash;
pub use core::iter::Iterator;
pub use core::marker::PhantomData;
pub use core::mem::needs_drop;
pub use core::primitive::{bool, str, usize};
pub use core::slice::from_ref;

/// Returns the same as [`Field::of`], but takes a function that can only be named if the type
/// implements the trait.
pub const fn field<T>(name: &'static str, shape: fn() -> &'static Shape) -> Field {
    Field::new::<T>(name, Content::Typed(shape))
}

/// Returns the shape of a newtype, from the shape of its only field.
pub const fn newtype<T>(inner: fn() -> &'static Shape) -> Shape {
    Shape::values::<T>(inner, 1)
}

/// Returns a field whose type the derive recognized as a scalar by its name. `Copy` proves that the
/// type owns nothing.
pub const fn scalar<T: MemoryProfile + Copy>(name: &'static str) -> Field {
    Field::of::<T>(name)
}

/// Marks a skipped field of the active variant. The skipped fields of a struct are marked by its
/// shape.
pub fn skipped<T>(walk: &mut Walk<'_>, at: Position) {
    if needs_drop::<T>() {
        walk.opaque(at, OpaqueReason::Skipped);
    }
}

/// Marks a skipped field of a type of another crate.
pub fn skipped_value<T>(_: &T, walk: &mut Walk<'_>, at: Position) {
    skipped::<T>(walk, at);
}

/// Returns a value of any type. Only code that never runs calls it.
pub fn never<T>() -> T {
    unreachable!("only the compiler reads this code")
}

/// Adds what a field owns and what the references in it point to.
pub fn follow<'a, T: MemoryProfile + Follow>(value: &'a T, walk: &mut Walk<'a>, at: Position) {
    value.owned(walk, at);
    value.follow(walk, at);
}

/// A field that the derive recognized by its tokens as `Option<Box<Self>>`.
///
/// If the names mean other types than those of std, the methods of [`AnyLink`] apply. The inherent
/// methods are for the types of std only, and take precedence.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "generated code makes it")]
pub struct Link<'a, L>(pub &'a L);

impl<'a, T: MemoryProfile> Link<'a, Option<Box<T>>> {
    /// Adds what the field owns.
    #[inline]
    pub fn add(self, walk: &mut Walk<'a>, at: Position) {
        if let Some(value) = self.0.as_deref() {
            value.boxed_chain(walk, at);
        }
    }

    /// Returns the value to which the field leads.
    #[inline]
    pub fn next(self) -> Option<&'a T> {
        self.0.as_deref()
    }

    /// Adds nothing, because [`next`](Self::next) leads to what the field owns.
    #[inline]
    pub fn add_without_next(self, _: &mut Walk<'a>, _: Position) {}
}

/// The methods of [`Link`] for a field of any type.
pub trait AnyLink<'a>: Sized {
    /// Adds what the field owns.
    fn add(self, walk: &mut Walk<'a>, at: Position);

    /// Returns `None`, because a field of any other type does not lead to the next value.
    fn next<T>(self) -> Option<&'a T> {
        None
    }

    /// Adds what the field owns.
    fn add_without_next(self, walk: &mut Walk<'a>, at: Position) {
        self.add(walk, at);
    }
}

impl<'a, L: MemoryProfile> AnyLink<'a> for Link<'a, L> {
    fn add(self, walk: &mut Walk<'a>, at: Position) {
        self.0.owned(walk, at);
    }
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

/// Returns a field's name as a frame, without the `r#` of a raw identifier.
pub const fn unraw(name: &'static str) -> &'static str {
    match name.as_bytes() {
        // UTF-8 text without its first two ASCII characters is still UTF-8.
        [b'r', b'#', rest @ ..] => match core::str::from_utf8(rest) {
            Ok(rest) => rest,
            Err(_) => name,
        },
        _ => name,
    }
}
