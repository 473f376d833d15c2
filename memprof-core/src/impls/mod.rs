//! Impls for types of std, grouped by kind of memory, and for types of other crates, in one file
//! per crate.

pub(crate) mod parts;
pub(crate) mod std;

#[cfg(any(
    feature = "indexmap2",
    feature = "ordermap1",
    feature = "petgraph08",
    feature = "serde_json1"
))]
mod ordered;
#[cfg(any(feature = "petgraph08", feature = "slab04", feature = "slotmap1"))]
mod slots;

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
#[cfg(any(feature = "compact_str09", feature = "compact_str010"))]
mod compact_str;
#[cfg(feature = "dashmap6")]
mod dashmap6;
#[cfg(feature = "half2")]
mod half2;
#[cfg(feature = "hashbrown017")]
mod hashbrown017;
#[cfg(feature = "http1")]
mod http1;
#[cfg(any(feature = "indexmap2", feature = "ordermap1", feature = "petgraph08"))]
mod indexmap2;
#[cfg(feature = "lru019")]
mod lru019;
#[cfg(feature = "memmap2_09")]
mod memmap2_09;
#[cfg(feature = "moka012")]
mod moka012;
#[cfg(feature = "ndarray017")]
mod ndarray017;
#[cfg(feature = "ordermap1")]
mod ordermap1;
#[cfg(any(feature = "parking_lot012", feature = "parking_lot013"))]
mod parking_lot;
#[cfg(feature = "parquet60")]
mod parquet60;
#[cfg(feature = "petgraph08")]
mod petgraph08;
#[cfg(feature = "quick_cache07")]
mod quick_cache07;
#[cfg(feature = "roaring012")]
mod roaring012;
#[cfg(feature = "serde_json1")]
mod serde_json1;
#[cfg(feature = "slab04")]
mod slab04;
#[cfg(feature = "slotmap1")]
mod slotmap1;
#[cfg(feature = "smallvec1")]
mod smallvec1;
#[cfg(feature = "thin_vec02")]
mod thin_vec02;
#[cfg(feature = "tokio1")]
mod tokio1;
#[cfg(feature = "url2")]
mod url2;
#[cfg(feature = "uuid1")]
mod uuid1;
