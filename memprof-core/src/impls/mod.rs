//! Impls for types of std, grouped by kind of memory, and for types of other crates, in one file
//! per crate.

#[cfg(any(feature = "parking_lot012", feature = "parking_lot013", feature = "tokio1"))]
mod locks;
pub(crate) mod std;

#[cfg(feature = "arc_swap1")]
mod arc_swap1;
#[cfg(feature = "arrayvec07")]
mod arrayvec07;
#[cfg(feature = "arrow60")]
mod arrow60;
#[cfg(feature = "bytes1")]
mod bytes1;
#[cfg(feature = "candle_core011")]
mod candle_core011;
#[cfg(feature = "chrono04")]
mod chrono04;
#[cfg(feature = "dashmap6")]
mod dashmap6;
#[cfg(feature = "hashbrown017")]
mod hashbrown017;
#[cfg(feature = "indexmap2")]
mod indexmap2;
#[cfg(feature = "ndarray017")]
mod ndarray017;
#[cfg(feature = "parking_lot012")]
mod parking_lot012;
#[cfg(feature = "parking_lot013")]
mod parking_lot013;
#[cfg(feature = "serde_json1")]
mod serde_json1;
#[cfg(feature = "smallvec1")]
mod smallvec1;
#[cfg(feature = "tokio1")]
mod tokio1;
#[cfg(feature = "url2")]
mod url2;
#[cfg(feature = "uuid1")]
mod uuid1;
