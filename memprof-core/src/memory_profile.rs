//! The trait `MemoryProfile`, which describes the memory of a type's values.

use crate::shape::{Content, Field, Position, Shape};
use crate::state::Tally;
use crate::walk::Walk;
use crate::words::LeafKind;

/// A type whose values report, byte for byte, the memory they own.
///
/// Derive the trait, or implement [`owned`](Self::owned), the only required method. This method
/// reports what a value owns outside its inline bytes. The container of the value counts the inline
/// bytes.
///
/// ```
/// use memprof::walk::{Position, Walk};
/// use memprof::{MemoryProfile, Profile};
///
/// /// A buffer that a C library allocated for us.
/// struct Blob { bytes: usize }
///
/// impl MemoryProfile for Blob {
///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
///         walk.allocation(at, self.bytes, self.bytes);
///     }
/// }
///
/// assert_eq!(Profile::of(&Blob { bytes: 4096 }).total_bytes(), 8 + 4096);
/// ```
#[diagnostic::on_unimplemented(
    message = "memprof cannot read the memory that `{Self}` owns",
    label = "`MemoryProfile` is not implemented for this type",
    note = "for a type of your own, add `#[derive(memprof::MemoryProfile)]` to it",
    note = "for a trait object, make `MemoryProfile` a supertrait, as in `trait Plugin: MemoryProfile`",
    note = "memprof has features for types from arc-swap, arrayvec, arrow, bytes, candle-core, chrono, compact_str, dashmap, half, hashbrown, http, indexmap, lru, memmap2, moka, ndarray, ordermap, parking_lot, parquet, petgraph, quick_cache, roaring, serde_json, slab, slotmap, smallvec, thin-vec, tokio, url and uuid, such as `indexmap2`",
    note = "for a type from any other crate, derive a mirror with `#[profile(remote = \"path::to::Type\")]`, or mark the field `#[profile(with = path)]` or `#[profile(skip)]`"
)]
pub trait MemoryProfile {
    /// Adds what `self` owns outside its inline bytes, at a position and below it.
    ///
    /// Call `owned` on the parts inside `self`. For a value behind a pointer, call [`Walk::boxed`]
    /// or [`Walk::pointee`] instead, because these functions limit the recursion. In a build with
    /// debug assertions, an impl that recurses without them panics before the stack overflows.
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position);

    /// Adds what each of `values` owns. The walk calls this for the values of a collection.
    #[doc(hidden)]
    fn owned_each<'a>(values: impl Iterator<Item = &'a Self>, walk: &mut Walk<'a>, at: Position)
    where
        Self: Sized + 'a,
    {
        let mut tally = Tally::default();
        for value in values {
            value.tally(&mut tally, walk, at);
        }
        Self::settle(tally, walk, at);
    }

    /// Adds what each of `values` owns. The walk calls this for the values of a slice.
    #[doc(hidden)]
    fn owned_slice<'a>(values: &'a [Self], walk: &mut Walk<'a>, at: Position)
    where
        Self: Sized,
    {
        Self::owned_each(values.iter(), walk, at);
    }

    /// Adds what `self` owns: to `tally` if `self` owns a single buffer, otherwise to the tree.
    ///
    /// A loop over values calls this for each value, and then [`settle`](Self::settle) once.
    #[doc(hidden)]
    #[inline]
    fn tally<'a>(&'a self, tally: &mut Tally, walk: &mut Walk<'a>, at: Position)
    where
        Self: Sized,
    {
        let _ = tally;
        self.owned(walk, at);
    }

    /// Adds to the tree what [`tally`](Self::tally) accumulated.
    #[doc(hidden)]
    #[inline]
    fn settle(tally: Tally, walk: &mut Walk<'_>, at: Position)
    where
        Self: Sized,
    {
        let _ = (tally, walk, at);
    }

    /// Returns whether [`tally`](Self::tally) adds everything to the tally and nothing to the tree. A
    /// loop over such values is faster without groups.
    #[doc(hidden)]
    #[inline]
    fn is_tallied() -> bool
    where
        Self: Sized,
    {
        false
    }

    /// Returns a value that [`tally`](Self::tally) counts as nothing, if the type has one. A loop
    /// counts this value instead of a `None`, and so needs no branch.
    #[doc(hidden)]
    #[inline]
    fn empty<'e>() -> Option<&'e Self>
    where
        Self: Sized,
    {
        None
    }

    /// Adds the bytes of `self` and what it owns. Pointers call this for their target.
    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.leaf(at, LeafKind::of_lump::<Self>(), size_of_val(self));
        self.owned(walk, at);
    }

    /// Returns how a value's inline bytes, `size_of::<Self>()`, are split over its fields. By
    /// default, the type has no fields, and the bytes are one leaf.
    ///
    /// The split depends on the type alone, never on a value, so one addition suffices for a million
    /// values.
    fn shape() -> &'static Shape
    where
        Self: Sized,
    {
        const { &Shape::lump::<Self>(&[]) }
    }

    /// Returns `true` only if no value of this type ever owns memory. Such values need not be
    /// visited.
    ///
    /// Returning `false` is always correct. Override it if [`owned`](Self::owned) is empty, so that a
    /// collection of a million values costs nothing. A generic type is flat if its parts are.
    fn is_flat() -> bool
    where
        Self: Sized,
    {
        false
    }

    /// Returns the full name of the value's type. Its last segment names the root of a profile.
    ///
    /// A `Box`, `Rc` or `Arc`, pinned or not, returns the name of its target's type. Other
    /// wrappers, such as `Mutex` or `Option`, return their own name.
    fn type_name(&self) -> &'static str {
        core::any::type_name::<Self>()
    }
}

impl Field {
    /// Returns a field whose type implements [`MemoryProfile`].
    pub const fn of<T: MemoryProfile>(name: &'static str) -> Self {
        Self::new::<T>(name, Content::Typed(T::shape))
    }
}

#[cfg(test)]
mod tests {
    /// Returns the text between `start` and `end`.
    fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
        let (_, rest) = text.split_once(start).expect("it starts");
        rest.split_once(end).expect("it ends").0
    }

    #[test]
    fn the_compilers_hint_names_the_crates_that_have_a_feature() {
        let manifest = include_str!("../Cargo.toml");
        let features = between(manifest, "# The types of other crates", "[dependencies]");
        let features =
            features.lines().filter_map(|line| line.split_once(" = [")).map(|line| line.0);
        let mut crates: Vec<String> = features
            .map(|name| name.trim_end_matches(|last: char| last.is_ascii_digit()))
            // A name that ends with a digit is followed by `_`.
            .map(|name| name.trim_end_matches('_').to_owned())
            .collect();
        crates.sort_unstable();
        crates.dedup();
        let hint =
            between(include_str!("memory_profile.rs"), "features for types from ", ", such as");
        let named: Vec<String> =
            hint.replace(" and ", ", ").split(", ").map(|name| name.replace('-', "_")).collect();
        assert_eq!(named, crates);
    }
}
