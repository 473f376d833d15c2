//! The reader of DLPack capsules: <https://dmlc.github.io/dlpack/latest/c_api.html>.

#![expect(unsafe_code, reason = "a capsule holds a pointer to a C structure")]

use memprof_profile::tree::Device;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use std::ffi::{CStr, c_void};
use std::slice;

/// A tensor as a capsule describes it.
#[derive(Debug)]
pub(super) struct Described {
    pub(super) address: usize,
    pub(super) bytes: usize,
    pub(super) dtype: String,
    pub(super) shape: Vec<usize>,
}

/// The name of a capsule that was not consumed.
const NAME: &CStr = c"dltensor";
/// The maximum number of dimensions, which is more than any framework has.
const MAX_DIMENSIONS: usize = 64;

/// `DLTensor`, the first field of `DLManagedTensor`.
#[repr(C)]
struct DlTensor {
    data: *mut c_void,
    device_kind: i32,
    device_number: i32,
    dimensions: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

/// Reads the tensor of a capsule. Returns `None` if the capsule has another name or the tensor has
/// no valid shape.
pub(super) fn read(capsule: &Bound<'_, PyCapsule>) -> PyResult<Option<Described>> {
    if !capsule.is_valid_checked(Some(NAME)) {
        return Ok(None);
    }
    let pointer = capsule.pointer_checked(Some(NAME))?.cast::<DlTensor>();
    // SAFETY: the DLPack protocol states that a capsule of this name points to a `DLManagedTensor`,
    // which begins with a `DLTensor`. The capsule is alive until the function returns.
    let tensor = unsafe { pointer.as_ref() };
    let dimensions = usize::try_from(tensor.dimensions).ok();
    let Some(dimensions) = dimensions.filter(|&dimensions| dimensions <= MAX_DIMENSIONS) else {
        return Ok(None);
    };
    let shape: &[i64] = if dimensions == 0 {
        &[]
    } else if tensor.shape.is_null() {
        return Ok(None);
    } else {
        // SAFETY: `shape` points to one number for each dimension.
        unsafe { slice::from_raw_parts(tensor.shape, dimensions) }
    };
    let Ok(shape) =
        shape.iter().map(|&length| usize::try_from(length)).collect::<Result<Vec<_>, _>>()
    else {
        return Ok(None);
    };
    let bits = usize::from(tensor.bits) * usize::from(tensor.lanes);
    let elements = shape.iter().try_fold(1_usize, |product, &length| product.checked_mul(length));
    let bytes =
        elements.and_then(|elements| elements.checked_mul(bits)).map(|bits| bits.div_ceil(8));
    let Some(bytes) = bytes else { return Ok(None) };
    let offset = usize::try_from(tensor.byte_offset).unwrap_or(0);
    let address = tensor.data.addr().wrapping_add(offset);
    Ok(Some(Described { address, bytes, dtype: dtype(tensor.code, tensor.bits), shape }))
}

/// Returns the name of a type of elements.
fn dtype(code: u8, bits: u8) -> String {
    match code {
        0 => format!("i{bits}"),
        1 => format!("u{bits}"),
        2 => format!("f{bits}"),
        4 => format!("bf{bits}"),
        5 => format!("c{bits}"),
        6 => "bool".to_owned(),
        other => format!("dlpack{other}:{bits}"),
    }
}

/// Returns the memory that `__dlpack_device__` names, or `None` for a device that profiles have no
/// name for.
pub(super) fn device(kind: i64, number: i64) -> Option<Device> {
    let number = u16::try_from(number).ok()?;
    match kind {
        // Memory of the host, pinned memory too.
        1 | 3 | 11 => Some(Device::Cpu),
        // CUDA moves managed memory between host and device. It counts as device memory.
        2 | 13 => Some(Device::Cuda(number)),
        8 => Some(Device::Metal(number)),
        _ => None,
    }
}
