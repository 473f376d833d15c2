//! Compares the page and the exports with the recording.

#![expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]

mod decoded;
mod fixture;
mod protobuf;
mod recordings;
mod timelines;

mod folded;
mod perfetto;
mod pprof;
mod pprof_addresses;
mod pprof_limits;
mod prometheus;
mod serve;

mod page;
