//! Memory resources over the driver's allocators, each call of which is one of the driver.

mod device;
mod pinned;
mod stream_ordered;

use super::functions::DeviceAddress;
use super::{CudaError, DeviceContext};
use crate::resource::{Address, AllocationError, DeallocationError, Memory, Request, Stream};
pub use device::DeviceUpstream;
pub use pinned::PinnedUpstream;
pub use stream_ordered::StreamOrderedUpstream;

/// How an upstream is made, which is a context and says itself how it allocates there.
macro_rules! in_context {
    ($upstream:ident: $memory:literal) => {
        impl $upstream {
            #[doc = concat!($memory, "; retains its primary context,")]
            /// which costs memory where there was none, until this is dropped.
            ///
            /// # Errors
            /// As [`DeviceContext::retain`].
            pub fn new(cuda: &Cuda, ordinal: u16) -> Result<Self, CudaError> {
                DeviceContext::retain(cuda, ordinal).map(|context| Self::in_context(&context))
            }

            /// The same in a context that is there, for the streams that it knows.
            pub fn in_context(context: &DeviceContext) -> Self {
                Self { context: context.clone() }
            }

            /// The context.
            pub fn context(&self) -> &DeviceContext {
                &self.context
            }
        }
    };
}
use in_context;

/// Memory for the request from one of the driver's allocators.
///
/// What is not aligned as requested is given back: the driver's documentation promises the alignment,
/// and the resources' contract should not hang on that.
fn allocated(
    context: &DeviceContext,
    memory: Memory,
    request: Request,
    allocate: impl FnOnce(usize) -> Result<DeviceAddress, CudaError>,
    free: impl FnOnce(DeviceAddress) -> Result<(), CudaError>,
) -> Result<Address, AllocationError> {
    let misaligned = AllocationError::Alignment { request, largest: Request::ALIGNMENT };
    if !request.alignment.is_power_of_two() || request.alignment > Request::ALIGNMENT {
        return Err(misaligned);
    }
    let out_of_memory = AllocationError::OutOfMemory {
        request,
        memory,
        largest_free: None,
        reserved: None,
        cached: None,
        limit: None,
    };
    let Ok(bytes) = usize::try_from(request.bytes) else {
        return Err(out_of_memory);
    };
    // Nothing has an address too, which the driver does not give.
    let address = match context.inside(|| allocate(bytes.max(1))) {
        Ok(address) => address,
        Err(CudaError::Driver { code: CudaError::OUT_OF_MEMORY, .. }) => return Err(out_of_memory),
        Err(error) => return Err(error.into()),
    };
    if (address as u64).is_multiple_of(request.alignment) {
        return Ok(Address(address as u64));
    }
    context.inside(|| free(address))?;
    Err(misaligned)
}

/// Gives memory back; a refusal of the driver with its number.
fn deallocated(
    context: &DeviceContext,
    address: Address,
    free: impl FnOnce(DeviceAddress) -> Result<(), CudaError>,
) -> Result<(), DeallocationError> {
    context
        .inside(|| free(address.0 as DeviceAddress))
        .map_err(|error| DeallocationError::Refused(address, error.code()))
}

/// Gives memory back once the stream is done, whose earlier work may still use it: for allocators
/// that know no order of streams.
fn deallocated_after(
    context: &DeviceContext,
    address: Address,
    stream: Stream,
    free: impl FnOnce(DeviceAddress) -> Result<(), CudaError>,
) -> Result<(), DeallocationError> {
    deallocated(context, address, |address| {
        context.synchronise(context.stream(stream)?)?;
        free(address)
    })
}
