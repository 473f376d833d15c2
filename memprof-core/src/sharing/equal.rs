//! Objects that are equal and not shared: found by value, on types that ask for it.

use crate::paths::Paths;
use crate::{At, Walk};
use core::any::type_name_of_val;
use core::hash::{Hash, Hasher};
use std::collections::{BTreeMap, HashSet};
use std::hash::DefaultHasher;

/// The values met of types marked as shareable.
#[derive(Debug, Default)]
pub(crate) struct Equal {
    /// What values hash to, with 128 bits: of a million different ones, two are taken for equal
    /// with a chance of one in 10²⁶.
    seen: HashSet<u128>,
    /// Values that equal one met before.
    repeated: Vec<Repeated>,
}

#[derive(Debug)]
struct Repeated {
    node: u32,
    /// Its context, in which what it owns is added up.
    piece: u32,
    /// Its own bytes.
    bytes: u64,
}

/// How many values at a node equal one met before, and their bytes.
pub(crate) type Duplicates = BTreeMap<u32, (u64, u64)>;

impl Walk<'_> {
    /// Adds what a value owns, and says whether an equal one was met before.
    ///
    /// The derive calls it for types marked `#[profile(shareable)]`. Once an
    /// [`Observer`](crate::Observer) ended the walk, equal values are no longer looked for.
    ///
    /// # Cost
    /// A hash of the whole value, an entry in a table for each that differs, and a record for each.
    pub fn shareable<T: Hash + ?Sized>(
        &mut self,
        at: At,
        value: &T,
        owned: impl FnOnce(&mut Self),
    ) {
        if self.is_stopped() {
            // A hash of the value would take as long as a visit.
            owned(self);
            return;
        }
        let is_new = self.paths.equal.seen.insert(fingerprint(value));
        let (piece, outer) = self.paths.sharing.enter_value();
        if !is_new {
            let bytes = size_of_val(value) as u64;
            let node = self.paths.number(at);
            self.paths.equal.repeated.push(Repeated { node, piece, bytes });
        }
        owned(self);
        self.paths.sharing.switch(outer);
    }
}

impl Paths {
    /// The duplicates at each node, once the walk is at its end.
    pub(crate) fn duplicates(&self) -> Duplicates {
        let mut duplicates = Duplicates::new();
        for repeated in &self.equal.repeated {
            let (count, bytes) = duplicates.entry(repeated.node).or_default();
            let owned = self.sharing.own_bytes(repeated.piece);
            *count += 1;
            *bytes = bytes.saturating_add(repeated.bytes).saturating_add(owned);
        }
        duplicates
    }
}

/// 128 bits that equal values of one type have in common. They differ by run of the program in
/// nothing, so that profiles are reproducible.
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
