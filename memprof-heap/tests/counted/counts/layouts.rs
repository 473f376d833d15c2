//! Requests of this compiler's std to the allocator.

use memprof_profile::Profile;
use std::collections::{BTreeMap, LinkedList};
use std::rc::Rc;

#[test]
fn the_layouts_of_this_std_are_those_that_the_allocator_is_asked_for() {
    memprof_heap::exact::check_layouts().expect("every collection is as described");
    let values = (Rc::new(1_u8), BTreeMap::from([(1, 2)]), LinkedList::from([3]));
    assert!(Profile::of(&values).is_exact());
}
