//! Windows that overlap, touch, repeat and leave gaps, and more windows than are kept.

#![expect(clippy::single_range_in_vec_init, reason = "one window is a list of windows too")]

use super::{MAX_RANGES, Ranges, Window};
use crate::MemoryProfile;
use crate::tree::{Branch, Collected, Leaf, LeafKind, OpaqueReason};
use crate::walk::{Position, Shape, Walk};
use core::ops::Range;

fn covered(ranges: impl IntoIterator<Item = Range<usize>>) -> usize {
    let mut covered = Ranges::default();
    ranges.into_iter().for_each(|range| covered.add(range));
    covered.bytes()
}

#[test]
fn bytes_in_several_windows_count_once() {
    assert_eq!(covered([]), 0);
    assert_eq!(covered([5..5]), 0);
    assert_eq!(covered([0..10, 5..15, 15..20]), 20);
    assert_eq!(covered([15..20, 5..15, 0..10]), 20, "in any order");
    assert_eq!(covered([0..100, 10..20]), 100, "one inside another");
    assert_eq!(covered([0..10, 20..30]), 20, "with a gap between");
    assert_eq!(covered([20..30, 0..10, 25..28, 0..10]), 20, "one of them twice");
}

#[test]
fn a_million_windows_take_little_memory() {
    // 7919 and a million have no common divisor, so each window occurs once.
    let windows = (0..1_000_000).map(|index| index * 7919 % 1_000_000);
    let mut all = Ranges::default();
    windows.clone().for_each(|at| all.add(at * 8..at * 8 + 8));
    assert!(all.ranges.capacity() <= 8 * MAX_RANGES);
    assert_eq!(all.bytes(), 8_000_000);

    // With a gap after each window, some gaps count as used, so the actual excess is at least the
    // reported one.
    let mut apart = Ranges::default();
    windows.for_each(|at| apart.add(at * 8..at * 8 + 4));
    assert!(apart.ranges.capacity() <= 8 * MAX_RANGES);
    let bytes = apart.bytes();
    assert!((4_000_000..=8_000_000).contains(&bytes), "{bytes}");
}

/// A view of the buffer at address 1000.
struct View {
    range: Range<usize>,
    handles: usize,
    capacity: Option<usize>,
}

impl MemoryProfile for View {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let window = Window { buffer: 1000, range: self.range.clone(), capacity: self.capacity };
        let add_header = |walk: &mut Walk<'_>, at| walk.leaf(at, LeafKind::Counts, 16);
        walk.window(at, window, || self.handles, add_header);
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.owned(walk, at);
    }

    /// Adds no bytes for the view itself.
    fn shape() -> &'static Shape {
        const { &Shape::lump::<()>(&[]) }
    }
}

fn views(ranges: &[Range<usize>], handles: usize, capacity: Option<usize>) -> Vec<View> {
    let view = |range: &Range<usize>| View { range: range.clone(), handles, capacity };
    ranges.iter().map(view).collect()
}

/// Returns the capacity that no window covers.
fn spare_of(profile: &Collected) -> u64 {
    let leaves = profile.tree.root().subtree().flat_map(Branch::leaves);
    leaves.filter(|leaf| leaf.kind() == LeafKind::Spare).map(Leaf::bytes).sum()
}

#[test]
fn bytes_outside_all_windows_are_spare() {
    let spare = |ranges: &[_], capacity| {
        let views = views(ranges, ranges.len(), Some(capacity));
        let profile = Collected::of("value", &views[..]);
        assert_eq!(profile.tree.total_bytes(), 16 + capacity as u64);
        // The whole buffer is shared, unless there is only one handle.
        let shared = if ranges.len() == 1 { 0 } else { 16 + capacity as u64 };
        assert_eq!(profile.shared.bytes, shared);
        spare_of(&profile)
    };
    assert_eq!(spare(&[1000..1100], 100), 0);
    assert_eq!(spare(&[1010..1020], 100), 90);
    assert_eq!(spare(&[1000..1050, 1050..1100], 100), 0);
    assert_eq!(spare(&[1000..1050, 1020..1060, 1090..1100], 100), 30);
    assert_eq!(spare(&[1000..1200], 100), 0, "a window larger than the buffer");
}

#[test]
fn windowed_bytes_of_a_buffer_of_unknown_size_are_counted() {
    let views = views(&[1000..1010, 1050..1060, 1005..1010], 4, None);
    let profile = Collected::of("value", &views[..]);
    assert_eq!((profile.tree.total_bytes(), spare_of(&profile)), (16 + 20, 0));
    assert!(!profile.tree.root().is_exact());
    assert_eq!(profile.shared.externally_held_bytes, 36);
    let nothing = Collected::of("value", &self::views(&[1000..1000, 1000..1000], 2, None)[..]);
    let reasons: Vec<_> = nothing.tree.root().subtree().flat_map(Branch::opaque).collect();
    assert_eq!(reasons, [(OpaqueReason::Foreign, 1)]);
}
