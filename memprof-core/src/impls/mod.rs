//! The trait for types that are not ours: std by kind of memory, other crates one file each.

pub(crate) mod std;

#[cfg(feature = "arrayvec07")]
mod arrayvec07;
#[cfg(feature = "hashbrown017")]
mod hashbrown017;
#[cfg(feature = "indexmap2")]
mod indexmap2;
#[cfg(feature = "smallvec1")]
mod smallvec1;
