//! Shared immutable values with an identity. Repeated profiles remember each value by its identity.

mod changes;
mod remembered;
mod visit;
mod waiting;

pub use crate::state::Obstacle;
pub use remembered::{Remembered, Reuse};
pub(crate) use waiting::Waiting;

use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;
use std::sync::Arc;

/// A handle to a shared immutable value, like [`Arc`], with an identity that no other value of the
/// process ever has.
///
/// A profile treats a `Frozen<T>` as an `Arc<T>`: the value counts once, at the first handle that
/// the walk meets. A `Profiler` recognizes the value in later profiles by its identity, and adds
/// the bytes of the first visit without another visit.
///
/// ```
/// use memprof::large::{Frozen, Profiler};
/// use memprof::Profile;
///
/// let mut segments: Vec<Frozen<Vec<String>>> =
///     (0..100).map(|_| Frozen::new(vec![String::from("alpha"); 50])).collect();
/// let mut profiler = Profiler::new();
/// let _ = profiler.named("segments", &segments);
///
/// segments[7] = Frozen::new(vec![String::from("beta"); 50]);
/// let profile = profiler.named("segments", &segments);
/// assert_eq!((profiler.last().reused(), profiler.last().walked()), (99, 1));
/// assert_eq!(profile, Profile::named("segments", &segments));
/// ```
///
/// # The promise
/// By making a `Frozen<T>`, you promise that the memory of the value stays as it is while the value
/// lives: neither the value nor anything that it owns changes, grows or shrinks. No type can check
/// this. A walk detects the types of std that break the promise: `Rc`, `Arc`, `RefCell`, `Mutex`,
/// `OnceCell` and similar ones. A value that contains one of them is not remembered, so every
/// profile of the value is right. A hand-written impl of [`MemoryProfile`](crate::MemoryProfile)
/// may hide such a type from the walk. If hidden memory changes, later profiles report the old
/// bytes. There is no other consequence.
///
/// # Comparisons
/// `Frozen<T>` compares, orders and hashes by value, like `Arc<T>`, so it can be looked up in a map
/// by a `&T`. [`ptr_eq`](Self::ptr_eq) and [`identity`](Self::identity) compare handles.
///
/// # Cost
/// A handle takes two words on a 64-bit target: a pointer and the identity. The value is in an
/// `Arc`, with two counts before it. A clone or a drop of a handle takes one more atomic addition
/// than for an `Arc`.
pub struct Frozen<T: ?Sized> {
    value: Arc<T>,
    // Declared after `value`, because fields are dropped in the order of their declaration.
    ticket: Ticket,
}

/// The identity of a handle's value. Dropping a ticket records that the number of handles changed.
struct Ticket(Identity);

/// The identity of a frozen value: a number that no other frozen value of the process ever has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity(u64);

impl Identity {
    /// Returns the number. Later values have larger numbers.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl Drop for Ticket {
    #[inline]
    fn drop(&mut self) {
        // The `Arc` was dropped before this ticket, so the change is recorded after it happened.
        changes::record(self.0.0);
    }
}

impl<T> Frozen<T> {
    /// Freezes a value.
    ///
    /// ```
    /// use memprof::large::Frozen;
    ///
    /// let names = Frozen::new(vec!["alpha", "beta"]);
    /// assert_eq!(names.len(), 2);
    /// ```
    pub fn new(value: T) -> Self {
        Self::of(Arc::new(value))
    }

    /// Returns the value if this is its only handle.
    ///
    /// # Errors
    /// Returns the handle if there are others.
    ///
    /// ```
    /// use memprof::large::Frozen;
    ///
    /// let one = Frozen::new(String::from("alpha"));
    /// let two = one.clone();
    /// let one = Frozen::try_unwrap(one).unwrap_err();
    /// drop(two);
    /// assert_eq!(Frozen::try_unwrap(one).unwrap(), "alpha");
    /// ```
    pub fn try_unwrap(this: Self) -> Result<T, Self> {
        let Self { value, ticket } = this;
        Arc::try_unwrap(value).map_err(|value| Self { value, ticket })
    }

    /// Returns the value if this is its last handle. If several threads pass the last handles to
    /// this function at once, exactly one of them gets the value.
    ///
    /// ```
    /// use memprof::large::Frozen;
    ///
    /// let one = Frozen::new(String::from("alpha"));
    /// let two = one.clone();
    /// assert_eq!(Frozen::into_inner(one), None);
    /// assert_eq!(Frozen::into_inner(two).as_deref(), Some("alpha"));
    /// ```
    pub fn into_inner(this: Self) -> Option<T> {
        Arc::into_inner(this.value)
    }
}

