//! Memory resources over the allocators of the CUDA driver. Each allocation makes one driver call.

mod device;
mod pinned;
mod stream_ordered;

use crate::{
    Address, AllocationError, DeallocationError, Memory, Request, Stream, StreamEvent, Streams,
};
pub use device::DeviceUpstream;
use memprof_gpu::cuda::{CudaError, CudaEvent, CudaStream, DeviceContext};
pub use pinned::PinnedUpstream;
pub use stream_ordered::StreamOrderedUpstream;

/// Defines the constructors of an upstream, which consists of a context.
macro_rules! in_context {
    ($upstream:ident: $memory:literal) => {
        impl $upstream {
            #[doc = concat!("Creates an upstream of ", $memory, ".")]
            ///
            /// The upstream retains the device's primary context until the upstream is dropped. A
            /// new context costs device memory.
            ///
            /// # Errors
            /// Returns the errors of [`DeviceContext::retain`].
            pub fn new(cuda: &Cuda, ordinal: u16) -> Result<Self, CudaError> {
                DeviceContext::retain(cuda, ordinal).map(|context| Self::in_context(&context))
            }

            /// Creates an upstream in an existing context, for the streams that are registered with
            /// the context.
            pub fn in_context(context: &DeviceContext) -> Self {
                Self { context: context.clone() }
            }

            /// Returns the context.
            pub fn context(&self) -> &DeviceContext {
                &self.context
            }
        }
    };
}
use in_context;

/// Allocates memory for the request by one of the driver's functions.
///
/// If the address is not aligned as requested, the memory is freed and the call returns an error.
/// The driver's documentation promises the alignment, but the contract of `MemoryResource` must not
/// depend on that.
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
    // A request for 0 bytes must return an address, but the driver refuses it.
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

/// Converts a driver error to `DeallocationError::Refused` with the error code.
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

/// A [`StreamEvent`] is a CUDA event. The context destroys the events that were not released.
impl Streams for DeviceContext {
    fn record(&self, stream: Stream) -> Result<StreamEvent, AllocationError> {
        Ok(StreamEvent(self.record_event(stream.into())?.0))
    }

    fn has_passed(&self, mark: &StreamEvent) -> Result<bool, AllocationError> {
        Ok(self.has_passed_event(CudaEvent(mark.0))?)
    }

    fn wait(&self, stream: Stream, mark: &StreamEvent) -> Result<(), AllocationError> {
        Ok(self.wait_for_event(stream.into(), CudaEvent(mark.0))?)
    }

    fn release(&self, mark: StreamEvent) {
        self.destroy_event(CudaEvent(mark.0));
    }

    fn record_again(
        &self,
        mark: StreamEvent,
        stream: Stream,
    ) -> Result<StreamEvent, AllocationError> {
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
