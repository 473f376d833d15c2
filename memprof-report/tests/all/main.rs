//! What other tools are given, decoded again and held against what was recorded.

#![expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]

mod decoded;
mod recordings;

mod diff_flamegraph;
mod folded;
mod pprof;
mod pprof_limits;
