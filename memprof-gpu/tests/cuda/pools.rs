//! Tests of the driver's memory pools, read without a context.

use crate::{initialised, loaded};
use memprof_gpu::cuda::{Cuda, CudaError, CudaStream, DeviceContext};

const MIB: u64 = 1 << 20;

fn context(cuda: &Cuda, ordinal: u16) -> DeviceContext {
    DeviceContext::retain(cuda, ordinal).unwrap()
}

/// Allocates from the device's current pool and returns the address.
fn allocated(context: &DeviceContext, mib: usize) -> u64 {
    context.allocate_async(mib << 20, CudaStream::DEFAULT).unwrap()
}

#[test]
fn statistics_create_no_context_and_change_nothing() {
    let (fake, cuda) = initialised();
    let pool = cuda.pool_statistics(0).unwrap();
    assert_eq!([pool.allocated, pool.reserved, pool.allocated_peak, pool.reserved_peak], [0; 4]);
    for call in ["contexts created", "calls of cuMemPoolSetAttribute", "calls of cuMemPoolTrimTo"] {
        assert_eq!(fake.get(call), 0, "{call}");
    }
}

#[test]
#[expect(unsafe_code, reason = "memory is deallocated")]
fn statistics_are_the_allocated_bytes_and_their_peak() {
    let (_fake, cuda) = initialised();
    let context = context(&cuda, 1);
    let [first, _second] = [5, 2].map(|mib| allocated(&context, mib));
    // SAFETY: the memory was allocated in that stream, and nothing uses it.
    unsafe { context.free_async(first, CudaStream::DEFAULT) }.unwrap();

    let pool = cuda.pool_statistics(1).unwrap();
    assert_eq!([pool.allocated, pool.allocated_peak], [2 * MIB, 7 * MIB]);
    assert_eq!([pool.reserved, pool.reserved_peak], [8 * MIB, 8 * MIB]);
    assert_eq!(pool.cached(), 6 * MIB);
    assert_eq!(cuda.pool_statistics(0).unwrap().allocated_peak, 0, "of the other device");

    cuda.trim_pool(1, 0).unwrap();
    assert_eq!(cuda.pool_statistics(1).unwrap().reserved, 2 * MIB);
}

#[test]
#[expect(unsafe_code, reason = "memory is deallocated")]
fn reset_peaks_sets_them_to_the_current_bytes() {
    let (_fake, cuda) = initialised();
    let context = context(&cuda, 0);
    let [first, _second] = [(); 2].map(|()| allocated(&context, 4));
    // SAFETY: the memory was allocated in that stream, and nothing uses it.
    unsafe { context.free_async(first, CudaStream::DEFAULT) }.unwrap();
    cuda.trim_pool(0, 0).unwrap();
    let peaks = || {
        let pool = cuda.pool_statistics(0).unwrap();
        [pool.allocated_peak, pool.reserved_peak]
    };
    assert_eq!(peaks(), [8 * MIB; 2]);
    cuda.reset_peaks(0).unwrap();
    assert_eq!(peaks(), [4 * MIB; 2]);
}

#[test]
fn the_release_threshold_is_the_one_that_was_set() {
    let (_fake, cuda) = initialised();
    assert_eq!(cuda.pool_statistics(0).unwrap().release_threshold, 0);
    cuda.set_release_threshold(0, u64::MAX).unwrap();
    assert_eq!(cuda.pool_statistics(0).unwrap().release_threshold, u64::MAX);
    assert_eq!(cuda.pool_statistics(1).unwrap().release_threshold, 0);
}

#[test]
fn statistics_are_of_the_current_pool_of_the_device() {
    let (fake, cuda) = initialised();
    let context = context(&cuda, 0);
    allocated(&context, 1);
    fake.set("other pools", 1);
    allocated(&context, 3);
    assert_eq!(cuda.pool_statistics(0).unwrap().allocated, 3 * MIB);
}

#[test]
fn the_error_of_a_driver_older_than_pools_names_the_missing_function() {
    let (_fake, cuda) = loaded(&["cuMemPoolGetAttribute"]);
    cuda.initialise().unwrap();
    let error = cuda.pool_statistics(0).unwrap_err();
    assert!(matches!(error, CudaError::MissingSymbol("cuMemPoolGetAttribute")), "{error:?}");
}

#[test]
fn a_device_without_pools_is_an_error() {
    let (fake, cuda) = initialised();
    fake.set("fail cuDeviceGetMemPool", 801);
    let error = cuda.pool_statistics(0).unwrap_err();
    assert!(matches!(error, CudaError::NotSupported { call: "cuDeviceGetMemPool" }), "{error:?}");
}
