//! Weights of cache entries, in bytes. A cache that uses them limits its memory.
//!
//! A cache that is bounded by weight calls a function for each entry that is inserted. The weight
//! should be everything that the entry keeps allocated: key, value, and the cache's own bytes for
//! one entry.
//!
//! | question | item |
//! |---|---|
//! | How much does a cache entry weigh? | [`Entry::u32`], [`Entry::u64`] |
//! | How much does a single value weigh? | [`u32()`], [`u64()`] |
//!
//! An example with moka 0.12. `Entry::MOKA012` contains the cache's own bytes for one entry:
//!
//! ```
//! use memprof::weigh::Entry;
//!
//! # mod moka { pub mod sync {
//! #     pub struct Cache<K, V>(core::marker::PhantomData<(K, V)>);
//! #     pub struct Builder;
//! #     impl Cache<String, Vec<u8>> { pub fn builder() -> Builder { Builder } }
//! #     impl Builder {
//! #         pub fn max_capacity(self, _: u64) -> Self { self }
//! #         pub fn weigher(self, _: impl Fn(&String, &Vec<u8>) -> u32) -> Self { self }
//! #         pub fn build(self) -> Cache<String, Vec<u8>> { Cache(core::marker::PhantomData) }
//! #     }
//! # } }
//! let cache: moka::sync::Cache<String, Vec<u8>> = moka::sync::Cache::builder()
//!     .max_capacity(64 << 20) // bytes
//!     .weigher(|key, value| Entry::MOKA012.u32(key, value))
//!     .build();
//! # let _ = cache;
//! ```
//!
//! With `quick_cache` 0.7, implement its trait: `fn weight(&self, key: &K, value: &V) -> u64 {
//! Entry::QUICK_CACHE07.u64(key, value) }`.
//!
//! # Limits
//! A weight is computed once, when the entry is inserted. Memory that a value allocates later is
//! not counted. Memory that several values share is counted for each value. moka stores a clone of
//! an inserted value, and the clone has no excess capacity. Insert an `Arc<V>` instead, whose clone
//! shares the memory.
//!
//! # Cost
//! Takes as long as [`total_bytes`] for key and value.

use crate::{MemoryProfile, total_bytes};

/// Returns all bytes of a value and of all that it owns, at most `u32::MAX`.
///
/// ```
/// assert_eq!(memprof::weigh::u32(&String::from("alpha")), 24 + 5);
/// ```
///
/// # Cost
/// Takes as long as [`total_bytes`].
pub fn u32<T: MemoryProfile + ?Sized>(value: &T) -> u32 {
    saturated(u64(value))
}

/// Returns all bytes of a value and of all that it owns, like [`total_bytes`].
///
/// ```
/// assert_eq!(memprof::weigh::u64("alpha"), 5);
/// ```
///
/// # Cost
/// Takes as long as [`total_bytes`].
pub fn u64<T: MemoryProfile + ?Sized>(value: &T) -> u64 {
    total_bytes(value)
}

fn saturated(bytes: u64) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

/// The weights of a cache's entries, with the bytes that the cache itself uses for one entry.
///
/// ```
/// use memprof::weigh::Entry;
///
/// let entry = Entry::with_cost(100);
/// assert_eq!(entry.u32(&7_u64, &String::from("alpha")), 100 + 8 + 24 + 5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    cost: u64,
}

impl Entry {
    /// Entries of `moka::sync::Cache` and `moka::future::Cache` 0.12, without expiration by time.
    ///
    /// moka allocates for each entry: the key with its counts, the value with its times and its
    /// weight, a node of the queue by access, and a bucket of its table. The test `weigh` measures
    /// the sum.
    pub const MOKA012: Self = Self::with_cost(MOKA012);

    /// Entries of the caches of `quick_cache` 0.7.
    ///
    /// An entry takes a slot with links in a vector, and a bucket of a table. Both double when they
    /// are full, so the cache may use a sixth less or a quarter more than its bound. If
    /// `estimated_items_capacity` is larger than the number of entries that fit, it uses even more.
    pub const QUICK_CACHE07: Self = Self::with_cost(QUICK_CACHE07);

    /// Returns the weights for a cache that itself uses `cost` bytes per entry.
    ///
    /// To find the cost of another cache, fill it with numbers in a test that uses memprof's
    /// allocator. Divide the bytes that `heap::measure` returns by the number of entries, then
    /// subtract the bytes of key and value.
    #[must_use]
    pub const fn with_cost(cost: u64) -> Self {
        Self { cost }
    }

    /// Returns the bytes that the cache itself uses for one entry.
    #[must_use]
    pub const fn cost(self) -> u64 {
        self.cost
    }

    /// Returns the weight of an entry in bytes, at most `u32::MAX`.
    ///
    /// # Cost
    /// Takes as long as [`total_bytes`] for key and value.
    #[must_use]
    pub fn u32<K: MemoryProfile + ?Sized, V: MemoryProfile + ?Sized>(
        self,
        key: &K,
        value: &V,
    ) -> u32 {
        saturated(self.u64(key, value))
    }

    /// Returns the weight of an entry in bytes.
    ///
    /// # Cost
    /// Takes as long as [`total_bytes`] for key and value.
    #[must_use]
    pub fn u64<K: MemoryProfile + ?Sized, V: MemoryProfile + ?Sized>(
        self,
        key: &K,
        value: &V,
    ) -> u64 {
        self.cost.saturating_add(u64(key)).saturating_add(u64(value))
    }
}

/// The bytes that moka 0.12 itself uses for one entry on 64-bit targets.
const MOKA012: u64 = 222;

/// The bytes that `quick_cache` 0.7 itself uses for one entry on 64-bit targets.
const QUICK_CACHE07: u64 = 47;
