//! References that the walk follows if a type requests it. Each target counts once, even if several
//! references lead to it.

use crate::MemoryProfile;
use crate::impls::parts::Remaining;
use crate::walk::{Position, Walk};
use core::cell::Cell;
use std::collections::{BTreeMap, HashMap, VecDeque};

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
    /// Takes one look-up in a table of all targets followed so far.
    pub fn follow<T: MemoryProfile + ?Sized>(&mut self, target: &'a T, at: Position) {
        if self.is_drawing() {
            // Other elements may have references to the same target.
            self.mark_unvisited(at, 1);
            return;
        }
        if self.leaves_out_shared(at) {
            return;
        }
        let (address, size, state) =
            ((&raw const *target).addr(), size_of_val(target), self.state());
        let node = state.number(at);
        if !state.followed.insert(address, size, node) {
            return;
        }
        // A handle inside the target is not one of the root's handles.
        let outer = self.state().sharing.enter_target();
        self.pointee(target, at);
        self.switch_context(outer);
    }
}

impl<T: MemoryProfile + ?Sized> Follow for &T {
    fn follow<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.follow::<T>(self, at);
    }
}

impl<T: MemoryProfile + ?Sized> Follow for &mut T {
    fn follow<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.follow::<T>(self, at);
    }
}

impl<T: MemoryProfile + ?Sized> Follow for Cell<&T> {
    fn follow<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.follow(self.get(), at);
    }
}

impl<T: MemoryProfile + ?Sized> Follow for Cell<Option<&T>> {
    fn follow<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if let Some(target) = self.get() {
            walk.follow(target, at);
        }
    }
}

/// Implements `Follow` for collections. The walk follows their values one by one.
macro_rules! collections {
    ($([$($param:tt)*] $collection:ty => $values:ident),* $(,)?) => {$(
        impl<$($param)*> Follow for $collection {
            fn follow<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                let values = self.$values();
                let mut values = Remaining { len: values.len(), entries: values };
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
