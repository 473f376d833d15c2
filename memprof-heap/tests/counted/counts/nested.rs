//! Measurements inside measurements, and inside work that panics.

use super::{block, figures, measured};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn the_outer_measurement_counts_the_inner_one_too() {
    let ((kept, inner), outer) = measured(|| {
        drop(block(10));
        let (kept, inner) = measured(|| {
            drop(block(300));
            block(200)
        });
        drop(block(40));
        (kept, inner)
    });
    assert_eq!(figures(inner), [500, 2, 300, 1, 300]);
    assert_eq!(figures(outer), [550, 4, 350, 3, 300]);
    drop(kept);
}

#[test]
fn an_inner_peak_starts_where_the_inner_measurement_does() {
    let (inner, outer) = measured(|| {
        let base = block(1000);
        let (kept, inner) = measured(|| block(10));
        drop((base, kept));
        inner
    });
    assert_eq!(inner.peak_bytes, 10);
    assert_eq!(outer.peak_bytes, 1010);
}

#[test]
fn a_peak_before_or_after_an_inner_measurement_is_not_lost() {
    let (inner, outer) = measured(|| {
        drop(block(5000));
        measured(|| drop(block(10))).1
    });
    assert_eq!((inner.peak_bytes, outer.peak_bytes), (10, 5000));
    let (inner, outer) = measured(|| {
        let ((), inner) = measured(|| drop(block(10)));
        drop(block(7000));
        inner
    });
    assert_eq!((inner.peak_bytes, outer.peak_bytes), (10, 7000));
}

#[test]
fn a_hundred_nested_measurements_are_exact() {
    fn level(depth: u64) {
        if depth == 0 {
            return;
        }
        let ((), all) = measured(|| {
            let kept = block(8);
            level(depth - 1);
            drop(kept);
        });
        assert_eq!(figures(all), [8 * depth, depth, 8 * depth, depth, 8 * depth]);
    }
    level(100);
}

#[test]
fn a_panic_ends_the_measurement_that_it_leaves() {
    let ((), outer) = measured(|| {
        let held = block(400);
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            measured(|| {
                drop(block(100_000));
                // This panics without a message, a hook and a location, so it allocates little.
                std::panic::resume_unwind(Box::new(1_u8));
            })
        }));
        assert!(panicked.is_err());
        drop(held);
        drop(panicked);
    });
    assert_eq!(outer.peak_bytes, 100_400);
    assert_eq!(outer.net_bytes(), 0);
    let ((), next) = measured(|| drop(block(16)));
    assert_eq!(figures(next), [16, 1, 16, 1, 16]);
}
