//! Checks of one value.

use crate::allocator::owned_by;
use memprof::tree::{Branch, OpaqueReason};
use memprof::{MemoryProfile, Profile, total_bytes};

/// Creates a value, and compares the bytes of its profile with those that the allocator counted.
#[track_caller]
pub(crate) fn assert_exact<T: MemoryProfile>(make: impl FnOnce() -> T) -> T {
    let (value, owned) = owned_by(make);
    let expected = owned as u64 + size_of::<T>() as u64;
    let profile = Profile::of(&value);
    assert!(profile.is_exact(), "{profile:?}");
    assert_eq!((profile.total_bytes(), total_bytes(&value)), (expected, expected), "{profile:?}");
    value
}

/// Checks that a value is marked once, and that `bytes` of it are still known.
#[track_caller]
pub(crate) fn assert_marked<T: MemoryProfile + ?Sized>(value: &T, why: OpaqueReason, bytes: usize) {
    let profile = Profile::of(value);
    assert_eq!(reasons(profile.root()), [(why, 1)], "{profile:?}");
    assert!(!profile.is_exact());
    assert_eq!(profile.total_bytes(), bytes as u64, "{profile:?}");
}

/// Checks that a value's total is an estimate of `bytes`.
#[track_caller]
pub(crate) fn assert_estimated<T: MemoryProfile + ?Sized>(value: &T, bytes: usize) {
    let profile = Profile::of(value);
    assert!(!profile.is_exact(), "{profile:?}");
    assert_eq!(profile.total_bytes(), bytes as u64, "{profile:?}");
}

/// Creates a value, and checks that its total is an estimate. It may differ from the allocator's
/// count by at most `percent` %.
#[track_caller]
pub(crate) fn assert_near<T: MemoryProfile>(percent: u64, make: impl FnOnce() -> T) -> T {
    let (value, owned) = owned_by(make);
    let profile = Profile::of(&value);
    assert!(!profile.is_exact(), "{profile:?}");
    assert_eq!(profile.total_bytes(), total_bytes(&value), "{profile:?}");
    let (owned, total) = (owned as u64, profile.total_bytes() - size_of::<T>() as u64);
    let tolerance = owned * percent / 100;
    assert!(total.abs_diff(owned) <= tolerance, "{total} B instead of {owned} B: {profile:?}");
    value
}

/// Returns why contents could not be read, everywhere below a branch.
pub(crate) fn reasons(branch: Branch<'_>) -> Vec<(OpaqueReason, u64)> {
    branch.subtree().flat_map(Branch::opaque).collect()
}
