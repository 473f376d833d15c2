//! The errors of the CUDA driver. Their texts include the next step.

use core::fmt;
use memprof_profile::text::WithCauses;
use std::error::Error;

/// The reason why the CUDA driver was not loaded, or why a call failed.
#[non_exhaustive]
pub enum CudaError {
    /// The driver's library can't be loaded.
    Absent {
        /// The name that was tried first.
        library: String,
        /// The error of the system's loader.
        cause: Box<dyn Error + Send + Sync>,
    },
    /// The process has not loaded the driver, or this system can't report a loaded library.
    NotLoaded,
    /// The driver lacks a function, usually because it is too old.
    MissingSymbol(&'static str),
    /// CUDA is not initialised in this process.
    NotInitialised,
    /// The driver found no device that is visible to this process.
    NoDevice,
    /// No device has this number.
    NoSuchDevice {
        /// The requested number.
        ordinal: u16,
    },
    /// No context is current on this thread.
    NoContext,
    /// The stream is not registered with the context: see
    /// [`DeviceContext::adopt_stream`](super::DeviceContext::adopt_stream).
    UnknownStream(u64),
    /// A graph captures the stream, or a stream with which the legacy default stream synchronises.
    /// The call would end the capture.
    StreamIsCapturing(u64),
    /// The event belongs to another context.
    UnknownEvent(u64),
    /// The work between two events of a timer is not done yet.
    NotReady,
    /// The device passed the second of two events of a timer before the first.
    EventsSwapped,
    /// The device or its driver does not support the call.
    NotSupported {
        /// The unsupported function.
        call: &'static str,
    },
    /// The driver returned another error.
    Driver {
        /// The function that failed.
        call: &'static str,
        /// The error's number.
        code: i32,
        /// The error's name. `None` if the driver has no name for it.
        name: Option<String>,
    },
}

impl CudaError {
    /// The driver's codes for the errors that have their own variant or method.
    const OUT_OF_MEMORY: i32 = 2;
    pub(super) const NOT_INITIALISED: i32 = 3;
    pub(super) const NO_DEVICE: i32 = 100;
    pub(super) const INVALID_DEVICE: i32 = 101;
    pub(super) const INVALID_CONTEXT: i32 = 201;
    pub(super) const INVALID_HANDLE: i32 = 400;
    pub(super) const NOT_READY: i32 = 600;
    pub(super) const NOT_SUPPORTED: i32 = 801;
    const CAPTURE_UNSUPPORTED: i32 = 900;
    pub(super) const CAPTURE_IMPLICIT: i32 = 906;
    pub(super) const UNKNOWN: i32 = 999;

    /// Returns `true` if no CUDA driver or device is available, so a program can continue without
    /// CUDA.
    ///
    /// ```
    /// use memprof::gpu::cuda::Cuda;
    ///
    /// match Cuda::load() {
    ///     Ok(cuda) => println!("a driver of CUDA {}", cuda.driver_version()?),
    ///     Err(error) if error.is_absence() => println!("without CUDA: {error}"),
    ///     Err(error) => return Err(error.into()),
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_absence(&self) -> bool {
        matches!(self, Self::Absent { .. } | Self::NotLoaded | Self::NoDevice)
    }

    /// Returns `true` if the device, or the host for pinned memory, has too little free memory.
    pub fn is_out_of_memory(&self) -> bool {
        matches!(self, Self::Driver { code: Self::OUT_OF_MEMORY, .. })
    }

    /// Returns the driver's code for this error, or `CUDA_ERROR_UNKNOWN` if the driver has none.
    pub fn code(&self) -> i32 {
        match self {
            Self::NotInitialised => Self::NOT_INITIALISED,
            Self::NoDevice => Self::NO_DEVICE,
            Self::NoSuchDevice { .. } => Self::INVALID_DEVICE,
            Self::NoContext => Self::INVALID_CONTEXT,
            Self::UnknownStream(_) | Self::UnknownEvent(_) => Self::INVALID_HANDLE,
            Self::StreamIsCapturing(_) => Self::CAPTURE_UNSUPPORTED,
            Self::NotReady => Self::NOT_READY,
            Self::NotSupported { .. } => Self::NOT_SUPPORTED,
            Self::Driver { code, .. } => *code,
            _ => Self::UNKNOWN,
        }
    }
}

impl fmt::Display for CudaError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent { library, .. } => {
                write!(
                    out,
                    "no CUDA driver: cannot load {library}, which is part of NVIDIA's driver"
                )
            }
            Self::NotLoaded => out.write_str(
                "no CUDA driver is loaded in this process: attach after the program's first use of \
                 CUDA, or load it",
            ),
            Self::MissingSymbol(name) => {
                write!(out, "the CUDA driver has no function `{name}`; update the driver")
            }
            Self::NotInitialised => out.write_str(
                "CUDA is not initialised in this process: call `Cuda::initialise` first, after any \
                 fork",
            ),
            Self::NoDevice => out.write_str(
                "the CUDA driver found no device; check `nvidia-smi -L` and CUDA_VISIBLE_DEVICES",
            ),
            Self::NoSuchDevice { ordinal } => write!(
                out,
                "no device cuda:{ordinal}; the number must be below the number of devices"
            ),
            Self::NoContext => out.write_str(
                "no CUDA context is current on this thread: make one current, or read through \
                 NVML, which needs none",
            ),
            Self::UnknownStream(stream) => {
                write!(out, "unknown stream {stream:#x}: adopt it before use")
            }
            Self::StreamIsCapturing(stream) => write!(
                out,
                "a graph capture of stream {stream:#x} is active: make this call before the capture \
                 begins, or after it ends"
            ),
            Self::UnknownEvent(event) => {
                write!(out, "event {event:#x} belongs to another context")
            }
            Self::NotReady => out.write_str("the work is not done yet: synchronise first"),
            Self::EventsSwapped => {
                out.write_str("the second event was recorded before the first: swap the two")
            }
            Self::NotSupported { call } => {
                write!(out, "the device or its driver does not support `{call}`")
            }
            Self::Driver { call, code, name: Some(name) } => {
                write!(out, "`{call}` of the CUDA driver failed: {name} ({code})")
            }
            Self::Driver { call, code, name: None } => {
                write!(out, "`{call}` of the CUDA driver failed: error {code}")
            }
        }
    }
}

/// Prints the text of `Display` and the causes, because `main` and `unwrap` print this form.
impl fmt::Debug for CudaError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&WithCauses(self), out)
    }
}

impl Error for CudaError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Absent { cause, .. } => Some(cause.as_ref()),
            _ => None,
        }
    }
}
