//! The report: what is expected beside what was measured, part by part.

mod foretold;
mod measured;
mod row;
mod table;

pub(crate) use foretold::{expected_bytes, foretold};
pub(crate) use measured::Report;
