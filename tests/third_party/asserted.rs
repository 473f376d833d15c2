//! What a named case says of one value.

use crate::allocator::owned_by;
use memprof::{Branch, MemoryProfile, Opaque, Profile, total_bytes};

/// Makes a value and asks both sides for its bytes.
#[track_caller]
pub(crate) fn assert_exact<T: MemoryProfile>(make: impl FnOnce() -> T) -> T {
    let (value, owned) = owned_by(make);
    let expected = owned as u64 + size_of::<T>() as u64;
    let profile = Profile::of(&value);
    assert!(profile.is_exact(), "{profile:?}");
    assert_eq!((profile.total_bytes(), total_bytes(&value)), (expected, expected), "{profile:?}");
    value
}

/// Checks that a value is marked once, and that `bytes` of it are known all the same.
#[track_caller]
pub(crate) fn assert_marked<T: MemoryProfile + ?Sized>(value: &T, why: Opaque, bytes: usize) {
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

/// Why contents could not be seen, everywhere below a branch.
pub(crate) fn reasons(branch: &Branch) -> Vec<(Opaque, u64)> {
    let mut found = branch.opaque().to_vec();
    found.extend(branch.children().iter().flat_map(reasons));
    found
}
