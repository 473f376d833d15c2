//! Tests of memory resources over the driver's allocators.

#![expect(unsafe_code, reason = "memory is deallocated")]

use crate::fake::Fake;
use crate::initialised;
use memprof_gpu::cuda::{Cuda, CudaError, DeviceContext};
use memprof_pool::{
    AllocationError, CachingPool, DeallocationError, DeviceUpstream, Memory, MemoryResource,
    PinnedUpstream, Request, Stream, StreamOrderedUpstream,
};
use memprof_profile::tree::Device;

const MIB: u64 = 1 << 20;

/// Runs the test with each resource, over a fake driver of its own.
///
/// The test gets the fake's name for the count of live memory, and the name of the driver function
/// that allocates.
fn each(test: impl Fn(&Fake, &Cuda, &dyn MemoryResource, &str, &str)) {
    let (fake, cuda) = initialised();
    let device = DeviceUpstream::new(&cuda, 0).unwrap();
    test(&fake, &cuda, &device, "allocations", "cuMemAlloc_v2");
    let (fake, cuda) = initialised();
    let stream_ordered = StreamOrderedUpstream::new(&cuda, 0).unwrap();
    test(&fake, &cuda, &stream_ordered, "allocations", "cuMemAllocAsync");
    let (fake, cuda) = initialised();
    let pinned = PinnedUpstream::new(&cuda, 0).unwrap();
    test(&fake, &cuda, &pinned, "pinned", "cuMemHostAlloc");
}

#[test]
fn memory_is_in_the_place_that_the_resource_reports() {
    let (_fake, cuda) = initialised();
    let device = DeviceUpstream::new(&cuda, 1).unwrap();
    let stream_ordered = StreamOrderedUpstream::new(&cuda, 1).unwrap();
    let pinned = PinnedUpstream::new(&cuda, 1).unwrap();
    for resource in [&device as &dyn MemoryResource, &stream_ordered] {
        assert_eq!(resource.memory(), Memory::Device(Device::Cuda(1)));
        assert!(!resource.is_pinned());
        assert_eq!(resource.capacity(), Some(1 << 30));
    }
    assert_eq!(pinned.memory(), Memory::PinnedHost);
    assert!(pinned.is_pinned());
    assert_eq!(pinned.capacity(), None);
}

#[test]
fn all_memory_is_freed_and_the_context_released() {
    each(|fake, _, resource, count, _| {
        let requests = [0, 1, 255, 512, MIB].map(|bytes| Request::new(bytes).aligned(256));
        let addresses = requests.map(|request| resource.allocate(request).unwrap());
        assert_eq!(fake.get(count), 5);
        for (address, request) in addresses.into_iter().zip(requests) {
            assert_eq!(address.0 % 256, 0);
            // SAFETY: the memory was allocated for this request, and nothing uses it.
            unsafe { resource.deallocate(address, request) }.unwrap();
        }
        assert_eq!([fake.get(count), fake.get("contexts pushed")], [0, 0]);
    });
    let (fake, cuda) = initialised();
    let upstreams = [(); 3].map(|()| DeviceUpstream::new(&cuda, 0).unwrap());
    assert_eq!([fake.get("contexts created"), fake.get("contexts retained")], [1, 3]);
    drop(upstreams);
    assert_eq!(fake.get("contexts retained"), 0);
}

/// The driver destroys memory with its context, so a context with live memory is never released.
#[test]
fn memory_outlives_the_upstream_and_the_pool_that_allocated_it() {
    let request = Request::new(512);
    let (fake, cuda) = initialised();
    let upstream = DeviceUpstream::new(&cuda, 0).unwrap();
    upstream.clone().allocate(request).unwrap();
    drop(upstream);
    assert_eq!([fake.get("allocations"), fake.get("contexts retained")], [1, 1]);

    let (fake, cuda) = initialised();
    let pool = CachingPool::builder(PinnedUpstream::new(&cuda, 0).unwrap()).build().unwrap();
    let address = pool.allocate(request).unwrap();
    drop(pool);
    assert_eq!([fake.get("pinned"), fake.get("contexts retained")], [1, 1]);
    let memory = std::ptr::with_exposed_provenance_mut::<u8>(address.0 as usize);
    // SAFETY: the block was never freed, so the host can still write it.
    unsafe { memory.write(0xA5) };

    let (fake, cuda) = initialised();
    let pool = CachingPool::builder(DeviceUpstream::new(&cuda, 0).unwrap()).build().unwrap();
    let address = pool.allocate(request).unwrap();
    // SAFETY: the memory was allocated for this request, and nothing uses it.
    unsafe { pool.deallocate(address, request) }.unwrap();
    drop(pool);
    assert_eq!([fake.get("allocations"), fake.get("contexts retained")], [0, 0]);
}

