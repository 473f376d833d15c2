//! The search for equal values that are not shared, for types that request it.

use core::any::type_name_of_val;
use core::hash::{Hash, Hasher};
use std::collections::HashSet;
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
pub(crate) struct Repeated {
    pub(crate) node: u32,
    /// The value's context, which accumulates the bytes that the value owns.
    pub(crate) context: u32,
    /// The value's inline bytes.
    pub(crate) bytes: u64,
}

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

    /// Returns the values that equal a value met earlier.
    pub(crate) fn into_repeated(self) -> Vec<Repeated> {
        self.repeated
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
