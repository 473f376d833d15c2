//! Tests of the public interface of memory resources. They need no GPU.

#![expect(unsafe_code, reason = "the tests free only memory that nothing uses")]

#[path = "../../benches/workload/mod.rs"]
mod workload;

mod adaptors;
mod advice;
mod buffers;
mod limits;
mod places;
mod pool;
mod pressure;
mod release;
#[cfg(feature = "session")]
mod session;
mod threads;
mod timeline;
mod torch;
mod upstreams;

use memprof_pool::{Address, DeallocationError, MemoryResource, Request};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// Frees memory that nothing uses, in a resource that checks the rest.
#[track_caller]
fn free(
    resource: &impl MemoryResource,
    address: Address,
    request: Request,
) -> Result<(), DeallocationError> {
    // SAFETY: no test uses memory that it frees.
    unsafe { resource.deallocate(address, request) }
}

/// Allocates `bytes` bytes.
#[track_caller]
fn allocate(resource: &impl MemoryResource, bytes: u64) -> Address {
    resource.allocate(Request::new(bytes)).expect("there is room")
}
