//! The traits behind the attributes `each`, `keyed` and `follow` of the derive.

use crate::MemoryProfile;
use crate::impls::std::btree;
use crate::impls::std::cell::{GuardResult, guard_or_locked, owned_behind};
use crate::impls::std::shared::add_shared;
use crate::layout::word::WithFunction;
use crate::layout::{MUTEX_IS_INLINE, OnHeap, RW_LOCK_IS_INLINE};
use crate::sort::sort_by;
use crate::tree::{KEYS, LeafKind, OTHER, OpaqueReason, SHARED};
use crate::walk::{Counted, Position, Walk};
use core::cell::Cell;
use core::fmt::{Display, Write};
use core::ops::{ControlFlow, Deref};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, VecDeque};
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
    note = "`each` is for vectors, queues, heaps, arrays, sets, the values of maps, `Option`, `Box`, `Rc`, `Arc`, `RefCell`, `Mutex` and `RwLock`",
    note = "for a collection from another crate, enable memprof's feature for that crate, such as `indexmap2`",
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

/// The elements form two slices.
fn add_buffer<'a, T, P>(
    (front, back): (&'a [T], &'a [T]),
    capacity: usize,
    profile: P,
    walk: &mut Walk<'a>,
    at: Position,
) where
    P: for<'w> Fn(&'w T, &mut Walk<'w>, Position) + Copy + 'a,
{
    let [front, back] = [front, back].map(|slice| WithFunction::of_slice(slice, profile));
    walk.buffer(at, front.as_ptr(), front.len() + back.len(), capacity);
    walk.slice(front, at);
    walk.slice(back, at);
}

struct Guarded<G, P> {
    guard: G,
    profile: P,
}

impl<G: Deref<Target: Sized>, P> Deref for Guarded<G, P>
where
    P: for<'w> Fn(&'w G::Target, &mut Walk<'w>, Position) + Copy,
{
    type Target = WithFunction<G::Target, P>;

    fn deref(&self) -> &Self::Target {
        WithFunction::of(&*self.guard, self.profile)
    }
}

/// Adds the value of a cell that owns nothing itself if `is_inline` is true.
fn add_guarded<'a, G, P>(
    guard: GuardResult<G>,
    is_inline: bool,
    profile: P,
    walk: &mut Walk<'a>,
    at: Position,
) where
    G: Deref<Target: Sized> + 'a,
    P: for<'w> Fn(&'w G::Target, &mut Walk<'w>, Position) + Copy + 'a,
{
    if !is_inline {
        walk.opaque(at, OpaqueReason::Foreign);
    }
    owned_behind(guard.map(|guard| OnHeap::new(Guarded { guard, profile })), walk, at);
}

/// Implements `Each`: the parameters, the type, the type of its elements, and what adds a value.
macro_rules! each {
    ($(
        [$($param:tt)*] $of:ty => $element:ty,
        |$this:ident, $profile:ident, $walk:ident, $at:ident| $add:expr;
    )*) => {$(
        impl<$($param)*> Each for $of {
            type Element = $element;

            #[inline]
            fn each<'a, P>(&'a self, profile: P, $walk: &mut Walk<'a>, $at: Position)
            where
                P: for<'w> Fn(&'w $element, &mut Walk<'w>, Position) + Copy + 'a,
            {
                let ($this, $profile) = (self, profile);
                $add
            }
        }
    )*};
}

