//! Collections whose elements a function profiles, because the elements' type has no impl.

use crate::MemoryProfile;
use crate::impls::parts::MapParts;
use crate::impls::parts::SetParts;
use crate::impls::parts::add_pairs;
use crate::impls::parts::add_values;
use crate::impls::std::btree;
use crate::impls::std::cell::{guard_or_locked, owned_behind};
use crate::impls::std::shared::add_around;
use crate::layout::OnHeap;
use crate::layout::casts::ProfileFunction;
use crate::layout::casts::WithFunction;
use crate::layout::counted::identity;
use crate::layout::lock::{MUTEX_IS_INLINE, RW_LOCK_IS_INLINE};
use crate::layout::tree::{leaf_of_emptied_map, leaf_of_emptied_set};
use crate::tree::OpaqueReason;
use crate::walk::{Position, Walk};
#[cfg(any(feature = "hashbrown017", feature = "lru019"))]
use core::hash::{BuildHasher, Hash};
use core::ops::Deref;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};

/// A type that contains values of one type, which `#[profile(each = function)]` can profile.
///
/// The type of the elements needs no impl of [`MemoryProfile`], so it can be a type of another
/// crate:
///
/// ```
/// # mod image { pub struct Bitmap { pub rows: Vec<Vec<u8>> } }
/// use memprof::walk::{Each, Position, Walk};
/// use memprof::{MemoryProfile, Profile};
///
/// struct Album { bitmaps: Vec<image::Bitmap> }
///
/// fn profile_bitmap<'a>(bitmap: &'a image::Bitmap, walk: &mut Walk<'a>, at: Position) {
///     bitmap.rows.owned(walk, at);
/// }
///
/// impl MemoryProfile for Album {
///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
///         self.bitmaps.each(profile_bitmap, walk, at);
///     }
/// }
///
/// let album = Album { bitmaps: vec![image::Bitmap { rows: vec![vec![0; 10]] }] };
/// assert_eq!(Profile::of(&album).total_bytes(), 24 + 24 + 24 + 10);
/// ```
#[diagnostic::on_unimplemented(
    message = "`#[profile(each = …)]` finds no elements in `{Self}`",
    label = "not a collection that `each` supports",
    note = "`each` is for `Vec`, `VecDeque`, `BinaryHeap`, `Box`, `Box<[T]>`, `Rc`, `Arc`, `[T; N]`, `Option`, `RefCell`, `Mutex`, `RwLock`, `HashSet`, `BTreeSet`, and the values of a `HashMap` or `BTreeMap`",
    note = "with the feature of memprof named after the crate, also for an `IndexSet`, `OrderSet` and hashbrown's `HashSet` and `HashTable`, and for the values of an `IndexMap`, `OrderMap`, `LruCache` and hashbrown's `HashMap`",
    note = "for a value of another type, write `#[profile(with = path)]`"
)]
pub trait Each {
    /// The type of the elements.
    type Element;

    /// Adds what the collection owns, and calls `profile` for each element. `profile` adds what the
    /// element owns outside its inline bytes.
    ///
    /// The collection adds the inline bytes of its elements as one leaf. `profile` must be a
    /// function item, or a closure that captures nothing. Other closures and function pointers do
    /// not compile.
    ///
    /// # Cost
    /// Takes as long as [`MemoryProfile::owned`] of a collection whose elements own memory.
    fn each<'a, P>(&'a self, profile: P, walk: &mut Walk<'a>, at: Position)
    where
        P: for<'w> Fn(&'w Self::Element, &mut Walk<'w>, Position) + Copy + 'a;
}

/// A function that profiles one element.
#[derive(Clone, Copy)]
struct OfElement<P>(P);

impl<T, P> ProfileFunction<T> for OfElement<P>
where
    P: for<'w> Fn(&'w T, &mut Walk<'w>, Position) + Copy,
{
    #[inline]
    fn profile<'a>(self, value: &'a T, walk: &mut Walk<'a>, at: Position)
    where
        Self: 'a,
    {
        (self.0)(value, walk, at);
    }
}

/// Adds a buffer with room for `capacity` elements, and the elements, which form two slices.
fn add_buffer<'a, T, P>(
    (front, back): (&'a [T], &'a [T]),
    capacity: usize,
    profile: P,
    walk: &mut Walk<'a>,
    at: Position,
) where
    P: for<'w> Fn(&'w T, &mut Walk<'w>, Position) + Copy + 'a,
{
    let [front, back] =
        [front, back].map(|slice| WithFunction::of_slice(slice, OfElement(profile)));
    walk.buffer(at, front.as_ptr(), front.len() + back.len(), capacity);
    walk.slice(front, at);
    walk.slice(back, at);
}

