//! Tests of upstreams, and of pointers to them.

use crate::{GIB, MIB, allocate, free};
use memprof_pool::{
    Address, AddressSpace, AllocationError, DeallocationError, HostUpstream, Memory,
    MemoryResource, Request,
};
use std::ptr;
use std::sync::Arc;

#[test]
fn memory_of_the_host_is_aligned_and_can_be_written() {
    for (bytes, alignment) in [(0, 1), (1, 1), (100, 256), (3 * MIB, 4096), (17, 1 << 16)] {
        let request = Request::new(bytes).aligned(alignment);
        let address = HostUpstream.allocate(request).expect("there is room");
        assert_eq!(address.0 % alignment, 0);
        let block: *mut u8 = ptr::with_exposed_provenance_mut(address.0 as usize);
        // SAFETY: the block was allocated for `bytes` bytes.
        unsafe { ptr::write_bytes(block, 7, bytes as usize) };
        free(&HostUpstream, address, request).expect("it is allocated");
    }
    assert_eq!((HostUpstream.memory(), HostUpstream.is_pinned()), (Memory::Host, false));
}

#[test]
fn a_failed_host_allocation_is_an_error() {
    let error = HostUpstream.allocate(Request::new(u64::MAX)).expect_err("there is not so much");
    assert!(error.is_out_of_memory());
    for alignment in [0, 3, 48, 1 << 63] {
        let error = HostUpstream.allocate(Request::new(8).aligned(alignment));
        let error = error.expect_err("that is not an alignment");
        assert!(matches!(error, AllocationError::Alignment { .. }), "{error}");
        assert!(error.to_string().contains("expected a power of two"), "{error}");
    }
}

#[test]
fn an_address_space_returns_each_address_once_up_to_its_capacity() {
    let space = AddressSpace::new().with_capacity(GIB);
    let first = allocate(&space, GIB / 2);
    let second = allocate(&space, GIB / 2);
    assert_eq!(second.0 - first.0, GIB / 2);
    assert!(space.allocate(Request::new(1)).is_err());
    free(&space, first, Request::new(GIB / 2)).expect("it is allocated");
    assert!(allocate(&space, GIB / 2) > second);
    assert_eq!((space.allocated(), space.calls(), space.capacity()), (GIB, 4, Some(GIB)));
    assert_eq!(space.memory(), Memory::AddressSpace);
}

#[test]
fn an_address_space_fails_at_the_requested_call() {
    let space = AddressSpace::new().failing_at(2);
    let results = [1, 2, 3].map(|_| space.allocate(Request::new(10)).is_ok());
    assert_eq!(results, [true, false, true]);
}

#[test]
fn an_address_space_detects_wrong_frees() {
    let space = AddressSpace::new();
    let request = Request::new(100);
    let address = allocate(&space, 100);
    let inside = Address(address.0 + 1);
    assert_eq!(free(&space, inside, request), Err(DeallocationError::Foreign(inside)));
    let other = Request::new(99);
    let mismatch = DeallocationError::Mismatch { address, allocated: request, deallocated: other };
    assert_eq!(free(&space, address, other), Err(mismatch));
    assert_eq!(space.allocated(), 100, "nothing was freed");
    free(&space, address, request).expect("it is allocated");
    assert_eq!(free(&space, address, request), Err(DeallocationError::Twice(address)));
    let far = Address(u64::MAX);
    assert_eq!(free(&space, far, request), Err(DeallocationError::Foreign(far)));
}

#[test]
fn pointers_to_a_resource_forward_to_it() {
    let space = Arc::new(AddressSpace::new().with_capacity(MIB));
    let boxed: Box<dyn MemoryResource> = Box::new(Arc::clone(&space));
    let address = allocate(&boxed, 1000);
    assert_eq!((space.allocated(), boxed.capacity()), (1000, Some(MIB)));
    assert!(boxed.streams().is_none());
    free(&&*space, address, Request::new(1000)).expect("the box allocated it of the same space");
    assert_eq!(space.allocated(), 0);
}
