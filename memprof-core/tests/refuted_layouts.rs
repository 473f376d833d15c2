//! A process whose allocator reports other sizes than the described layouts have.

use memprof_core::tree::Collected;
use std::collections::{BTreeMap, HashMap, LinkedList};
use std::rc::Rc;
use std::sync::Arc;

#[test]
fn a_layout_that_an_allocator_refutes_becomes_an_estimate() {
    let table = HashMap::from([(1, 2)]);
    let tree = BTreeMap::from([(1, 2)]);
    let list = LinkedList::from([1]);
    let shared = Rc::new(1);
    let text = Arc::<str>::from("text");
    let empty = BTreeMap::<u8, u8>::new();
    let exact = || {
        [
            Collected::of("value", &table).tree.root().is_exact(),
            Collected::of("value", &tree).tree.root().is_exact(),
            Collected::of("value", &list).tree.root().is_exact(),
            Collected::of("value", &shared).tree.root().is_exact(),
            Collected::of("value", &text).tree.root().is_exact(),
            Collected::of("value", &empty).tree.root().is_exact(),
        ]
    };
    assert_eq!(exact(), [true; 6]);
    let mut requested = |make: &mut dyn FnMut()| {
        make();
        12_345
    };
    let checked = memprof_core::layout_check::check(&mut requested);
    assert_eq!(checked, Err("HashMap"));
    // Even an empty tree, which may have a leaf.
    assert_eq!(exact(), [false; 6]);
}