#[test]
fn a_pool_aligns_blocks_beyond_the_alignment_of_its_upstream() {
    let (_fake, cuda) = initialised();
    let upstream = DeviceUpstream::new(&cuda, 0).unwrap();
    let pool = CachingPool::builder(upstream).build().unwrap();
    for (bytes, alignment) in [(1000, 512), (3 * MIB, 4096), (18 * MIB, 1 << 16)] {
        let address = pool.allocate(Request::new(bytes).aligned(alignment)).unwrap();
        assert_eq!(address.0 % alignment, 0, "{bytes} aligned to {alignment}");
        pool.check().unwrap();
    }
}

#[test]
fn pinned_memory_is_the_hosts() {
    let (_fake, cuda) = initialised();
    let pinned = PinnedUpstream::new(&cuda, 0).unwrap();
    let request = Request::new(8192);
    let address = pinned.allocate(request).unwrap();
    let memory = std::ptr::with_exposed_provenance_mut::<u8>(address.0 as usize);
    // SAFETY: the host can write pinned memory, up to the requested size.
    unsafe { memory.write_bytes(0xA5, 8192) };
    // SAFETY: all 8192 bytes were written just now.
    let bytes = unsafe { std::slice::from_raw_parts(memory, 8192) };
    assert!(bytes.iter().all(|byte| *byte == 0xA5));
    // SAFETY: the memory was allocated for this request, and nothing uses it.
    unsafe { pinned.deallocate(address, request) }.unwrap();
}

#[test]
fn a_double_free_is_refused_with_the_drivers_number() {
    each(|_, _, resource, _, _| {
        let request = Request::new(512);
        let address = resource.allocate(request).unwrap();
        // SAFETY: the memory was allocated for this request, and nothing uses it.
        unsafe { resource.deallocate(address, request) }.unwrap();
        // SAFETY: this breaks the contract, but the fake checks the address before it frees.
        let again = unsafe { resource.deallocate(address, request) };
        assert_eq!(again, Err(DeallocationError::Refused(address, 1)));
    });
}

#[test]
fn the_threads_current_context_is_as_it_was_before() {
    each(|fake, cuda, resource, _, function| {
        let _other = DeviceContext::retain(cuda, 1).unwrap();
        fake.set("push context of device", 1);
        let pushed = fake.get("contexts pushed");
        let request = Request::new(512);
        let address = resource.allocate(request).unwrap();
        // SAFETY: the memory was allocated for this request, and nothing uses it.
        unsafe { resource.deallocate(address, request) }.unwrap();
        fake.set(&format!("fail {function}"), 719);
        resource.allocate(request).unwrap_err();
        assert_eq!(fake.get("contexts pushed"), pushed);
        assert!(cuda.memory_info().is_ok(), "device 1's context is still current");
        fake.set("pop context", 0);
    });
}

#[test]
fn out_of_memory_names_the_memory() {
    each(|fake, _, resource, count, function| {
        fake.set(&format!("fail {function}"), 2);
        let request = Request::new(512);
        let error = resource.allocate(request).unwrap_err();
        let AllocationError::OutOfMemory { request: requested, memory, largest_free, .. } = error
        else {
            panic!("{error:?}");
        };
        assert_eq!((requested, memory), (request, resource.memory()));
        assert_eq!((largest_free, fake.get(count)), (None, 0));
    });
}

