//! Tests of buffers, which free their memory when they are dropped.

use crate::{KIB, MIB};
use memprof_pool::{
    AddressSpace, Buffer, CachingPool, DeallocationError, HostUpstream, MemoryResource, Request,
    Stream, Tracking,
};
use memprof_profile::Profile;
use memprof_profile::tree::Device;
use std::sync::Arc;

#[test]
fn a_dropped_buffer_frees_its_memory() {
    let space = AddressSpace::new();
    let buffers = [1, 2, 3].map(|kib| Buffer::new(&space, Request::new(kib * KIB)).unwrap());
    assert_eq!(space.allocated(), 6 * KIB);
    drop(buffers);
    assert_eq!(space.allocated(), 0);
}

#[test]
fn buffers_keep_their_shared_pool_alive() {
    let pool = Arc::new(CachingPool::builder(HostUpstream).build().unwrap());
    let buffer = Buffer::new(Arc::clone(&pool), Request::new(MIB)).unwrap();
    assert_eq!(buffer.resource().statistics().requested, MIB);
    drop(buffer);
    assert_eq!((Arc::strong_count(&pool), pool.statistics().requested), (1, 0));
    let again = Buffer::new(&*pool, Request::new(MIB)).unwrap();
    assert_eq!(pool.statistics().hits, 1);
    drop(again);
}

#[test]
fn a_buffer_has_its_size_stream_and_address() {
    let space = AddressSpace::new();
    let request = Request::new(100).aligned(512).on(Stream(3));
    let mut buffer = Buffer::new(&space, request).unwrap();
    assert_eq!((buffer.bytes(), buffer.alignment(), buffer.stream()), (100, 512, Stream(3)));
    assert_eq!((buffer.address().0 % 512, buffer.memory()), (0, space.memory()));
    assert_eq!(buffer.host_ptr(), None);
    buffer.set_stream(Stream(4)).unwrap();
    let (_, _, request) = buffer.into_parts();
    assert_eq!((request.stream, space.allocated()), (Stream(4), 100));
}

#[test]
fn the_host_reads_and_writes_its_own_memory() {
    let buffer = Buffer::new(HostUpstream, Request::new(16)).unwrap();
    let first = buffer.host_ptr().unwrap();
    // SAFETY: the buffer has 16 bytes, which nothing else uses.
    unsafe { first.write(7) };
    // SAFETY: as above, and the byte was written.
    assert_eq!(unsafe { first.read() }, 7);
}

#[test]
fn parts_of_a_buffer_are_freed_by_their_owner() {
    let space = AddressSpace::new();
    let (resource, address, request) = Buffer::new(&space, Request::new(MIB)).unwrap().into_parts();
    assert_eq!(space.allocated(), MIB);
    // SAFETY: the parts are those of a buffer that no longer exists.
    let buffer = unsafe { Buffer::from_parts(resource, address, request) };
    buffer.free().unwrap();
    assert_eq!(space.allocated(), 0);
}

#[test]
fn a_refused_free_is_an_error_of_free_but_not_of_drop() {
    let tracked = Tracking::new(AddressSpace::new());
    let (_, address, request) = Buffer::new(&tracked, Request::new(MIB)).unwrap().into_parts();
    let smaller = Request::new(MIB - 1);
    // SAFETY: nothing uses the memory; the tracker refuses the wrong size.
    drop(unsafe { Buffer::from_parts(&tracked, address, smaller) });
    // SAFETY: as above.
    let error = unsafe { Buffer::from_parts(&tracked, address, smaller) }.free().unwrap_err();
    assert!(matches!(error, DeallocationError::Mismatch { .. }), "{error}");
    // SAFETY: the memory was allocated for this request.
    unsafe { Buffer::from_parts(&tracked, address, request) }.free().unwrap();
    assert!(tracked.outstanding().allocations.is_empty());
}

#[test]
fn a_buffer_is_tracked_by_the_site_that_created_it() {
    let tracked = Tracking::new(AddressSpace::new());
    let buffer = Buffer::new(&tracked, Request::new(MIB)).unwrap();
    assert_eq!(tracked.outstanding().allocations[0].site.file(), file!());
    drop(buffer);
}

#[test]
fn a_buffer_has_its_bytes_in_a_profile() {
    let space = AddressSpace::new();
    let buffer = Buffer::new(&space, Request::new(MIB)).unwrap();
    let profile = Profile::of(&buffer);
    let inline = size_of_val(&buffer) as u64;
    assert_eq!(profile.devices(), [(Device::Cpu, inline + MIB)]);
}
