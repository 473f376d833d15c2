//! The counts at a path, other than bytes.

use core::ops::AddAssign;

/// The counts at one path, other than bytes. They do not include counts below the path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Values in collections at this path.
    pub values: u64,
    /// Allocations.
    pub allocations: u64,
    /// Nodes of trees and lists.
    pub nodes: u64,
    /// Shared allocations first met here.
    pub shared_allocations: u64,
    /// Handles that keep those allocations alive, whether the walk met these handles or not.
    pub handles: u64,
    /// Values of types marked `#[profile(shareable)]` that equal a value met before, but do not
    /// share its memory.
    pub duplicates: u64,
    /// The bytes of these duplicates. Sharing the values would save these bytes, minus the bytes of
    /// the handles.
    pub duplicate_bytes: u64,
    /// All bytes of the buffers here, used and unused. 0 if none of them has excess capacity.
    pub buffer_bytes: u64,
    /// The bytes of these buffers that `shrink_to_fit` frees.
    pub shrinkable_bytes: u64,
    /// The bytes of these buffers that are freed if each B-tree is rebuilt from its entries in
    /// order.
    pub compactable_bytes: u64,
}

impl Counts {
    /// The number of fields.
    pub const FIELDS: usize = 10;

    /// The keys of the fields in JSON and YAML, in the order of [`to_array`](Self::to_array).
    pub const NAMES: [&str; Self::FIELDS] = [
        "values",
        "allocations",
        "nodes",
        "shared_allocations",
        "handles",
        "duplicates",
        "duplicate_bytes",
        "buffer_bytes",
        "shrinkable_bytes",
        "compactable_bytes",
    ];

    /// Returns the fields as an array.
    pub fn to_array(self) -> [u64; Self::FIELDS] {
        let Self { values, allocations, nodes, shared_allocations, handles, .. } = self;
        let Self { duplicates, duplicate_bytes, .. } = self;
        let Self { buffer_bytes, shrinkable_bytes, compactable_bytes, .. } = self;
        [
            values,
            allocations,
            nodes,
            shared_allocations,
            handles,
            duplicates,
            duplicate_bytes,
            buffer_bytes,
            shrinkable_bytes,
            compactable_bytes,
        ]
    }

    /// Returns the counts from an array in the order of [`to_array`](Self::to_array).
    pub fn from_array(array: [u64; Self::FIELDS]) -> Self {
        let [
            values,
            allocations,
            nodes,
            shared_allocations,
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
            shared_allocations,
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
