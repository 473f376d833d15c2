//! The search for equal values that are not shared, for types that request it.

use crate::state::{Obstacle, WalkState};
use crate::walk::{Position, Walk};
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

impl Walk<'_> {
    /// Adds what a value owns, and records whether an equal value was met before.
    ///
    /// The derive calls this method for types marked `#[profile(shareable)]`. After an
    /// [`Observer`](crate::walk::Observer) stops the walk, this method no longer searches for equal
    /// values.
    ///
    /// # Cost
    /// Takes two hashes of the whole value, a table entry for each distinct value, and a record for
    /// each value that repeats one.
    pub fn shareable<T: Hash + ?Sized>(
        &mut self,
        at: Position,
        value: &T,
        owned: impl FnOnce(&mut Self),
    ) {
        self.note(Obstacle::Shareable);
        let is_stopped = self.is_stopped();
        // Hashing the value of a stopped walk would take as long as visiting the value.
        let Some(tree) = self.tree.as_mut().filter(|_| !is_stopped) else {
            owned(self);
            return;
        };
        let is_new = tree.equal.seen.insert(fingerprint(value));
        let (context, outer) = tree.sharing.enter_value();
        if !is_new {
            let bytes = size_of_val(value) as u64;
            let node = tree.number(at);
            tree.equal.repeated.push(Repeated { node, context, bytes });
        }
        owned(self);
        self.switch_context(outer);
    }
}

impl WalkState {
    /// Returns the duplicates at each node, once the walk is finished.
    pub(crate) fn duplicates(&self) -> Duplicates {
        let mut duplicates = Duplicates::new();
        for repeated in &self.equal.repeated {
            let (count, bytes) = duplicates.entry(repeated.node).or_default();
            let owned = self.sharing.own_bytes(repeated.context);
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
