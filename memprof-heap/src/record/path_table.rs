//! The table of paths. Each name below each path gets one number, even if several threads enter it
//! at once.
//!
//! An empty table is all zero bytes, so that it takes no space in the program's file. For that
//! reason, `paths` has no `OnceLock`, whose initial state is not zero, and `added` counts from 0.
#![expect(unsafe_code, reason = "an atomic word stores a reference")]

use crate::record::sync::Ordering::{Acquire, Relaxed, Release};
use crate::record::sync::{AtomicPtr, AtomicU32};
use core::ptr;

/// The number that all further paths share once the table is full.
pub(crate) const OTHER: u32 = 1;
/// The number of the first path in the table.
const FIRST: u32 = OTHER + 1;

/// A table of `N` numbers. `ROOT` and `OTHER` have no entry in `paths`.
pub(crate) struct Table<T: 'static, const N: usize> {
    pub paths: [Entry<T>; N],
    /// A hash table of path numbers, by the hash of parent and name. It has two slots for each
    /// path; 0 is an empty slot.
    pub index: [[AtomicU32; 2]; N],
    /// The number of paths that were added.
    pub added: AtomicU32,
}

/// The place of a path in the table. The thread that got the path's number writes it once.
pub(crate) struct Entry<T: 'static> {
    pub parent: AtomicU32,
    /// Null until the path is added. Written after `parent`.
    pub site: AtomicPtr<T>,
}

pub(crate) struct Path<T: 'static> {
    pub parent: u32,
    pub site: &'static T,
}

/// A named item of a path.
pub(crate) trait Named {
    fn name(&self) -> &'static str;
}

impl<T: Named, const N: usize> Table<T, N> {
    /// Returns the number of the path with this name below `parent`, and adds the path if it is
    /// new. Returns `OTHER` if no number is left.
    pub(crate) fn child(&self, parent: u32, site: &'static T) -> u32 {
        let index = self.index.as_flattened();
        let mut place = hash(parent, site.name()) as usize % index.len();
        let mut added = None;
        for _ in 0..index.len() {
            let found = index[place].load(Acquire);
            if found != 0 {
                if self
                    .get(found)
                    .is_some_and(|path| path.parent == parent && path.site.name() == site.name())
                {
                    return found;
                }
                place = (place + 1) % index.len();
                continue;
            }
            let number = match added {
                Some(number) => number,
                None => match self.add(parent, site) {
                    Some(number) => number,
                    None => return OTHER,
                },
            };
            added = Some(number);
            if index[place].compare_exchange(0, number, Release, Relaxed).is_ok() {
                return number;
            }
            // Another thread took the slot. It may have added the same path, so read the slot
            // again.
        }
        OTHER
    }

    fn add(&self, parent: u32, site: &'static T) -> Option<u32> {
        if self.numbers().end as usize >= N {
            return None;
        }
        let number = FIRST + self.added.fetch_add(1, Relaxed);
        let entry = self.paths.get(number as usize)?;
        entry.parent.store(parent, Relaxed);
        entry.site.store(ptr::from_ref(site).cast_mut(), Release);
        Some(number)
    }

    pub(crate) fn get(&self, number: u32) -> Option<Path<T>> {
        let entry = self.paths.get(number as usize)?;
        // SAFETY: null, or a reference that lives for ever.
        let site = unsafe { entry.site.load(Acquire).as_ref() }?;
        Some(Path { parent: entry.parent.load(Relaxed), site })
    }

    /// Returns all numbers that a path may have.
    pub(crate) fn numbers(&self) -> core::ops::Range<u32> {
        OTHER..(FIRST + self.added.load(Relaxed)).min(N as u32)
    }
}

fn hash(parent: u32, name: &str) -> u64 {
    const MULTIPLIER: u64 = 0xF135_7AEA_2E62_A9C5;
    let hash = name.bytes().fold(u64::from(parent), |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(MULTIPLIER).rotate_left(23)
    });
    hash >> 16
}
