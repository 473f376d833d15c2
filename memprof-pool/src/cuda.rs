//! Memory resources over the allocators of CUDA's driver, each call of which is one of the driver.

mod device;
mod pinned;
mod stream_ordered;

use crate::{Address, AllocationError, DeallocationError, Mark, Memory, Request, Stream, Streams};
pub use device::DeviceUpstream;
use memprof_gpu::cuda::{CudaError, CudaEvent, CudaStream, DeviceContext};
pub use pinned::PinnedUpstream;
pub use stream_ordered::StreamOrderedUpstream;

/// The constructors of an upstream, which is a context.
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
/// An address that is not aligned as requested goes back. The driver's documentation promises the
/// alignment, but the contract of resources should not depend on that.
fn allocated(
    memory: Memory,
    request: Request,
    allocate: impl FnOnce(usize) -> Result<u64, CudaError>,
    free: impl FnOnce(u64) -> Result<(), CudaError>,
) -> Result<Address, AllocationError> {
    request.check_alignment(Request::ALIGNMENT)?;
    let Ok(bytes) = usize::try_from(request.bytes) else {
        return Err(AllocationError::out_of(memory, request));
    };
    // Nothing has an address too, which the driver does not give.
    let address = match allocate(bytes.max(1)) {
        Ok(address) => address,
        Err(error) if error.is_out_of_memory() => {
            return Err(AllocationError::out_of(memory, request));
        }
        Err(error) => return Err(error.into()),
    };
    if address.is_multiple_of(request.alignment) {
        return Ok(Address(address));
    }
    free(address)?;
    Err(AllocationError::Alignment { request, largest: Request::ALIGNMENT })
}

/// Turns an error of the driver into a refusal with its number.
fn deallocated(address: Address, freed: Result<(), CudaError>) -> Result<(), DeallocationError> {
    freed.map_err(|error| DeallocationError::Refused(address, error.code()))
}

impl From<CudaStream> for Stream {
    fn from(stream: CudaStream) -> Self {
        Self(stream.0)
    }
}

impl From<Stream> for CudaStream {
    fn from(stream: Stream) -> Self {
        Self(stream.0)
    }
}

impl From<CudaError> for AllocationError {
    fn from(error: CudaError) -> Self {
        Self::Failed(Box::new(error))
    }
}

/// Marks are events of the driver. The context destroys the ones that were not released.
impl Streams for DeviceContext {
    fn mark(&self, stream: Stream) -> Result<Mark, AllocationError> {
        Ok(Mark(self.record_event(stream.into())?.0))
    }

    fn has_passed(&self, mark: &Mark) -> Result<bool, AllocationError> {
        Ok(self.has_passed_event(CudaEvent(mark.0))?)
    }

    fn wait(&self, stream: Stream, mark: &Mark) -> Result<(), AllocationError> {
        Ok(self.wait_for_event(stream.into(), CudaEvent(mark.0))?)
    }

    fn release(&self, mark: Mark) {
        self.destroy_event(CudaEvent(mark.0));
    }

    fn mark_again(&self, mark: Mark, stream: Stream) -> Result<Mark, AllocationError> {
        match self.record_event_again(CudaEvent(mark.0), stream.into()) {
            Ok(()) => Ok(mark),
            Err(error) => {
                self.release(mark);
                Err(error.into())
            }
        }
    }

    fn is_per_thread(&self, stream: Stream) -> bool {
        CudaStream::from(stream) == CudaStream::PER_THREAD
    }
}
