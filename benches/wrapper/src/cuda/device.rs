//! The CUDA device, if there is one, and its description.

#![expect(unsafe_code, reason = "the driver's own functions")]

use super::error::CudaError;
use crate::environment::Environment;
use cudarc::cublas::CudaBlas;
use cudarc::driver::sys::{CUmemPool_attribute, CUmemoryPool};
use cudarc::driver::{CudaContext, CudaStream, result, sys};
use std::sync::Arc;

/// The oldest supported version. The bindings contain functions of this version, and panic if one
/// is missing.
const MIN_CUDA: i32 = 12_080;

/// A CUDA device with a stream.
#[derive(Clone, Debug)]
pub struct CudaDevice {
    pub(super) number: u16,
    pub(super) stream: Arc<CudaStream>,
    /// The library that multiplies matrices, or the reason why it is missing.
    pub(super) blas: Result<Arc<CudaBlas>, String>,
    cuda: i32,
}

impl CudaDevice {
    /// Opens the device with this number for measurements. The device's pool keeps freed memory,
    /// and event tracking is off, so that neither adds to a measurement.
    ///
    /// # Errors
    /// Returns the reason in words if the device cannot be opened.
    pub fn open(number: u16) -> Result<Self, String> {
        // SAFETY: the call loads the library if it exists, and NVIDIA guarantees that its
        // initializers are sound.
        if !unsafe { sys::is_culib_present() } {
            return Err("no CUDA driver was found".to_owned());
        }
        let cuda = driver_version().map_err(|error| message(&error))?;
        if cuda < MIN_CUDA {
            let (found, least) = (version(cuda), version(MIN_CUDA));
            return Err(format!("the driver knows CUDA {found}: expected {least} or newer"));
        }
        let context = CudaContext::new(number.into()).map_err(|error| message(&error.into()))?;
        // SAFETY: all work goes into one stream, which keeps its order without events.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().map_err(|error| message(&error.into()))?;
        keep_freed_memory(&context).map_err(|error| message(&error))?;
        let blas = blas(&stream);
        Ok(Self { number, stream, blas, cuda })
    }

    /// Returns the reason why matrices cannot be multiplied, if they cannot.
    pub fn lacks_blas(&self) -> Option<&str> {
        self.blas.as_ref().err().map(String::as_str)
    }

    /// Adds the known properties of the device.
    pub fn describe(&self, environment: &mut Environment) {
        let context = self.stream.context();
        environment.gpu = context.name().ok();
        environment.cuda = Some(version(self.cuda));
        environment.driver = std::fs::read_to_string("/proc/driver/nvidia/version")
            .ok()
            .and_then(|text| driver_of(&text));
        let threshold = release_threshold(context).map_or_else(
            |error| format!("release threshold unknown: {}", message(&error)),
            |bytes| match bytes {
                u64::MAX => "release threshold without limit".to_owned(),
                bytes => format!("release threshold {bytes} bytes"),
            },
        );
        environment.memory =
            Some(format!("event tracking off, {threshold}, copies from pageable memory"));
    }
}

fn blas(stream: &Arc<CudaStream>) -> Result<Arc<CudaBlas>, String> {
    // SAFETY: the call loads the library if it exists, and NVIDIA guarantees that its initializers
    // are sound.
    if !unsafe { cudarc::cublas::sys::is_culib_present() } {
        return Err("cuBLAS was not found".to_owned());
    }
    let blas = CudaBlas::new(Arc::clone(stream));
    blas.map(Arc::new).map_err(|error| message(&error.into()))
}

fn driver_version() -> Result<i32, CudaError> {
    let mut version = 0;
    // SAFETY: the number lives until the call returns.
    let result = unsafe { sys::cuDriverGetVersion(&raw mut version) };
    result.result()?;
    Ok(version)
}

/// Makes freed memory stay in the pool. By default, each synchronization returns it to the system.
fn keep_freed_memory(context: &CudaContext) -> Result<(), CudaError> {
    let pool = pool(context)?;
    let threshold = u64::MAX;
    let attribute = CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
    // SAFETY: the pool belongs to the device, and the attribute is a 64-bit number, as passed.
    unsafe {
        result::mem_pool::set_attribute(pool, attribute, (&raw const threshold).cast_mut().cast())
    }?;
    Ok(())
}

fn release_threshold(context: &CudaContext) -> Result<u64, CudaError> {
    let pool = pool(context)?;
    let mut threshold = 0_u64;
    let attribute = CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
    // SAFETY: the pool belongs to the device, and the attribute is a 64-bit number, as passed.
    unsafe { result::mem_pool::get_attribute(pool, attribute, (&raw mut threshold).cast()) }?;
    Ok(threshold)
}

fn pool(context: &CudaContext) -> Result<CUmemoryPool, CudaError> {
    // SAFETY: the context's device exists as long as the context does.
    Ok(unsafe { result::device::get_default_mem_pool(context.cu_device()) }?)
}

/// Formats the driver's version number: `13.0` for 13000.
fn version(number: i32) -> String {
    format!("{}.{}", number / 1000, number % 1000 / 10)
}

/// Returns the version in the kernel module's description of itself.
fn driver_of(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.contains("NVRM"))?;
    let is_version = |word: &&str| {
        word.contains('.') && word.chars().all(|letter| letter == '.' || letter.is_ascii_digit())
    };
    line.split_whitespace().find(is_version).map(str::to_owned)
}

/// Formats an error and its cause.
fn message(error: &CudaError) -> String {
    use core::error::Error;
    match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{driver_of, version};

    #[test]
    fn versions_have_the_usual_format() {
        assert_eq!([version(13_000), version(12_080)], ["13.0", "12.8"]);
        let module =
            "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.03  Tue\nGCC version: 12.2";
        assert_eq!(driver_of(module).as_deref(), Some("580.159.03"));
        let open = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release";
        assert_eq!(driver_of(open).as_deref(), Some("570.86.15"));
        assert_eq!(driver_of("something else 1.2"), None);
    }
}
