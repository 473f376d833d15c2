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
