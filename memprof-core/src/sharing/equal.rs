//! The search for equal values that are not shared, for types that request it.

use super::Sharing;
use core::any::type_name_of_val;
use core::hash::{Hash, Hasher};
use std::collections::{BTreeMap, HashSet};
use std::hash::DefaultHasher;

/// The values of shareable types that the walk met.
#[derive(Debug, Default)]
pub(crate) struct Equal {
    /// The 128-bit hashes of the values. The chance that two of a million different values have
    /// equal hashes is one in 10²⁶.
    seen: HashSet<u128>,
    /// Values equal to a value that the walk met earlier.
    repeated: Vec<Repeated>,
}

#[derive(Debug)]
struct Repeated {
    node: u32,
    /// The value's context, which accumulates the bytes that the value owns.
    context: u32,
    /// The value's inline bytes.
    bytes: u64,
}

/// For each node, the number of values that equal a value met before, and their bytes.
pub(crate) type Duplicates = BTreeMap<u32, (u64, u64)>;

impl Equal {
    /// Records a value, and returns whether no equal value was met before.
    pub(crate) fn insert<T: Hash + ?Sized>(&mut self, value: &T) -> bool {
        self.seen.insert(fingerprint(value))
    }

    /// Records that a value of `bytes` bytes equals a value met earlier. `context` accumulates the
    /// bytes that the value owns.
    pub(crate) fn repeat(&mut self, node: u32, context: u32, bytes: usize) {
        self.repeated.push(Repeated { node, context, bytes: bytes as u64 });
    }

    /// Returns the duplicates at each node, once the walk is finished.
    pub(crate) fn duplicates(&self, sharing: &Sharing) -> Duplicates {
        let mut duplicates = Duplicates::new();
        for repeated in &self.repeated {
            let (count, bytes) = duplicates.entry(repeated.node).or_default();
            let owned = sharing.own_bytes(repeated.context);
            *count += 1;
            *bytes = bytes.saturating_add(repeated.bytes).saturating_add(owned);
        }
        duplicates
    }
}

/// Returns 128 bits that are equal for equal values of one type. They are the same in every run of
/// the program, so profiles are reproducible.
fn fingerprint<T: Hash + ?Sized>(value: &T) -> u128 {
    let half = |half: u8| {
        let mut hasher = DefaultHasher::new();
        half.hash(&mut hasher);
        type_name_of_val(value).hash(&mut hasher);
        value.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}
