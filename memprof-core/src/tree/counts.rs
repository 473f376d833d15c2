//! What is counted at a path, apart from bytes.

use core::ops::AddAssign;

/// What was counted at one path, apart from bytes; what is below it does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Values that collections at this path hold.
    pub values: u64,
    /// Allocations.
    pub allocations: u64,
    /// Nodes of trees and lists.
    pub nodes: u64,
    /// Pieces of shared memory first met here.
    pub objects: u64,
    /// Handles that keep those pieces alive, met by the walk or not.
    pub handles: u64,
    /// Objects of types marked `#[profile(shareable)]` that equal one met before, and are not it.
    pub duplicates: u64,
    /// What these take: sharing them would save it, but for the handles.
    pub duplicate_bytes: u64,
    /// All bytes of the allocations here that have excess capacity, used or not.
    pub buffer_bytes: u64,
    /// Bytes that `shrink_to_fit` frees, of these.
    pub shrinkable_bytes: u64,
    /// Bytes that collecting the entries of trees again, in order, frees, of these.
    pub compactable_bytes: u64,
}

impl Counts {
    /// How many fields there are.
    pub const FIELDS: usize = 10;

    /// The fields' names, in the order of [`to_array`](Self::to_array).
    pub const NAMES: [&str; Self::FIELDS] = [
        "values",
        "allocations",
        "nodes",
        "objects",
        "handles",
        "duplicates",
        "duplicate_bytes",
        "buffer_bytes",
        "shrinkable_bytes",
        "compactable_bytes",
    ];

    /// The fields as an array.
    pub fn to_array(self) -> [u64; Self::FIELDS] {
        let Self { values, allocations, nodes, objects, handles, .. } = self;
        let Self { duplicates, duplicate_bytes, .. } = self;
        let Self { buffer_bytes, shrinkable_bytes, compactable_bytes, .. } = self;
        [
            values,
            allocations,
            nodes,
            objects,
            handles,
            duplicates,
            duplicate_bytes,
            buffer_bytes,
            shrinkable_bytes,
            compactable_bytes,
        ]
    }

    /// The counts of an array as [`to_array`](Self::to_array) returns it.
    pub fn from_array(array: [u64; Self::FIELDS]) -> Self {
        let [
            values,
            allocations,
            nodes,
            objects,
            handles,
            duplicates,
            duplicate_bytes,
            buffer_bytes,
            shrinkable_bytes,
            compactable_bytes,
        ] = array;
        Self {
            values,
            allocations,
            nodes,
            objects,
            handles,
            duplicates,
            duplicate_bytes,
            buffer_bytes,
            shrinkable_bytes,
            compactable_bytes,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        let mut sums = self.to_array();
        for (sum, other) in sums.iter_mut().zip(other.to_array()) {
            *sum = sum.saturating_add(other);
        }
        *self = Self::from_array(sums);
    }
}
