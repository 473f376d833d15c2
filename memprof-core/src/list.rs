//! Lists whose elements have numbers of a type of their own, so that a number of one list is no
//! index of another.

use core::fmt;
use core::marker::PhantomData;
use core::num::NonZeroU32;
use core::ops::{Index, IndexMut};

/// A number of the elements of a list.
pub(crate) trait Number: Copy {
    fn at(index: usize) -> Self;

    fn index(self) -> usize;
}

/// Lists with the same type of numbers describe the same elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct List<T, N = Id<T>>(pub(crate) Vec<T>, PhantomData<fn(N) -> N>);

impl<T, N: Number> List<T, N> {
    #[inline]
    pub(crate) fn push(&mut self, element: T) -> N {
        let number = self.next();
        self.0.push(element);
        number
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    pub(crate) fn next(&self) -> N {
        N::at(self.0.len())
    }

    pub(crate) fn numbers(
        &self,
    ) -> impl DoubleEndedIterator<Item = N> + ExactSizeIterator + use<T, N> {
        (0..self.0.len()).map(N::at)
    }

    pub(crate) fn numbered(&self) -> impl ExactSizeIterator<Item = (N, &T)> + DoubleEndedIterator {
        self.0.iter().enumerate().map(|(index, element)| (N::at(index), element))
    }
}

impl<T> List<T> {
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

impl<T, N> From<Vec<T>> for List<T, N> {
    fn from(elements: Vec<T>) -> Self {
        Self(elements, PhantomData)
    }
}

impl<T, N> FromIterator<T> for List<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Vec::from_iter(elements).into()
    }
}

impl<T, N> Default for List<T, N> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T, N: Number> Index<N> for List<T, N> {
    type Output = T;

    #[inline]
    fn index(&self, number: N) -> &T {
        &self.0[number.index()]
    }
}

impl<T, N: Number> IndexMut<N> for List<T, N> {
    #[inline]
    fn index_mut(&mut self, number: N) -> &mut T {
        &mut self.0[number.index()]
    }
}

/// The number of an element of a list of `T`, from 1, so that an `Option` of it takes four bytes.
pub(crate) struct Id<T>(NonZeroU32, PhantomData<fn() -> T>);

impl<T> Number for Id<T> {
    /// # Panics
    /// Panics if the index is larger than the numbers reach, for which memory would not suffice.
    #[inline]
    fn at(index: usize) -> Self {
        let number = NonZeroU32::new(index as u32 + 1);
        Self(number.expect("a list has fewer than 2^32 elements"), PhantomData)
    }

    #[inline]
    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl<T> Id<T> {
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

impl<T> Eq for Id<T> {}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}
