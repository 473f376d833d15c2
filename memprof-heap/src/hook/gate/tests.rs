//! One word tells what a call has to do, however it is read.

use super::Work::{Count, LookForSample, PassOn};
use super::{COUNTERS, MALLOC_ALIGN, OFF, PROBED, SAMPLED, UNDECIDED, here};
use crate::sync::Ordering::Relaxed;

/// What other platforms have, tried here too.
#[path = "portable.rs"]
mod portable;

// No allocator is installed here, so nobody else looks at a copy.
macro_rules! tells_what_a_call_has_to_do {
    ($here:ident) => {
        let gates = [OFF, SAMPLED, COUNTERS, PROBED, UNDECIDED];
        let works = [PassOn, LookForSample, Count, Count, Count];
        for (gate, wanted) in gates.into_iter().zip(works) {
            $here::copy().word.store(gate, Relaxed);
            assert_eq!($here::work(), wanted, "{gate}");
            for align in (0..usize::BITS).map(|bits| 1 << bits) {
                let counts = gate != OFF && align <= MALLOC_ALIGN;
                assert_eq!($here::counts_aligned(align), counts, "{gate} {align}");
            }
        }
    };
}

#[test]
fn the_copy_linked_here_tells_what_a_call_has_to_do() {
    assert!(here::copy().is_undecided());
    tells_what_a_call_has_to_do!(here);
}

#[test]
fn the_copy_of_other_platforms_tells_the_same() {
    assert!(portable::copy().is_undecided());
    tells_what_a_call_has_to_do!(portable);
}
