//! Zeroed memory is passed on as such, so that its pages stay untouched, and counts like any other.

use crate::inner::calls;
use crate::{figures, measured};

#[test]
fn zeroed_memory_counts() {
    // The first time, a byte shows that the allocator is installed.
    assert!(memprof_heap::is_installed());
    let ((zeros, all), calls) = calls(|| measured(|| vec![0_u64; 125]));
    assert!(zeros.iter().all(|&zero| zero == 0));
    assert_eq!(figures(all), [1000, 1, 0, 0, 1000]);
    assert_eq!(calls, [0, 0, 1, 0]);
}