/// Implements `Each` for growable sequences. The expressions return the slices of the elements.
macro_rules! sequences {
    ($($sequence:ident: $slices:expr;)*) => {$(
        impl<T> Each for $sequence<T> {
            type Element = T;

            fn each<'a, P>(&'a self, profile: P, walk: &mut Walk<'a>, at: Position)
            where
                P: for<'w> Fn(&'w T, &mut Walk<'w>, Position) + Copy + 'a,
            {
                add_buffer($slices(self), self.capacity(), profile, walk, at);
            }
        }
    )*};
}

sequences! {
    Vec: |sequence: &'a Self| (sequence.as_slice(), [].as_slice());
    VecDeque: |sequence: &'a Self| sequence.as_slices();
    BinaryHeap: |sequence: &'a Self| (sequence.as_slice(), [].as_slice());
}

impl<T> Each for Box<T> {
    type Element = T;

    fn each<'a, P>(&'a self, profile: P, walk: &mut Walk<'a>, at: Position)
    where
        P: for<'w> Fn(&'w T, &mut Walk<'w>, Position) + Copy + 'a,
    {
        walk.boxed(WithFunction::of(&**self, OfElement(profile)), at);
    }
}

impl<T> Each for Box<[T]> {
    type Element = T;

    fn each<'a, P>(&'a self, profile: P, walk: &mut Walk<'a>, at: Position)
    where
        P: for<'w> Fn(&'w T, &mut Walk<'w>, Position) + Copy + 'a,
    {
        walk.boxed(WithFunction::of_slice(self, OfElement(profile)), at);
    }
}

/// Implements `Each` for handles to shared memory. The memory counts once.
macro_rules! shared_pointers {
    ($($pointer:ident)*) => {$(
        impl<T> Each for $pointer<T> {
            type Element = T;

            fn each<'a, P>(&'a self, profile: P, walk: &mut Walk<'a>, at: Position)
            where
                P: for<'w> Fn(&'w T, &mut Walk<'w>, Position) + Copy + 'a,
            {
                let target = WithFunction::of(&**self, OfElement(profile));
                let address = identity($pointer::as_ptr(self).addr());
                walk.shared(at, address, || $pointer::strong_count(self), |walk, at| {
                    add_around(walk, at, size_of::<T>(), align_of::<T>());
                    walk.block(address);
                    walk.pointee(target, at);
                });
            }
        }
    )*};
}

shared_pointers! { Rc Arc }

impl<T, const N: usize> Each for [T; N] {
    type Element = T;

    fn each<'a, P>(&'a self, profile: P, walk: &mut Walk<'a>, at: Position)
    where
        P: for<'w> Fn(&'w T, &mut Walk<'w>, Position) + Copy + 'a,
    {
        walk.slice(WithFunction::of_slice(self, OfElement(profile)), at);
    }
}

impl<T> Each for Option<T> {
    type Element = T;

    #[inline]
    fn each<'a, P>(&'a self, profile: P, walk: &mut Walk<'a>, at: Position)
    where
        P: for<'w> Fn(&'w T, &mut Walk<'w>, Position) + Copy + 'a,
    {
        if let Some(value) = self {
            profile(value, walk, at);
        }
    }
}

/// Adds a map, whose values a function profiles.
fn add_map<'a, M, P>(map: &'a M, profile: P, walk: &mut Walk<'a>, at: Position)
where
    M: MapParts<Key: MemoryProfile>,
    P: for<'w> Fn(&'w M::Value, &mut Walk<'w>, Position) + Copy + 'a,
{
    map.add_but_entries(true, walk, at);
    let profiled =
        map.entries().map(|(key, value)| (key, WithFunction::of(value, OfElement(profile))));
    add_pairs(profiled, map.entry_count(), walk, at);
}

