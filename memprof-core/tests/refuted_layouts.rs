//! A process whose allocator was asked for other sizes than those that are known.

use memprof_core::Profile;
use std::collections::{BTreeMap, HashMap, LinkedList};
use std::rc::Rc;

#[test]
fn what_an_allocator_contradicts_is_an_estimate_from_then_on() {
    let table = HashMap::from([(1, 2)]);
    let tree = BTreeMap::from([(1, 2)]);
    let list = LinkedList::from([1]);
    let shared = Rc::new(1);
    let exact = || {
        [
            Profile::of(&table).is_exact(),
            Profile::of(&tree).is_exact(),
            Profile::of(&list).is_exact(),
            Profile::of(&shared).is_exact(),
        ]
    };
    assert_eq!(exact(), [true; 4]);
    let mut requested = |make: &mut dyn FnMut()| {
        make();
        12_345
    };
    let checked = memprof_core::__private::check_layouts(&mut requested);
    assert_eq!(checked, Err("HashMap"));
    assert_eq!(exact(), [false; 4]);
}
