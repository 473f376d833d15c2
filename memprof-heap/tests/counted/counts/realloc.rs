//! A reallocation frees the old size and allocates the new one.

use super::{block, figures, measured};

#[test]
fn growth_counts_both_sizes_and_keeps_the_new_one() {
    let (bytes, all) = measured(|| {
        let mut bytes = block(100);
        bytes.reserve_exact(10_000);
        bytes
    });
    assert_eq!(bytes.capacity(), 10_000);
    assert_eq!(figures(all), [10_100, 2, 100, 1, 10_000]);
    assert_eq!(all.net_blocks(), 1);
}

#[test]
fn shrinking_counts_both_sizes_and_keeps_the_new_one() {
    let (bytes, all) = measured(|| {
        let mut bytes = block(10_000);
        bytes.extend(0..100);
        bytes.shrink_to_fit();
        bytes
    });
    assert!(bytes.iter().copied().eq(0..100));
    assert_eq!(figures(all), [10_100, 2, 10_000, 1, 10_000]);
    assert_eq!(all.net_bytes(), 100);
}

#[test]
fn blocks_that_are_older_than_the_measurement_can_grow_and_shrink() {
    let mut bytes = block(100);
    let ((), all) = measured(|| bytes.reserve_exact(300));
    assert_eq!(figures(all), [300, 1, 100, 1, 200]);
    let ((), all) = measured(|| bytes.shrink_to(50));
    assert_eq!(figures(all), [50, 1, 300, 1, 0]);
    assert_eq!(all.net_bytes(), -250);
}

#[test]
fn blocks_of_large_alignment_are_moved_and_count() {
    #[derive(Clone, Copy)]
    #[repr(align(4096))]
    struct Page([u8; 4096]);
    let (pages, all) = measured(|| {
        let mut pages = Vec::with_capacity(1);
        pages.push(Page([7; 4096]));
        pages.reserve_exact(2);
        pages
    });
    assert_eq!(pages[0].0, [7; 4096]);
    assert_eq!(figures(all), [4 * 4096, 2, 4096, 1, 3 * 4096]);
}
