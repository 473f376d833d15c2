//! What the views show, held against what was looked at once.

#![expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]

mod books;
mod comparison;
mod diff;
mod find;
mod folded;
mod hostile;
mod plain;
mod tree;

#[cfg(feature = "flamegraph")]
mod flamegraph;
#[cfg(feature = "json")]
mod json;
