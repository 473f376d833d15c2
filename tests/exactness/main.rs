//! Profiles of random values, compared byte for byte with the allocator's counts.
//!
//! `cargo test` tests a few thousand values, and `cargo xtask exactness` a million on each
//! toolchain.

#![expect(
    clippy::assigning_clones,
    clippy::manual_retain,
    clippy::zero_sized_map_values,
    reason = "every way to make a collection is taken on purpose, the roundabout ones too"
)]
#![expect(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "random bits mean nothing, and bytes stay far below the bounds"
)]

mod allocator;
mod blocks;
mod random;

mod cells;
mod elements;
mod hashes;
mod names;
mod nested;
mod sequences;
mod shared;
mod text;
mod trees;
mod values;

mod cases;
mod run;

mod constructed;
mod graphs;
mod holders;
mod marked;
mod savings;
mod std_types;

/// The number of values that `cargo test` tests: about two seconds of a debug build. Miri is a
/// thousand times slower.
const A_FEW: u64 = if cfg!(miri) { 194 } else { 6_000 };

#[test]
fn random_values_of_std_are_exact() {
    run::values(A_FEW, 0).expect_exact();
}

#[test]
#[ignore = "takes minutes: `cargo xtask exactness` runs it, with figures"]
fn a_million_random_values_of_std_are_exact() {
    let count = run::from_environment("MEMPROF_EXACTNESS_VALUES").unwrap_or(1_000_000);
    let first = run::from_environment("MEMPROF_EXACTNESS_FIRST").unwrap_or(0);
    let outcome = run::values(count, first);
    println!("{outcome}");
    outcome.expect_exact();
}