impl<T: ?Sized> Frozen<T> {
    /// Freezes the value of a new `Arc`, which has no other handle.
    fn of(value: Arc<T>) -> Self {
        Self { value, ticket: Ticket(Identity(changes::next_identity())) }
    }

    /// Returns the identity of the value. All handles to a value return the same one, and no other
    /// value of this process ever has it, even one at the same address.
    ///
    /// ```
    /// use memprof::large::Frozen;
    ///
    /// let one = Frozen::new(1);
    /// let identity = Frozen::identity(&one);
    /// assert_eq!(Frozen::identity(&one.clone()), identity);
    /// drop(one);
    /// assert_ne!(Frozen::identity(&Frozen::new(1)), identity);
    /// ```
    pub fn identity(this: &Self) -> Identity {
        this.ticket.0
    }

    /// Returns whether two handles lead to the same value.
    ///
    /// ```
    /// use memprof::large::Frozen;
    ///
    /// let one = Frozen::new(1);
    /// assert!(Frozen::ptr_eq(&one, &one.clone()));
    /// assert!(!Frozen::ptr_eq(&one, &Frozen::new(1)));
    /// ```
    pub fn ptr_eq(this: &Self, other: &Self) -> bool {
        Arc::ptr_eq(&this.value, &other.value)
    }

    /// Returns the number of handles to the value. Other threads may change it at any time.
    ///
    /// ```
    /// use memprof::large::Frozen;
    ///
    /// let one = Frozen::new(1);
    /// let _two = one.clone();
    /// assert_eq!(Frozen::strong_count(&one), 2);
    /// ```
    pub fn strong_count(this: &Self) -> usize {
        Arc::strong_count(&this.value)
    }

    /// Returns the address of the value.
    ///
    /// ```
    /// use memprof::large::Frozen;
    ///
    /// let one = Frozen::new(1);
    /// assert_eq!(Frozen::as_ptr(&one), &raw const *one);
    /// ```
    pub fn as_ptr(this: &Self) -> *const T {
        Arc::as_ptr(&this.value)
    }
}

impl<T: ?Sized> Clone for Frozen<T> {
    #[inline]
    fn clone(&self) -> Self {
        let (value, identity) = (Arc::clone(&self.value), self.ticket.0);
        changes::record(identity.0);
        Self { value, ticket: Ticket(identity) }
    }
}

impl<T: ?Sized> Deref for Frozen<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: ?Sized> AsRef<T> for Frozen<T> {
    fn as_ref(&self) -> &T {
        self
    }
}

impl<T: ?Sized> Borrow<T> for Frozen<T> {
    fn borrow(&self) -> &T {
        self
    }
}

impl<T> From<T> for Frozen<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T> From<Vec<T>> for Frozen<[T]> {
    fn from(values: Vec<T>) -> Self {
        Self::of(values.into())
    }
}

impl From<&str> for Frozen<str> {
    fn from(text: &str) -> Self {
        Self::of(text.into())
    }
}

impl From<String> for Frozen<str> {
    fn from(text: String) -> Self {
        Self::of(text.into())
    }
}

impl<T: ?Sized> From<Box<T>> for Frozen<T> {
    fn from(value: Box<T>) -> Self {
        Self::of(value.into())
    }
}

impl<T> FromIterator<T> for Frozen<[T]> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::of(values.into_iter().collect())
    }
}

impl<T: Default> Default for Frozen<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: PartialEq + ?Sized> PartialEq for Frozen<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq + ?Sized> Eq for Frozen<T> {}

impl<T: PartialOrd + ?Sized> PartialOrd for Frozen<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (**self).partial_cmp(&**other)
    }
}

impl<T: Ord + ?Sized> Ord for Frozen<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(&**other)
    }
}

impl<T: Hash + ?Sized> Hash for Frozen<T> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (**self).hash(hasher);
    }
}

impl<T: fmt::Debug + ?Sized> fmt::Debug for Frozen<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(out)
    }
}

impl<T: fmt::Display + ?Sized> fmt::Display for Frozen<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(out)
    }
}

impl<T: ?Sized> fmt::Pointer for Frozen<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Pointer::fmt(&Self::as_ptr(self), out)
    }
}

impl<T: core::error::Error + ?Sized> core::error::Error for Frozen<T> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        (**self).source()
    }
}

#[cfg(test)]
mod tests;
