//! Properties of any input that a parser of memprof accepts: its views do not panic, and parsing
//! its written form returns the same value.
//!
//! Each function takes any bytes. Bytes that the parser rejects are not a failure.

mod profile;
mod recording;

pub use profile::{folded, profile_json};
pub use recording::recording;

/// A check of one parser.
pub type Check = fn(&[u8]);

/// The checks, each with the name of its fuzz target and of its corpus.
pub const CHECKS: &[(&str, Check)] = &[
    ("folded", folded),
    ("profile_json", profile_json),
    ("document", recording),
    ("timeline", recording),
];
