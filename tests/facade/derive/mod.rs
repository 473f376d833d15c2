//! The profiles of derived types: each test has a value and its folded profile.

mod attributes;
mod bounds;
mod each;
mod enums;
mod follow;
mod generics;
mod keyed;
mod objects;
mod observed;
mod recursion;
mod remote;
mod scopes;
mod shareable;
mod structs;
mod unsized_tails;

use expect_test::Expect;
use memprof::{MemoryProfile, Profile};

/// Compares the folded profile of `root` with `expected`, and its total with the sum of the lines.
#[track_caller]
fn check<T: MemoryProfile + ?Sized>(root: &T, expected: &Expect) {
    let profile = Profile::of(root);
    let folded = profile.to_folded();
    expected.assert_eq(&folded);
    let bytes = folded.lines().map(|line| line.rsplit_once(' ').expect("a line ends in bytes").1);
    let sum: u64 = bytes.map(|bytes| bytes.parse::<u64>().expect("bytes are a number")).sum();
    assert_eq!(sum, profile.total_bytes());
}
