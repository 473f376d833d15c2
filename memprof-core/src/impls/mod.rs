//! The trait for types that are not ours: std by kind of memory, other crates one file each.

pub(crate) mod std;

#[cfg(feature = "arrayvec07")]
mod arrayvec07;
#[cfg(feature = "bytes1")]
mod bytes1;
#[cfg(feature = "chrono04")]
mod chrono04;
#[cfg(feature = "hashbrown017")]
mod hashbrown017;
#[cfg(feature = "indexmap2")]
mod indexmap2;
#[cfg(feature = "serde_json1")]
mod serde_json1;
#[cfg(feature = "smallvec1")]
mod smallvec1;
#[cfg(feature = "url2")]
mod url2;
#[cfg(feature = "uuid1")]
mod uuid1;
