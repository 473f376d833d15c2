//! A table that numbers values: call stacks, and paths of operations. Threads that come with the same
//! value at once get the same number. Values are never removed, and are found without a lock.
//!
//! A search reads slots with hashes, usually one cache line. There are two slots per number, so a
//! free one is near even if the table is full. Numbers are given in the order in which values are
//! first seen, so few values use few pages of memory, however large the table is.
//!
//! An empty table is all zero bytes, so that it takes no space in the program's file. For that reason,
//! values have no `OnceLock`, whose initial state is not zero, and `given` counts from 0.

use crate::record::sync::Ordering::{AcqRel, Acquire, Relaxed, Release};
use crate::record::sync::{AtomicU32, AtomicU64};

const NUMBER_BITS: u64 = 0xFFFF;

/// A table of the numbers from `FIRST` to below `N`, at most 65,536.
#[repr(C)]
pub(crate) struct Numbers<V, const FIRST: u32, const N: usize> {
    /// The hash of a value, and its number. A slot is 0 while it is free.
    pub slots: [[AtomicU64; 2]; N],
    /// The count of numbers that were assigned. It may exceed those that there are, if several
    /// threads try to take the last one at once.
    pub given: AtomicU32,
    pub values: [Value<V>; N],
}

/// The value of a number. The thread that took the number writes it once.
#[repr(C)]
pub(crate) struct Value<V> {
    pub is_written: AtomicU32,
    pub value: V,
}

impl<V, const FIRST: u32, const N: usize> Numbers<V, FIRST, N> {
    /// Returns the number of a value, and gives one to a new value. Returns `None` if all numbers are
    /// given. `is_same` compares a value with the same hash, and `write` writes a new one.
    ///
    /// If two threads store the same value at the same time, one of the two numbers that they take is
    /// never returned. If only one was left, the other thread gets `None`.
    pub(crate) fn number_of(
        &self,
        hash: u64,
        is_same: impl Fn(&V) -> bool,
        write: impl Fn(&V),
    ) -> Option<u32> {
        let slots = self.slots.as_flattened();
        let mut taken = None;
        for probe in 0..slots.len() {
            let slot = &slots[(hash as usize).wrapping_add(probe) % slots.len()];
            let mut found = slot.load(Acquire);
            if found == 0 {
                let number = match taken {
                    Some(number) => number,
                    None => *taken.insert(self.add(&write)?),
                };
                let own = (hash & !NUMBER_BITS) | u64::from(number);
                match slot.compare_exchange(0, own, AcqRel, Acquire) {
                    Ok(_) => return Some(number),
                    Err(other) => found = other,
                }
            }
            let number = (found & NUMBER_BITS) as u32;
            let is_same_hash = (found ^ hash) & !NUMBER_BITS == 0;
            if is_same_hash && is_same(&self.values[number as usize].value) {
                return Some(number);
            }
        }
        None
    }

    fn add(&self, write: impl Fn(&V)) -> Option<u32> {
        // Without this check, the count would overflow in the end.
        if self.all().end as usize >= N {
            return None;
        }
        let number = FIRST + self.given.fetch_add(1, Relaxed);
        let value = self.values.get(number as usize)?;
        write(&value.value);
        value.is_written.store(1, Release);
        Some(number)
    }

    pub(crate) fn get(&self, number: u32) -> Option<&V> {
        let value = self.values.get(number as usize)?;
        (value.is_written.load(Acquire) == 1).then_some(&value.value)
    }

    pub(crate) fn all(&self) -> core::ops::Range<u32> {
        FIRST..(FIRST + self.given.load(Relaxed)).min(N as u32)
    }
}

pub(crate) fn hash(hash: u64, word: u64) -> u64 {
    const MULTIPLIER: u64 = 0xF135_7AEA_2E62_A9C5;
    (hash ^ word).wrapping_mul(MULTIPLIER).rotate_left(26)
}
