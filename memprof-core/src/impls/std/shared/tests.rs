//! Headers of shared values of this std, and headers that are not at the described place.

use super::{
    WeakMemory, bytes_around, is_header, is_wide_header, memory_of_arc_weak, memory_of_rc_weak,
    observe_counts, observe_weak_handles,
};
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
fn a_larger_header_is_noticed() {
    let shared = Rc::new(1_u64);
    let handles = (shared.clone(), Rc::downgrade(&shared));
    let (value, align) = (Rc::as_ptr(&shared).addr(), align_of::<u64>());
    assert!(is_header(&shared, value, align, [2, 2]));
    for more in [2, 8, 16] {
        assert!(!is_header(&shared, value + more, align, [2, 2]), "{more} bytes more");
    }
    assert!(!is_header(&shared, value, align, [3, 2]), "other counts");
    let text = Arc::<str>::from("text");
    assert!(is_wide_header(&text, text.as_ptr().addr(), 1));
    assert!(!is_wide_header(&text, text.as_ptr().addr() + 8, 1));
    drop(handles);
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