each! {
    [T] Option<T> => T, |this, profile, walk, at| {
        if let Some(value) = this {
            profile(value, walk, at);
        }
    };
    [T, const N: usize] [T; N] => T,
        |this, profile, walk, at| walk.slice(WithFunction::of_slice(this, profile), at);
    [T] Vec<T> => T, |this, profile, walk, at| {
        add_buffer((this.as_slice(), &[]), this.capacity(), profile, walk, at);
    };
    [T] VecDeque<T> => T, |this, profile, walk, at| {
        add_buffer(this.as_slices(), this.capacity(), profile, walk, at);
    };
    [T] BinaryHeap<T> => T, |this, profile, walk, at| {
        add_buffer((this.as_slice(), &[]), this.capacity(), profile, walk, at);
    };

    [T] Box<T> => T,
        |this, profile, walk, at| walk.boxed(WithFunction::of(&**this, profile), at);
    [T] Box<[T]> => T,
        |this, profile, walk, at| walk.boxed(WithFunction::of_slice(this, profile), at);
    [T] Rc<T> => T, |this, profile, walk, at| {
        let counts = || [Rc::strong_count(this), Rc::weak_count(this)];
        add_shared(WithFunction::of(&**this, profile), counts, walk, at);
    };
    [T] Arc<T> => T, |this, profile, walk, at| {
        let counts = || [Arc::strong_count(this), Arc::weak_count(this)];
        add_shared(WithFunction::of(&**this, profile), counts, walk, at);
    };

    [T] RefCell<T> => T, |this, profile, walk, at| {
        let guard = this.try_borrow().map_err(|_| OpaqueReason::Borrowed);
        add_guarded(guard, true, profile, walk, at);
    };
    [T] Mutex<T> => T, |this, profile, walk, at| {
        add_guarded(guard_or_locked(this.try_lock()), MUTEX_IS_INLINE, profile, walk, at);
    };
    [T] RwLock<T> => T, |this, profile, walk, at| {
        add_guarded(guard_or_locked(this.try_read()), RW_LOCK_IS_INLINE, profile, walk, at);
    };

    [K: MemoryProfile, V] BTreeMap<K, V> => V, |this, profile, walk, at| {
        let profiled =
            move |(key, value): (&'a K, &'a V)| (key, WithFunction::of(value, profile));
        btree::add_entries(this.iter().map(profiled), this.len(), this, walk, at);
    };
    [T] BTreeSet<T> => T, |this, profile, walk, at| {
        let profiled = this.iter().map(move |value| WithFunction::of(value, profile));
        btree::add_set_values(profiled, this.len(), this, walk, at);
    };
}

/// A map that `#[profile(keyed)]` can profile entry by entry.
///
/// Keys, and the bytes of the map as a whole, have the same paths as without the attribute. Each
/// value is below a branch named after its key, with all that it owns.
///
/// # Cost
/// Each key is formatted and its name is looked up once, or twice if not all entries can be named.
/// A known name allocates nothing.
#[diagnostic::on_unimplemented(
    message = "`#[profile(keyed)]` cannot name the entries of `{Self}`",
    label = "not a map whose keys implement `Display`",
    note = "`keyed` is for `HashMap` and `BTreeMap` with keys that implement `Display`",
    note = "for `IndexMap`, `OrderMap`, `LruCache`, `DashMap`, hashbrown's `HashMap` and serde_json's `Map` and `Value`, enable the memprof feature named after the crate"
)]
pub trait Keyed {
    /// Adds what the map owns. Each value is added below a position that is named after the value's
    /// key.
    ///
    /// If the map is itself an entry of a keyed map, with no field in between, its entries get no
    /// names. At most `cap` entries at a position get names, and all others share `[other]`. An
    /// unordered map names the entries that sort first, so that equal maps name the same entries.
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position);
}

/// Adds an unordered map, with its entries below their names.
pub(crate) fn add_keyed<'a, K: MemoryProfile + Display + 'a, V: MemoryProfile + 'a>(
    map: &'a impl MemoryProfile,
    entries: impl ExactSizeIterator<Item = (&'a K, &'a V)> + Clone,
    add_but_entries: impl FnOnce(&mut Walk<'a>, Position),
    cap: usize,
    walk: &mut Walk<'a>,
    at: Position,
) {
    if is_keyed_entry(walk, at) {
        map.owned(walk, at);
        return;
    }
    let len = entries.len();
    let mut keys = entries.clone().map(|(key, _)| key);
    add_first_names(cap, len, walk, at, |add| keys.try_for_each(add));
    add_but_entries(walk, at);
    add_entries(entries, len, cap, walk, at);
}

/// Returns whether the entries get no names: the map is itself an entry, or the walk has no tree.
pub(crate) fn is_keyed_entry(walk: &mut Walk<'_>, at: Position) -> bool {
    let Some(tree) = &mut walk.tree else { return true };
    tree.node(at).is_entry()
}

