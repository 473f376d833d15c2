//! What generated code names. Not part of the interface: any release may change it.

use crate::Opaque;
use crate::shape::Content;

pub use crate::{At, Field, Follow, Keyed, Kind, MemoryProfile, Role, Shape, Tally, Walk};
pub use core::fmt::Display;
pub use core::hash::Hash;
pub use core::marker::PhantomData;
pub use core::mem::needs_drop;
pub use core::primitive::{bool, str, usize};
pub use core::slice::from_ref;

/// Like [`Field::of`], for a function that can only be named if the type has the trait.
pub const fn field<T>(name: &'static str, inline: fn(&mut Walk<'_>, At, usize)) -> Field {
    Field::new::<T>(name, Content::Typed(inline))
}

/// A field of a type that the derive took for a scalar by its name; `Copy` proves that it owns nothing.
pub const fn scalar<T: MemoryProfile + Copy>(name: &'static str) -> Field {
    Field::of::<T>(name)
}

/// Marks a skipped field of an active variant; a struct's shape marks its skipped fields itself.
pub fn skipped<T>(walk: &mut Walk<'_>, at: At) {
    if needs_drop::<T>() {
        walk.opaque(at, Opaque::Skipped);
    }
}

/// Adds a field's owned memory and what the references in it point to.
pub fn follow<'a, T: MemoryProfile + Follow>(value: &'a T, walk: &mut Walk<'a>, at: At) {
    value.owned(walk, at);
    value.follow(walk, at);
}

/// Adds what `count` values of `T` need beyond their only field, for its alignment.
pub fn padding<T, F>(walk: &mut Walk<'_>, at: At, count: usize) {
    walk.leaf(at, Kind::Padding, count * (size_of::<T>() - size_of::<F>()));
}

/// Like [`padding`], for one value that may be unsized.
pub fn padding_around<T: ?Sized, F: ?Sized>(value: &T, field: &F, walk: &mut Walk<'_>, at: At) {
    walk.leaf(at, Kind::Padding, size_of_val(value) - size_of_val(field));
}

/// A field's name as a frame: without the `r#` of a raw identifier.
pub const fn unraw(name: &'static str) -> &'static str {
    match name.as_bytes() {
        // Text without its first two ASCII characters is text.
        [b'r', b'#', rest @ ..] => match core::str::from_utf8(rest) {
            Ok(rest) => rest,
            Err(_) => name,
        },
        _ => name,
    }
}
