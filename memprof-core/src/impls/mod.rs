//! The trait for types that are not ours: std by kind of memory, other crates one file each.

pub(crate) mod std;
