//! Items that generated code names. They are not part of the public API, so any release may change
//! them.

use crate::shape::Content;
use crate::tree::OpaqueReason;

pub use crate::MemoryProfile;
pub use crate::tree::{LeafKind, Role};
pub use crate::walk::{Field, Follow, Keyed, Position, Shape, Tally, Walk};
pub use core::fmt::Display;
pub use core::hash::Hash;
pub use core::marker::PhantomData;
pub use core::mem::needs_drop;
pub use core::primitive::{bool, str, usize};
pub use core::slice::from_ref;

/// Returns the same as [`Field::of`], but takes a function that can only be named if the type
/// implements the trait.
pub const fn field<T>(name: &'static str, inline: fn(&mut Walk<'_>, Position, usize)) -> Field {
    Field::new::<T>(name, Content::Typed(inline))
}

/// Returns a field whose type the derive recognized as a scalar by its name. `Copy` proves that the
/// type owns nothing.
pub const fn scalar<T: MemoryProfile + Copy>(name: &'static str) -> Field {
    Field::of::<T>(name)
}

/// Marks a skipped field of the active variant. For a struct, the shape marks its skipped fields.
pub fn skipped<T>(walk: &mut Walk<'_>, at: Position) {
    if needs_drop::<T>() {
        walk.opaque(at, OpaqueReason::Skipped);
    }
}

/// Adds what a field owns and what the references in it point to.
pub fn follow<'a, T: MemoryProfile + Follow>(value: &'a T, walk: &mut Walk<'a>, at: Position) {
    value.owned(walk, at);
    value.follow(walk, at);
}

/// Adds the alignment padding of `count` values of `T` around their only field.
pub fn padding<T, F>(walk: &mut Walk<'_>, at: Position, count: usize) {
    walk.leaf(at, LeafKind::Padding, count * (size_of::<T>() - size_of::<F>()));
}

/// Adds the same as [`padding`], for one value that may be unsized.
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
