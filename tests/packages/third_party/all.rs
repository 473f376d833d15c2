//! Profiles of random values of other crates' types, compared byte for byte with the allocator's
//! counts.

#![expect(
    clippy::assigning_clones,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::manual_retain,
    reason = "as in tests/exactness, whose values these are made of"
)]
#![allow(dead_code, reason = "not all of tests/exactness is used here")]

#[path = "../../exactness/allocator.rs"]
mod allocator;
#[path = "../../exactness/blocks.rs"]
mod blocks;
#[path = "../../exactness/cells.rs"]
mod cells;
#[path = "../../exactness/hashes.rs"]
mod hashes;
#[path = "../../exactness/random.rs"]
mod random;
#[path = "../../exactness/run.rs"]
mod run;
#[path = "../../exactness/sequences.rs"]
mod sequences;
#[path = "../../exactness/shared.rs"]
mod shared;
#[path = "../../exactness/text.rs"]
mod text;
#[path = "../../exactness/trees.rs"]
mod trees;
#[path = "../../exactness/values.rs"]
mod values;

mod asserted;
mod cases;

mod addresses;
mod arc_swap1;
mod arrayvec07;
mod arrow60;
mod bytes1;
mod compact_str;
mod dashmap6;
mod each;
mod flat;
mod get_size2_011;
mod hashbrown017;
mod http1;
mod indexmap2;
mod keyed;
mod locks;
mod lru019;
mod moka012;
mod ndarray017;
mod ordermap1;
mod parquet60;
mod petgraph08;
mod quick_cache07;
mod roaring012;
mod savings;
mod serde_json1;
mod slab04;
mod slotmap1;
mod smallvec1;
mod thin_vec02;
mod url2;

/// The default number of values to test. A debug build needs a few seconds for them.
const VALUES: u64 = if cfg!(miri) { 100 } else { 10_000 };

#[test]
fn random_values_of_other_crates_are_exact() {
    let count = run::from_environment("MEMPROF_EXACTNESS_VALUES").unwrap_or(VALUES);
    let first = run::from_environment("MEMPROF_EXACTNESS_FIRST").unwrap_or(0);
    let outcome = run::values(count, first);
    println!("{outcome}");
    outcome.expect_exact();
}
