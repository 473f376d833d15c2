//! What is shown of a recording, and what other tools are given, held against what was recorded.

#![expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]

mod decoded;
mod made;
mod protobuf;
mod recordings;
mod timelines;

mod lanes;

mod diff_flamegraph;
mod folded;
#[cfg(feature = "metrics")]
mod metrics;
mod perfetto;
mod pprof;
mod pprof_limits;
mod prometheus;
mod speedscope;

mod page;
