//! Zeroed memory is passed on as such, and counts like any other.

use crate::{figures, measured};

#[test]
fn zeroed_memory_counts() {
    let (zeros, all) = measured(|| vec![0_u64; 125]);
    assert!(zeros.iter().all(|&zero| zero == 0));
    assert_eq!(figures(all), [1000, 1, 0, 0, 1000]);
}

/// A default `alloc_zeroed` would write to every page: seconds, and more memory than there is.
#[test]
#[cfg_attr(miri, ignore = "Miri has no pages that stay untouched")]
fn a_terabyte_of_zeros_is_not_touched() {
    const TERABYTE: usize = 1 << 40;
    let mut zeros: Vec<u8> = Vec::new();
    if zeros.try_reserve_exact(TERABYTE).is_err() {
        return; // This system promises no more than it has.
    }
    drop(zeros);
    let (zeros, all) = measured(|| vec![0_u8; TERABYTE]);
    assert_eq!(zeros[TERABYTE / 2], 0);
    assert_eq!(figures(all), [1 << 40, 1, 0, 0, 1 << 40]);
}
