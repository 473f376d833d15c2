//! Zeroed memory is passed on as such, so that its pages stay untouched, and counts like any other.

use crate::inner::calls;
use crate::{figures, measured};

#[test]
fn zeroed_memory_counts() {
    let ((zeros, all), calls) = calls(|| measured(|| vec![0_u64; 125]));
    assert!(zeros.iter().all(|&zero| zero == 0));
    assert_eq!(figures(all), [1000, 1, 0, 0, 1000]);
    // The other call and its end are the byte that shows that the allocator is installed.
    assert_eq!(calls, [1, 1, 1, 0]);
}
