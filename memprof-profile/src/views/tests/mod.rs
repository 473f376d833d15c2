//! Tests of the views. Most of them compare outputs with expected outputs.

#![expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]

mod comparison;
mod counters;
mod diff;
mod folded;
mod from_folded;
mod hostile;
mod plain;
mod totals;
mod tree;

#[cfg(feature = "flamegraph")]
mod flamegraph;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "yaml")]
mod yaml;
