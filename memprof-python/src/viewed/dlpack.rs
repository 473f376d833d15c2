//! The reader of DLPack capsules: <https://dmlc.github.io/dlpack/latest/c_api.html>.

#![expect(unsafe_code, reason = "a capsule holds a pointer to a C structure")]

use super::Array;
use memprof_profile::tree::Device;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use std::ffi::{CStr, c_void};
use std::slice;

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

/// Reads the tensor of a capsule, as if it had memory of its own on an unknown device. Returns `None`
/// if the capsule has another name or the tensor has no valid shape.
pub(super) fn read(capsule: &Bound<'_, PyCapsule>) -> PyResult<Option<Array>> {
    if !capsule.is_valid_checked(Some(NAME)) {
        return Ok(None);
    }
    let pointer = capsule.pointer_checked(Some(NAME))?.cast::<DlTensor>();
    // SAFETY: the DLPack protocol states that a capsule of this name points to a `DLManagedTensor`,
    // which begins with a `DLTensor`. The capsule is alive until the function returns.
    let tensor = unsafe { pointer.as_ref() };
    // SAFETY: as above, the protocol states what the tensor's shape points to.
    Ok(unsafe { array(tensor) })
}

/// # Safety
/// `shape` is null, or points to one number for each dimension.
unsafe fn array(tensor: &DlTensor) -> Option<Array> {
    let dimensions = usize::try_from(tensor.dimensions).ok()?;
    let shape: &[i64] = match dimensions {
        0 => &[],
        _ if tensor.shape.is_null() || dimensions > MAX_DIMENSIONS => return None,
        // SAFETY: the caller promises that there is one number for each dimension.
        _ => unsafe { slice::from_raw_parts(tensor.shape, dimensions) },
    };
    let shape = shape.iter().map(|&length| usize::try_from(length).ok());
    let shape = shape.collect::<Option<Box<[usize]>>>()?;
    let bits = usize::from(tensor.bits) * usize::from(tensor.lanes);
    let bits = shape.iter().try_fold(bits, |product, &length| product.checked_mul(length))?;
    let offset = usize::try_from(tensor.byte_offset).unwrap_or(0);
    Some(Array {
        device: None,
        address: tensor.data.addr().wrapping_add(offset),
        storage_bytes: bits.div_ceil(8),
        bytes: bits.div_ceil(8),
        dtype: dtype(tensor.code, tensor.bits).into(),
        shape,
    })
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