/// Returns whether an entry may have that name. Some names are reserved in paths.
fn format_name<K: Display>(key: &K, name: &mut String) -> bool {
    name.clear();
    // If formatting fails, the text written so far is the name.
    let _ = write!(name, "{key}");
    !name.starts_with('[')
        || ![KEYS, SHARED, OTHER].contains(&name.as_str()) && name.parse::<LeafKind>().is_err()
}

/// Adds the names that sort first, if a map of `len` entries has more entries than can have names.
///
/// `for_each_key` calls its argument with each key, and stops early if the walk is stopped.
pub(crate) fn add_first_names<K: Display>(
    cap: usize,
    len: usize,
    walk: &mut Walk<'_>,
    at: Position,
    for_each_key: impl FnOnce(&mut dyn FnMut(&K) -> ControlFlow<()>) -> ControlFlow<()>,
) {
    let limit = cap.saturating_sub(walk.state().rare(at).names as usize);
    if limit == 0 || len <= limit && !walk.state().is_in_entry(at) {
        // No names are needed in advance: either no new name is possible, or every entry gets a
        // name when it is added. The second case is uncertain below an entry of another map,
        // because maps inside the values may get this position too, and use up names first.
        return;
    }
    let mut first = FirstNames { names: Vec::new(), limit, is_full: false };
    let mut formatted = core::mem::take(&mut walk.state().name);
    let mut add = |key: &K| {
        if walk.should_stop() {
            return ControlFlow::Break(());
        }
        if format_name(key, &mut formatted)
            && !first.is_past(&formatted)
            && walk.state().find_entry(at, &formatted).is_none()
        {
            first.add(&formatted);
        }
        ControlFlow::Continue(())
    };
    // If the walk was stopped, the loop over the entries marks the entries not visited.
    let _ = for_each_key(&mut add);
    walk.state().name = formatted;
    first.truncate();
    for name in first.names {
        walk.state().named_entry(at, &name, cap);
    }
}

/// The names that sort first among the names added so far.
struct FirstNames {
    /// The names that the last `truncate` sorted, then the names added since, which may be
    /// duplicates.
    names: Vec<String>,
    limit: usize,
    /// True if the first `limit` names are sorted and distinct; the last of them is then the bound.
    is_full: bool,
}

impl FirstNames {
    /// Returns whether the list already has `limit` names that sort before this one or equal it.
    fn is_past(&self, name: &str) -> bool {
        self.is_full && self.names[self.limit - 1].as_str() <= name
    }

    fn add(&mut self, name: &str) {
        self.names.push(name.to_owned());
        // Sorting only at twice `limit` names makes the cost per name constant.
        if self.names.len() >= self.limit.saturating_mul(2).max(64) {
            self.truncate();
        }
    }

    /// Keeps the first `limit` names, sorted and without duplicates.
    fn truncate(&mut self) {
        sort_by(&mut self.names, String::cmp);
        self.names.dedup();
        self.is_full = self.names.len() >= self.limit;
        self.names.truncate(self.limit);
    }
}

/// Adds `len` keys at the map's `[keys]`, and each value below the entry that its key names.
///
/// A value goes to [`OTHER`] if its name is new and `cap` names exist. If the walk is stopped, the
/// inline bytes of the remaining values go to [`OTHER`] too.
pub(crate) fn add_entries<'a, K: MemoryProfile + Display + 'a, V: MemoryProfile + 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    len: usize,
    cap: usize,
    walk: &mut Walk<'a>,
    at: Position,
) {
    let keys = walk.keys(at);
    if walk.state().rare(at).names == 0 {
        // Only the first map at a position reserves capacity. The names of later maps may already
        // exist.
        walk.state().reserve_entries(len.min(cap));
    }
    let mut entries = Counted { values: entries, left: len };
    while let Some((key, value)) = entries.next_or_mark(walk, at) {
        walk.inline(keys, K::shape(), 1);
        walk.descend(key, keys);
        let entry = entry_of(key, cap, walk, at);
        walk.inline(entry, V::shape(), 1);
        walk.descend(value, entry);
    }
    if entries.left != 0 {
        walk.inline(keys, K::shape(), entries.left);
        let other = walk.entry(at, OTHER);
        walk.inline(other, V::shape(), entries.left);
    }
}