#[test]
fn out_of_memory_has_the_bytes_of_the_drivers_pool() {
    let (_fake, cuda) = initialised();
    let upstream = StreamOrderedUpstream::new(&cuda, 0).unwrap();
    let small = Request::new(3 * MIB);
    let address = upstream.allocate(small).unwrap();
    // SAFETY: the memory was allocated for this request, and nothing uses it.
    unsafe { upstream.deallocate(address, small) }.unwrap();
    let error = upstream.allocate(Request::new(1 << 40)).unwrap_err();
    let AllocationError::OutOfMemory { reserved, cached, .. } = error else { panic!("{error:?}") };
    assert_eq!((reserved, cached), (Some(4 * MIB), Some(4 * MIB)));
}

#[test]
fn other_errors_of_the_driver_are_returned_unchanged() {
    each(|fake, _, resource, _, function| {
        fake.set(&format!("fail {function}"), 719);
        let error = resource.allocate(Request::new(512)).unwrap_err();
        let AllocationError::Failed(cause) = error else { panic!("{error:?}") };
        assert!(cause.to_string().contains("CUDA_ERROR_LAUNCH_FAILED"), "{cause}");
    });
}

#[test]
fn an_alignment_that_the_driver_does_not_promise_is_refused() {
    each(|fake, _, resource, count, function| {
        for alignment in [0, 3, 512, 1 << 63] {
            let error = resource.allocate(Request::new(512).aligned(alignment)).unwrap_err();
            assert!(matches!(error, AllocationError::Alignment { largest: 256, .. }), "{error:?}");
        }
        assert_eq!([fake.get(count), fake.get(&format!("calls of {function}"))], [0, 0]);
    });
}

#[test]
fn misaligned_memory_is_freed() {
    let (fake, cuda) = initialised();
    let upstream = DeviceUpstream::new(&cuda, 0).unwrap();
    fake.set("misaligned", 1);
    let error = upstream.allocate(Request::new(512)).unwrap_err();
    assert!(matches!(error, AllocationError::Alignment { .. }), "{error:?}");
    assert_eq!(fake.get("allocations"), 0);
}

#[test]
fn memory_without_stream_order_is_freed_once_its_stream_is_done() {
    each(|fake, _, resource, count, function| {
        let request = Request::new(512);
        let address = resource.allocate(request).unwrap();
        fake.set("fail cuStreamSynchronize", 719);
        // SAFETY: the memory was allocated for this request, and nothing uses it.
        let freed = unsafe { resource.deallocate(address, request) };
        if function == "cuMemAllocAsync" {
            assert_eq!((freed, fake.get(count)), (Ok(()), 0), "the driver keeps the order");
        } else {
            assert_eq!(freed, Err(DeallocationError::Refused(address, 719)));
            assert_eq!(fake.get(count), 1);
        }
    });
}

#[test]
fn an_unregistered_stream_is_refused() {
    let (fake, cuda) = initialised();
    let upstream = StreamOrderedUpstream::new(&cuda, 0).unwrap();
    let stream = Stream(0x5712);
    let request = Request::new(512).on(stream);
    let error = upstream.allocate(request).unwrap_err();
    let AllocationError::Failed(cause) = error else { panic!("{error:?}") };
    assert!(matches!(cause.downcast_ref(), Some(CudaError::UnknownStream(0x5712))), "{cause:?}");
    assert_eq!(fake.get("calls of cuMemAllocAsync"), 0);

    fake.set("stream", stream.0);
    // SAFETY: the stream belongs to the fake.
    unsafe { upstream.context().adopt_stream(stream.into()) };
    let address = upstream.allocate(request).unwrap();
    // SAFETY: the memory was allocated for this request, and nothing uses it.
    unsafe { upstream.deallocate(address, request) }.unwrap();

    upstream.context().forget_stream(stream.into());
    assert!(upstream.allocate(request).is_err());
}

#[test]
fn threads_share_a_resource_without_a_change_of_their_current_context() {
    each(|fake, _, resource, count, _| {
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for bytes in 1..100 {
                        let request = Request::new(bytes);
                        let address = resource.allocate(request).unwrap();
                        // SAFETY: the memory was allocated for this request, and nothing uses it.
                        unsafe { resource.deallocate(address, request) }.unwrap();
                    }
                });
            }
        });
        assert_eq!([fake.get(count), fake.get("contexts pushed")], [0, 0]);
    });
}
