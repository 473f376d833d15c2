//! Bitmaps of each kind of container, which are estimates.

use crate::asserted::assert_near;
use memprof::Profile;
use roaring::{RoaringBitmap, RoaringTreemap};

#[test]
fn bitmaps_are_near_the_allocator() {
    assert_near(10, || (0..10).collect::<RoaringBitmap>());
    assert_near(10, || (0..3_000).map(|value| value * 7).collect::<RoaringBitmap>());
    assert_near(10, || (0..1_000_000).map(|value| value * 3).collect::<RoaringBitmap>());
    assert_near(30, || (0..10_000).map(|value| value * 60_000).collect::<RoaringBitmap>());
    assert_near(30, || {
        let mut runs: RoaringBitmap = (0..1_000_000).collect();
        runs.optimize();
        runs
    });
}

#[test]
fn trees_of_bitmaps_are_near_the_allocator() {
    assert_near(30, || (0..100_000_u64).map(|value| value << 20).collect::<RoaringTreemap>());
    assert_near(10, || (0..100_000_u64).map(|value| value * 5).collect::<RoaringTreemap>());
}

#[test]
fn empty_bitmaps_are_marked() {
    assert!(!Profile::of(&RoaringBitmap::new()).is_exact());
    assert!(!Profile::of(&RoaringTreemap::new()).is_exact());
}
