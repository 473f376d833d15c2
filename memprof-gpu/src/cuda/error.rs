//! Why CUDA's driver does not answer, and what to do about it.

use core::fmt;
use std::error::Error;

/// Why CUDA's driver was not loaded, or did not do what it was asked.
#[non_exhaustive]
pub enum CudaError {
    /// No library of the driver can be loaded.
    Absent {
        /// What was looked for first.
        library: String,
        /// What the system's loader says.
        cause: Box<dyn Error + Send + Sync>,
    },
    /// The process has not loaded the driver, or it can't be told here whether it has.
    NotLoaded,
    /// The driver lacks a function, mostly as it is older than that.
    MissingSymbol(&'static str),
    /// Nobody has initialised CUDA in this process.
    NotInitialised,
    /// The driver finds no device, or none that this process may see.
    NoDevice,
    /// There are fewer devices than that.
    NoSuchDevice {
        /// The number that was asked for.
        ordinal: u16,
    },
    /// No context is current on this thread.
    NoContext,
    /// The stream is not known to be one of the device: see
    /// [`DeviceContext::adopt_stream`](super::DeviceContext::adopt_stream).
    UnknownStream(u64),
    /// The context has no such event, or destroyed it.
    UnknownMark(u64),
    /// The work between two marks of a timer is not done yet.
    NotReady,
    /// The second of two marks of a timer was passed before the first.
    MarksSwapped,
    /// The device or its driver has no such thing.
    NotSupported {
        /// The function that said so.
        call: &'static str,
    },
    /// The driver failed otherwise.
    Driver {
        /// The function that failed.
        call: &'static str,
        /// The error's number.
        code: i32,
        /// The error's name; `None` if the driver has none for it.
        name: Option<String>,
    },
}

impl CudaError {
    /// The numbers that the driver gives to errors which are more than a number here.
    const OUT_OF_MEMORY: i32 = 2;
    pub(super) const NOT_INITIALISED: i32 = 3;
    pub(super) const NO_DEVICE: i32 = 100;
    pub(super) const INVALID_DEVICE: i32 = 101;
    pub(super) const INVALID_CONTEXT: i32 = 201;
    pub(super) const INVALID_HANDLE: i32 = 400;
    pub(super) const NOT_READY: i32 = 600;
    pub(super) const NOT_SUPPORTED: i32 = 801;
    pub(super) const UNKNOWN: i32 = 999;

    /// Whether it says that there is no CUDA here at all, so that a program goes on without.
    ///
    /// ```
    /// use memprof_gpu::cuda::Cuda;
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

    /// Returns `true` if the device, or the host for pinned memory, has not enough memory.
    pub fn is_out_of_memory(&self) -> bool {
        matches!(self, Self::Driver { code: Self::OUT_OF_MEMORY, .. })
    }

    /// The driver's number for it, or that of an unknown error where the driver was not reached.
    pub fn code(&self) -> i32 {
        match self {
            Self::NotInitialised => Self::NOT_INITIALISED,
            Self::NoDevice => Self::NO_DEVICE,
            Self::NoSuchDevice { .. } => Self::INVALID_DEVICE,
            Self::NoContext => Self::INVALID_CONTEXT,
            Self::UnknownStream(_) | Self::UnknownMark(_) => Self::INVALID_HANDLE,
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
                    "no CUDA driver: {library}, which NVIDIA's driver brings, can't be loaded"
                )
            }
            Self::NotLoaded => out.write_str(
                "no CUDA driver is loaded in this process: attach after the program's first use of \
                 CUDA, or load it",
            ),
            Self::MissingSymbol(name) => {
                write!(out, "the CUDA driver has no function `{name}`: a newer driver may have it")
            }
            Self::NotInitialised => out.write_str(
                "CUDA is not initialised in this process: call `Cuda::initialise` first, after any \
                 fork",
            ),
            Self::NoDevice => out.write_str(
                "the CUDA driver finds no device: expected one in `nvidia-smi -L` that \
                 CUDA_VISIBLE_DEVICES does not hide",
            ),
            Self::NoSuchDevice { ordinal } => write!(
                out,
                "there is no device cuda:{ordinal}: expected a number below that of the devices"
            ),
            Self::NoContext => out.write_str(
                "no CUDA context is current on this thread: make one current, or ask NVML, which \
                 needs none",
            ),
            Self::UnknownStream(stream) => {
                write!(out, "{stream:#x} is no stream known here: adopt it before it is used")
            }
            Self::UnknownMark(mark) => {
                write!(out, "{mark:#x} is no mark of this context that was not released")
            }
            Self::NotReady => out.write_str("the work is not done yet: synchronise first"),
            Self::MarksSwapped => {
                out.write_str("the second mark came before the first: swap the two")
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

/// The same text as `Display`, which is what `main` and `unwrap` print.
impl fmt::Debug for CudaError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
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
