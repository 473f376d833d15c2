//! The table of paths. Each name below each path gets one number, even if several threads enter it
//! at once.

use crate::base::sync::AtomicU32;
use crate::base::sync::Ordering::{Acquire, Relaxed, Release};
use std::sync::OnceLock;

/// The number that all further paths share once the table is full.
pub(crate) const OTHER: u32 = 1;

/// A table of `N` numbers. `ROOT` and `OTHER` have no entry in `paths`.
pub(super) struct Table<T, const N: usize> {
    pub(super) paths: [OnceLock<Path<T>>; N],
    /// A hash table of path numbers, by the hash of parent and name. It has two slots for each
    /// path; 0 is an empty slot.
    pub(super) index: [[AtomicU32; 2]; N],
    pub(super) next: AtomicU32,
}

pub(super) struct Path<T> {
    pub(super) parent: u32,
    pub(super) site: T,
}

/// A named item of a path.
pub(super) trait Named: Copy {
    fn name(self) -> &'static str;
}

impl<T: Named, const N: usize> Table<T, N> {
    /// Returns the number of the path with this name below `parent`, and adds the path if it is
    /// new. Returns `OTHER` if no number is left.
    pub(super) fn child(&self, parent: u32, site: T) -> u32 {
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

    fn add(&self, parent: u32, site: T) -> Option<u32> {
        if self.next.load(Relaxed) as usize >= N {
            return None;
        }
        let number = self.next.fetch_add(1, Relaxed);
        self.paths.get(number as usize)?.set(Path { parent, site }).ok()?;
        Some(number)
    }

    pub(super) fn get(&self, number: u32) -> Option<&Path<T>> {
        self.paths.get(number as usize)?.get()
    }

    /// Returns all numbers that a path may have.
    pub(super) fn numbers(&self) -> core::ops::Range<u32> {
        OTHER..self.next.load(Relaxed).min(N as u32)
    }
}

fn hash(parent: u32, name: &str) -> u64 {
    const MULTIPLIER: u64 = 0xF135_7AEA_2E62_A9C5;
    let hash = name.bytes().fold(u64::from(parent), |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(MULTIPLIER).rotate_left(23)
    });
    hash >> 16
}
