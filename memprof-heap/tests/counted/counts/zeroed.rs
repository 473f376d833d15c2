//! Calls of `alloc_zeroed` are forwarded as such, so that pages stay untouched, and count like any
//! other.

use super::{figures, measured};
use crate::refusing::calls;

#[test]
fn zeroed_memory_counts() {
    // The first call allocates a byte to test the installation. Do that before the measurement.
    assert!(memprof_heap::is_installed());
    let ((zeros, all), calls) = calls(|| measured(|| vec![0_u64; 125]));
    assert!(zeros.iter().all(|&zero| zero == 0));
    assert_eq!(figures(all), [1000, 1, 0, 0, 1000]);
    assert_eq!(calls, [0, 0, 1, 0]);
}
