//! Shared values of this std, and of a std with other headers.

use super::{
    WeakMemory, bytes_around, memory_of_arc_weak, memory_of_rc_weak, observe_counts,
    observe_weak_handles,
};
use crate::layout::fault_injection::{self, Fault};
use crate::total_bytes;
use crate::tree::Collected;
use std::rc::{Rc, Weak};
use std::sync::{self, Arc};

#[test]
fn this_std_has_the_described_headers() {
    assert!(observe_counts());
    assert!(observe_weak_handles());
}

#[test]
fn two_counts_and_alignment_padding_surround_a_value() {
    let word = size_of::<usize>();
    assert_eq!(bytes_around(word, word), 2 * word);
    assert_eq!(bytes_around(1, 1), 3 * word - 1);
    assert_eq!(bytes_around(64, 64), 64);
}

#[test]
fn a_shared_value_of_a_std_with_a_larger_header_is_an_estimate() {
    let shared = Rc::new(1_u64);
    let text = Arc::<str>::from("text");
    let object: Rc<dyn std::error::Error> = Rc::new(core::fmt::Error);
    for profile in [
        Collected::of("value", &shared),
        Collected::of("value", &text),
        Collected::of("value", &object),
    ] {
        assert!(profile.tree.root().is_exact());
    }
    for more in [2, 8, 16] {
        fault_injection::with_fault(Fault::Header(more), || {
            for profile in [
                Collected::of("value", &shared),
                Collected::of("value", &text),
                Collected::of("value", &object),
            ] {
                assert!(!profile.tree.root().is_exact(), "{more} bytes more");
            }
        });
    }
    let exact = total_bytes(&shared);
    let estimated = fault_injection::with_fault(Fault::Header(8), || total_bytes(&shared));
    assert_eq!(exact, estimated, "the best estimate is the usual header");
}

#[test]
fn a_dead_handle_keeps_the_memory_of_its_value() {
    assert_eq!(memory_of_rc_weak(&Weak::<u64>::new()), WeakMemory::Nothing);
    assert_eq!(memory_of_arc_weak(&sync::Weak::<u64>::new()), WeakMemory::Nothing);
    let sized = Rc::downgrade(&Rc::new(1_u32));
    assert_eq!(memory_of_rc_weak(&sized), WeakMemory::Value { size: 4, align: 4 });
    let text = Rc::downgrade(&Rc::<str>::from("seven b"));
    assert_eq!(memory_of_rc_weak(&text), WeakMemory::Value { size: 7, align: 1 });
    let object: Weak<dyn Send> = Rc::downgrade(&(Rc::new(1_u128) as Rc<dyn Send>));
    assert_eq!(
        memory_of_rc_weak(&object),
        WeakMemory::Value { size: 16, align: align_of::<u128>() }
    );
    let slice = Arc::downgrade(&Arc::<[u16]>::from([1, 2, 3]));
    assert_eq!(memory_of_arc_weak(&slice), WeakMemory::Value { size: 6, align: 2 });
}

#[test]
fn a_dead_handle_of_an_unknown_std_is_not_read() {
    let dead = Rc::downgrade(&Rc::new(1_u32));
    assert!(Collected::of("value", &dead).tree.root().is_exact());
    fault_injection::with_fault(Fault::NeverAllocated, || {
        assert_eq!(memory_of_rc_weak(&dead), WeakMemory::Unknown);
        assert!(!Collected::of("value", &dead).tree.root().is_exact());
    });
}
