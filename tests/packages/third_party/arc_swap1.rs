//! Shared pointers that may be replaced.

use crate::asserted::assert_exact;
use arc_swap::{ArcSwap, ArcSwapOption, ArcSwapWeak};
use memprof::Profile;
use std::sync::Arc;

/// Loads once, because the first load of a thread allocates what the crate keeps forever.
fn warm_up() {
    let _ = ArcSwap::from_pointee(0_u8).load();
}

#[test]
fn a_swap_owns_its_current_value() {
    warm_up();
    let place = assert_exact(|| ArcSwap::from_pointee(vec![String::from("old")]));
    place.store(Arc::new(vec![String::from("new"); 100]));
    assert!(Profile::of(&place).total_bytes() > 100 * 24);
    assert_exact(ArcSwapOption::<String>::empty);
    assert_exact(|| ArcSwapOption::from_pointee(String::from("some")));
    assert_exact(|| ArcSwapWeak::<String>::new(std::sync::Weak::new()));
}

#[test]
fn a_unique_pointer_is_not_shared() {
    warm_up();
    let place = ArcSwap::from_pointee(String::from("sole"));
    assert_eq!(Profile::of(&place).shared().allocations, 0);
}

#[test]
fn a_pointer_in_two_swaps_counts_once() {
    warm_up();
    let places = assert_exact(|| {
        let shared = Arc::new(vec![1_u8; 100]);
        (ArcSwap::new(shared.clone()), ArcSwap::new(shared.clone()), shared)
    });
    let shared = Profile::of(&places).shared();
    assert_eq!((shared.allocations, shared.handles, shared.externally_held_bytes), (1, 3, 0));
}

/// A pointer to another `Link`.
struct Link(ArcSwapOption<Link>);

impl memprof::MemoryProfile for Link {
    fn owned<'a>(&'a self, walk: &mut memprof::walk::Walk<'a>, at: memprof::walk::Position) {
        self.0.owned(walk, at);
    }
}

#[test]
fn a_long_chain_of_swaps_is_exact() {
    warm_up();
    let chain = |links: usize| {
        (0..links)
            .fold(Link(ArcSwapOption::empty()), |next, _| Link(ArcSwapOption::from_pointee(next)))
    };
    assert_exact(|| chain(100));
    assert_exact(|| chain(5_000));
}