/// Implements `Each` for maps. The elements are the values, and the keys need an impl of
/// [`MemoryProfile`].
macro_rules! maps {
    ($($(#[$attribute:meta])* [$($param:tt)*] $map:ty;)*) => {$(
        $(#[$attribute])*
        impl<$($param)*> Each for $map {
            type Element = V;

            fn each<'a, P>(&'a self, profile: P, walk: &mut Walk<'a>, at: Position)
            where
                P: for<'w> Fn(&'w V, &mut Walk<'w>, Position) + Copy + 'a,
            {
                add_map(self, profile, walk, at);
            }
        }
    )*};
}

maps! {
    [K: MemoryProfile, V, S] HashMap<K, V, S>;
    #[cfg(feature = "indexmap2")]
    [K: MemoryProfile, V, S] indexmap::IndexMap<K, V, S>;
    #[cfg(feature = "ordermap1")]
    [K: MemoryProfile, V, S] ordermap::OrderMap<K, V, S>;
    #[cfg(feature = "hashbrown017")]
    [K: MemoryProfile + Eq + Hash, V, S: BuildHasher] hashbrown::HashMap<K, V, S>;
    #[cfg(feature = "lru019")]
    [K: MemoryProfile + Eq + Hash, V, S: BuildHasher] lru::LruCache<K, V, S>;
}

/// The elements are the values. The keys need an impl of [`MemoryProfile`].
impl<K: MemoryProfile, V> Each for BTreeMap<K, V> {
    type Element = V;

    fn each<'a, P>(&'a self, profile: P, walk: &mut Walk<'a>, at: Position)
    where
        P: for<'w> Fn(&'w V, &mut Walk<'w>, Position) + Copy + 'a,
    {
        let profiled =
            move |(key, value): (&'a K, &'a V)| (key, WithFunction::of(value, OfElement(profile)));
        let emptied = || leaf_of_emptied_map(self);
        btree::add_entries(self.iter().map(profiled), self.len(), emptied, walk, at);
    }
}

/// Implements `Each` for sets.
macro_rules! sets {
    ($($(#[$attribute:meta])* [$($param:tt)*] $set:ty;)*) => {$(
        $(#[$attribute])*
        impl<$($param)*> Each for $set {
            type Element = T;

            fn each<'a, P>(&'a self, profile: P, walk: &mut Walk<'a>, at: Position)
            where
                P: for<'w> Fn(&'w T, &mut Walk<'w>, Position) + Copy + 'a,
            {
                self.add_but_values(true, walk, at);
                let profiled = self.values().map(|value| WithFunction::of(value, OfElement(profile)));
                let count = profiled.len();
                add_values(profiled, count, walk, at);
            }
        }
    )*};
}

sets! {
    [T, S] HashSet<T, S>;
    #[cfg(feature = "indexmap2")]
    [T, S] indexmap::IndexSet<T, S>;
    #[cfg(feature = "ordermap1")]
    [T, S] ordermap::OrderSet<T, S>;
    #[cfg(feature = "hashbrown017")]
    [T: Eq + Hash, S: BuildHasher] hashbrown::HashSet<T, S>;
    #[cfg(feature = "hashbrown017")]
    [T] hashbrown::HashTable<T>;
}

impl<T> Each for BTreeSet<T> {
    type Element = T;

    fn each<'a, P>(&'a self, profile: P, walk: &mut Walk<'a>, at: Position)
    where
        P: for<'w> Fn(&'w T, &mut Walk<'w>, Position) + Copy + 'a,
    {
        let profiled = self.iter().map(move |value| WithFunction::of(value, OfElement(profile)));
        let emptied = || leaf_of_emptied_set(self);
        btree::add_set_values(profiled, self.len(), emptied, walk, at);
    }
}

/// A guard of a cell, and the function that profiles the cell's value.
struct Guarded<G, P> {
    guard: G,
    profile: P,
}

impl<G: Deref<Target: Sized>, P> Deref for Guarded<G, P>
where
    P: for<'w> Fn(&'w G::Target, &mut Walk<'w>, Position) + Copy,
{
    type Target = WithFunction<G::Target, OfElement<P>>;

    fn deref(&self) -> &Self::Target {
        WithFunction::of(&*self.guard, OfElement(self.profile))
    }
}

/// Implements `Each` for cells. The first expression is true if the cell owns nothing itself, and
/// the second one tries to get a guard.
macro_rules! guarded_cells {
    ($($cell:ident ($is_inline:expr): $try_guard:expr;)*) => {$(
        impl<T> Each for $cell<T> {
            type Element = T;

            fn each<'a, P>(&'a self, profile: P, walk: &mut Walk<'a>, at: Position)
            where
                P: for<'w> Fn(&'w T, &mut Walk<'w>, Position) + Copy + 'a,
            {
                if !$is_inline {
                    walk.opaque(at, OpaqueReason::Foreign);
                }
                let guard = $try_guard(self).map(|guard| OnHeap::new(Guarded { guard, profile }));
                owned_behind(guard, walk, at);
            }
        }
    )*};
}

guarded_cells! {
    RefCell (true): |cell: &'a Self| cell.try_borrow().map_err(|_| OpaqueReason::Borrowed);
    Mutex (MUTEX_IS_INLINE): |lock: &'a Self| guard_or_locked(lock.try_lock());
    RwLock (RW_LOCK_IS_INLINE): |lock: &'a Self| guard_or_locked(lock.try_read());
}
