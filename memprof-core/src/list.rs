//! Lists whose elements have numbers of a type of their own.

use core::fmt;
use core::marker::PhantomData;
use core::num::NonZeroU32;
use core::ops::{Index, IndexMut};

/// A list whose elements have numbers of a type of their own.
#[derive(Debug)]
pub(crate) struct List<T>(pub(crate) Vec<T>);

/// The number of an element of a list, from 1, so that an `Option` of it takes four bytes.
pub(crate) struct Id<T>(NonZeroU32, PhantomData<fn() -> T>);

impl<T> List<T> {
    /// Adds an element.
    pub(crate) fn push(&mut self, element: T) -> Id<T> {
        let id = self.next();
        self.0.push(element);
        id
    }

    /// Returns the number of the next element.
    ///
    /// # Panics
    /// Panics if the list is longer than the numbers reach, for which memory would not suffice.
    pub(crate) fn next(&self) -> Id<T> {
        let number = NonZeroU32::new(self.0.len() as u32 + 1);
        Id(number.expect("a list has fewer than 2^32 elements"), PhantomData)
    }

    /// Returns the elements of a linked list, from its first one on.
    pub(crate) fn linked(
        &self,
        first: Option<Id<T>>,
        next: fn(&T) -> Option<Id<T>>,
    ) -> impl Iterator<Item = &T> {
        let mut at = first;
        core::iter::from_fn(move || {
            let element = &self[at?];
            at = next(element);
            Some(element)
        })
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Index<Id<T>> for List<T> {
    type Output = T;

    fn index(&self, id: Id<T>) -> &T {
        &self.0[id.index()]
    }
}

impl<T> IndexMut<Id<T>> for List<T> {
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        &mut self.0[id.index()]
    }
}

impl<T> Id<T> {
    /// Returns the index of the element.
    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// Returns the number of the element before this one.
    pub(crate) fn before(self) -> Option<Self> {
        Some(Self(NonZeroU32::new(self.0.get() - 1)?, PhantomData))
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}