fn entry_of<K: Display>(key: &K, cap: usize, walk: &mut Walk<'_>, at: Position) -> Position {
    let mut name = core::mem::take(&mut walk.state().name);
    if !format_name(key, &mut name) {
        name.clear();
        name.push_str(OTHER);
    }
    let entry = walk.state().named_entry(at, &name, cap);
    walk.state().name = name;
    at.with_node(entry)
}

/// A type that contains references which `#[profile(follow)]` can follow.
///
/// A reference owns nothing, so by default its target counts only at the target's owner. To include
/// the target, follow the field:
///
/// ```
/// use memprof::walk::{Follow, Position, Walk};
/// use memprof::{MemoryProfile, Profile};
///
/// struct View<'a> { rows: Vec<&'a [u64]> }
///
/// impl MemoryProfile for View<'_> {
///     fn owned<'w>(&'w self, walk: &mut Walk<'w>, at: Position) {
///         self.rows.owned(walk, at);
///         self.rows.follow(walk, at);
///     }
/// }
///
/// let row = [1, 2, 3, 4];
/// let view = View { rows: vec![&row, &row] };
/// assert_eq!(Profile::of(&view).total_bytes(), 24 + 2 * 16 + 32);
/// ```
#[diagnostic::on_unimplemented(
    message = "`#[profile(follow)]` finds no reference in `{Self}`",
    label = "contains no reference that could be followed",
    note = "follow a field of type `&T`, `Option<&T>`, `Vec<&T>`, `[&T; N]` or a map with such values",
    note = "what `Box`, `Rc` and `Arc` point to is counted without `follow`"
)]
pub trait Follow {
    /// Adds what the references in `self` point to, but nothing that [`owned`] adds.
    ///
    /// [`owned`]: MemoryProfile::owned
    fn follow<'a>(&'a self, walk: &mut Walk<'a>, at: Position);
}

impl<'a> Walk<'a> {
    /// Adds the target of a reference, unless the walk already followed a reference to it.
    ///
    /// # Cost
    /// Costs one lookup in a table of all targets followed so far.
    pub fn follow<T: MemoryProfile + ?Sized>(&mut self, target: &'a T, at: Position) {
        if self.is_drawing() {
            // Other elements may have references to the same target.
            self.mark_unvisited(at, 1);
            return;
        }
        if self.leaves_out_shared(at) {
            return;
        }
        let Some(outer) = self.state().enter_target(at, target) else { return };
        self.pointee(target, at);
        self.switch_context(outer);
    }
}

/// Implements `Follow` for references to a `T`. The expression returns the target, if there is one.
macro_rules! references {
    ($($reference:ty: |$name:ident| $target:expr;)*) => {$(
        impl<T: MemoryProfile + ?Sized> Follow for $reference {
            fn follow<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                let $name = self;
                if let Some(target) = $target {
                    walk.follow::<T>(target, at);
                }
            }
        }
    )*};
}

references! {
    &T: |reference| Some(&**reference);
    &mut T: |reference| Some(&**reference);
    Cell<&T>: |cell| Some(cell.get());
    Cell<Option<&T>>: |cell| cell.get();
}

/// Implements `Follow` for collections. The walk follows their values one by one.
macro_rules! collections {
    ($([$($param:tt)*] $collection:ty => $values:ident),* $(,)?) => {$(
        impl<$($param)*> Follow for $collection {
            fn follow<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                let values = self.$values();
                let mut values = Counted { left: values.len(), values };
                while let Some(value) = values.next_or_mark(walk, at) {
                    value.follow(walk, at);
                }
            }
        }
    )*};
}

collections! {
    [T: Follow] Option<T> => iter,
    [T: Follow] Vec<T> => iter,
    [T: Follow] VecDeque<T> => iter,
    [T: Follow, const N: usize] [T; N] => iter,
    [T: Follow] Box<[T]> => iter,
    [K: MemoryProfile, V: Follow] BTreeMap<K, V> => values,
    [K: MemoryProfile, V: Follow, S] HashMap<K, V, S> => values,
}
