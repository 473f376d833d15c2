//! Tests of the adaptors' counts, and of the errors that they find.

use crate::{KIB, MIB, allocate, free};
use memprof_pool::{
    Address, AddressSpace, CachingPool, DeallocationError, Limiting, MemoryResource, Request,
    Statistics, Tracking,
};
use std::sync::Arc;

#[test]
fn a_limit_is_exact_and_failed_requests_do_not_count() {
    let limited = Limiting::new(AddressSpace::new().failing_at(2), "1 MiB").expect("an amount");
    let kept = allocate(&limited, MIB - 10);
    assert!(limited.allocate(Request::new(10)).is_err(), "the upstream fails");
    assert!(limited.allocate(Request::new(11)).is_err(), "that is over the limit");
    allocate(&limited, 10);
    assert_eq!((limited.allocated(), limited.limit()), (MIB, MIB));
    assert_eq!(limited.inner().calls(), 3, "a request over the limit does not reach the upstream");
    let wrong = free(&limited, kept, Request::new(1));
    assert!(wrong.is_err());
    assert_eq!(limited.allocated(), MIB, "nothing was freed");
    assert!(Limiting::new(AddressSpace::new(), "1 Mib").is_err());
}

#[test]
fn scopes_count_their_own_calls_and_add_to_the_outer_scope() {
    let counted = Statistics::new(AddressSpace::new());
    let before = allocate(&counted, 100);
    counted.push();
    free(&counted, before, Request::new(100)).expect("it is allocated");
    let inside = allocate(&counted, 30);
    counted.push();
    allocate(&counted, 500);
    let innermost = counted.pop().expect("two were pushed");
    assert_eq!((innermost.bytes.current, innermost.bytes.peak), (500, 500));
    free(&counted, inside, Request::new(30)).expect("it is allocated");
    let scope = counted.pop().expect("one was pushed").bytes;
    assert_eq!((scope.current, scope.peak, scope.allocated, scope.freed), (400, 430, 530, 130));
    let all = counted.counts();
    assert_eq!((all.bytes.current, all.bytes.peak, all.bytes.allocated), (500, 530, 630));
    let calls = all.allocations;
    assert_eq!((calls.current, calls.peak, calls.allocated, calls.freed), (1, 2, 3, 2));
    counted.reset_peaks();
    assert_eq!(counted.counts().bytes.peak, 500);
    assert_eq!(counted.pop(), None);
}

#[test]
fn wrong_frees_are_errors_and_free_nothing() {
    // Unlike `AddressSpace`, the inner pool reuses freed addresses.
    let tracked = Tracking::new(CachingPool::builder(AddressSpace::new()).build().expect("a pool"));
    let request = Request::new(1000);
    let address = allocate(&tracked, 1000);
    let foreign = Address(12345);
    assert_eq!(free(&tracked, foreign, request), Err(DeallocationError::Foreign(foreign)));
    for other in [Request::new(999), request.aligned(512)] {
        let error = free(&tracked, address, other).expect_err("it is another size or alignment");
        assert!(matches!(error, DeallocationError::Mismatch { .. }), "{error}");
    }
    assert_eq!(tracked.outstanding().bytes(), 1000);
    free(&tracked, address, request).expect("it is allocated");
    assert_eq!(free(&tracked, address, request), Err(DeallocationError::Twice(address)));
    // The pool returns the address again, so the next free of it is valid.
    assert_eq!(allocate(&tracked, 1000), address);
    free(&tracked, address, request).expect("it is allocated again");
    assert_eq!(tracked.inner().statistics().frees, 2);
}

#[test]
fn a_refused_free_stays_outstanding() {
    let space = Arc::new(AddressSpace::new());
    let tracked = Tracking::new(Arc::clone(&space));
    let address = allocate(&tracked, 10);
    free(&space, address, Request::new(10)).expect("behind the tracker's back");
    assert_eq!(free(&tracked, address, Request::new(10)), Err(DeallocationError::Twice(address)));
    assert_eq!(tracked.outstanding().len(), 1);
}

#[test]
fn the_last_thousand_frees_are_remembered() {
    let tracked = Tracking::new(AddressSpace::new());
    let addresses: Vec<Address> = (0..1100).map(|_| allocate(&tracked, 8)).collect();
    for &address in &addresses {
        free(&tracked, address, Request::new(8)).expect("it is allocated");
    }
    let again = |index: usize| free(&tracked, addresses[index], Request::new(8));
    assert_eq!(again(1099), Err(DeallocationError::Twice(addresses[1099])));
    assert_eq!(again(0), Err(DeallocationError::Foreign(addresses[0])));
}

#[test]
fn outstanding_allocations_are_listed_by_site_and_by_size() {
    let tracked = Tracking::new(AddressSpace::new());
    for bytes in [3, 1, 2] {
        allocate(&tracked, bytes * KIB);
    }
    tracked.allocate(Request::new(MIB)).expect("there is room");
    let sizes = |least: u64| -> Vec<u64> {
        tracked.largest(least).iter().map(|one| one.request.bytes / KIB).collect()
    };
    assert_eq!(sizes(0), [1024, 3, 2, 1]);
    assert_eq!(sizes(2 * KIB), [1024, 3, 2]);
    let outstanding = tracked.outstanding();
    let numbers: Vec<u64> = outstanding.allocations.iter().map(|one| one.number).collect();
    assert_eq!(numbers, [0, 1, 2, 3]);
    let printed = outstanding.to_string();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[0], "4 allocations outstanding, 1.0 MiB");
    assert!(
        lines[1].contains("1.0 MiB  1 at memprof-pool/tests/resource/adaptors.rs:"),
        "{printed}"
    );
    assert!(lines[2].contains("6.0 KiB  3 at "), "{printed}");
    drop(tracked);
}
