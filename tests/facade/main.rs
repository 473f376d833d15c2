//! The integration tests that share one binary.

#![allow(
    clippy::needless_raw_string_hashes,
    reason = "expect-test writes the strings, and writes them so"
)]

mod derive;
mod errors;
mod floor;
mod guide;
mod hostile;
mod shown;
mod statistics;
mod testing;
mod views;
