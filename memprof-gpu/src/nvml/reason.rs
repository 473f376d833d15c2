//! NVML's errors, converted to reasons why a counter is unavailable.

use crate::Unavailable;
use nvml_wrapper::error::{NvmlError, nvml_try};
use nvml_wrapper_sys::bindings::nvmlReturn_t;

/// Converts the error of a call to the reason why a counter is unavailable.
pub(super) fn of(error: &NvmlError) -> Unavailable {
    match error {
        NvmlError::NotSupported => Unavailable::NotSupported,
        NvmlError::NoPermission => Unavailable::NoPermission,
        NvmlError::FailedToLoadSymbol(_) | NvmlError::FunctionNotFound => {
            Unavailable::MissingSymbol
        }
        NvmlError::NotFound | NvmlError::NoData => Unavailable::NotReported,
        NvmlError::GpuLost | NvmlError::ResetRequired => Unavailable::Lost,
        NvmlError::UnexpectedVariant(code) => of_number(*code),
        error => Unavailable::Failed(error.to_string()),
    }
}

/// Converts the return code of a function that has no wrapper.
pub(super) fn of_code(code: nvmlReturn_t) -> Result<(), Unavailable> {
    nvml_try(code).map_err(|error| of(&error))
}

// Error codes that are newer than the wrapper.
const ARGUMENT_VERSION_MISMATCH: u32 = 25;
const NOT_READY: u32 = 27;
pub(super) const GPU_NOT_FOUND: u32 = 28;

fn of_number(code: u32) -> Unavailable {
    match code {
        ARGUMENT_VERSION_MISMATCH => {
            Unavailable::Failed("it has another version of this counter".into())
        }
        NOT_READY => Unavailable::Failed("not ready yet".into()),
        code => Unavailable::Failed(format!("NVML error {code}")),
    }
}
