//! Tests of a pool while a graph captures a stream.

#![expect(unsafe_code, reason = "a stream is adopted, and memory is deallocated")]

use crate::initialised;
use memprof_gpu::cuda::DeviceContext;
use memprof_pool::{
    AllocationError, CachingPool, DeallocationError, DeviceUpstream, MemoryResource, Request,
    Stream, StreamOrderedUpstream,
};

const CAPTURED: Stream = Stream(0x5712);

#[test]
fn a_captured_stream_gets_no_memory_and_frees_none() {
    let (fake, cuda) = initialised();
    let context = DeviceContext::retain(&cuda, 0).unwrap();
    fake.set("stream", CAPTURED.0);
    // SAFETY: the stream belongs to the fake.
    unsafe { context.adopt_stream(CAPTURED.into()) };
    let pool = CachingPool::builder(DeviceUpstream::in_context(&context)).build().unwrap();
    let request = Request::new(1 << 20).on(CAPTURED);
    let address = pool.allocate(request).unwrap();
    let cached = pool.allocate(request).unwrap();
    // SAFETY: the memory was allocated for this request, and nothing uses it.
    unsafe { pool.deallocate(cached, request) }.unwrap();

    fake.set("capture", CAPTURED.0);
    let error = pool.allocate(request).unwrap_err();
    assert!(matches!(error, AllocationError::Capturing(CAPTURED)), "{error:?}");
    // SAFETY: the memory was allocated for this request, and nothing uses it.
    let freed = unsafe { pool.deallocate(address, request) };
    assert_eq!(freed, Err(DeallocationError::Capturing(address, CAPTURED)));
    pool.allocate(Request::new(40 << 20)).unwrap();
    let driver = StreamOrderedUpstream::in_context(&context);
    let error = driver.allocate(request).unwrap_err();
    assert!(matches!(error, AllocationError::Capturing(CAPTURED)), "{error:?}");
    assert_eq!(fake.get("invalidated captures"), 0, "the capture goes on");
    pool.check().unwrap();

    fake.set("end captures", 0);
    // SAFETY: the memory was allocated for this request, and nothing uses it.
    unsafe { pool.deallocate(address, request) }.unwrap();
    pool.allocate(request).unwrap();
}
