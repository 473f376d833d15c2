//! Arrays that Python owns and a value only views.

use memprof_profile::MemoryProfile;
use memprof_profile::tree::{Device, OpaqueReason};
use memprof_profile::walk::{Position, Storage, Tensor, Walk};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::cell::Cell;

mod dlpack;

/// The number of `base` attributes to follow from a view to the array with the memory.
const MAX_BASES: usize = 64;

/// An array or tensor of Python that a value views: a NumPy array, or any object that supports
/// DLPack, such as a tensor of PyTorch, JAX or CuPy.
///
/// A profile counts the memory of the array once, by its address, even if several values view it or
/// parts of it. The memory counts as shared, on the device of the array. It is always [externally
/// held](memprof_profile::report::SharingAnalysis), because it belongs to Python: a walk never
/// waits for the GIL to count Python's references. `sys.getsizeof` of the value does not include
/// the memory.
///
/// The address and size are read when the object is wrapped. A Python function may take a `Viewed` as
/// an argument.
///
/// ```
/// use memprof_python::Viewed;
/// use pyo3::prelude::*;
///
/// #[pyclass(frozen)]
/// struct Weights {
///     values: Viewed,
/// }
/// # use memprof_profile::{MemoryProfile, walk::{Position, Walk}};
/// # impl MemoryProfile for Weights {
/// #     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) { self.values.owned(walk, at) }
/// # }
///
/// #[pymethods]
/// impl Weights {
///     #[new]
///     fn new(values: Viewed) -> Self {
///         Self { values }
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Viewed {
    object: Py<PyAny>,
    array: Array,
}

/// The memory of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Array {
    /// `None` for a device that profiles have no name for.
    device: Option<Device>,
    /// The array's storage, which views share.
    address: usize,
    storage_bytes: usize,
    /// The bytes of this array's elements.
    bytes: usize,
    dtype: Box<str>,
    shape: Box<[usize]>,
}

impl Viewed {
    /// Wraps an array.
    ///
    /// # Errors
    /// Returns a `TypeError` for an object with neither `__array_interface__` nor `__dlpack__`, and
    /// the error of those functions.
    pub fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Some(array) =
            numpy(object)?.map_or_else(|| dlpack(object), |array| Ok(Some(array)))?
        {
            return Ok(Self { object: object.clone().unbind(), array });
        }
        let class = object.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "expected an array with `__array_interface__` or `__dlpack__`, not `{class}`"
        )))
    }

    /// Returns the wrapped object.
    pub fn object(&self) -> &Py<PyAny> {
        &self.object
    }
}

impl FromPyObject<'_, '_> for Viewed {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        Self::new(&object)
    }
}

impl MemoryProfile for Viewed {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let Array { device, address, storage_bytes, bytes, dtype, shape, .. } = &self.array;
        shape.owned(walk, at);
        dtype.owned(walk, at);
        if LEFT_OUT.get() {
            return;
        }
        let Some(device) = *device else {
            return walk.opaque(at, OpaqueReason::Foreign);
        };
        // An unknown number, because Python has handles that a walk cannot count.
        let storage = Storage { address: *address, bytes: *storage_bytes, handles: None };
        walk.tensor(at, &Tensor::new(device, dtype, shape, *bytes).storage(storage));
    }
}

thread_local! {
    /// True while a walk on this thread leaves out the memory that values only view.
    static LEFT_OUT: Cell<bool> = const { Cell::new(false) };
}

/// Walks without the memory that values only view. The walk must be on this thread.
pub(crate) fn left_out<R>(walk: impl FnOnce() -> R) -> R {
    /// Restores the flag even if the walk panics.
    struct Restore(bool);

    impl Drop for Restore {
        fn drop(&mut self) {
            LEFT_OUT.set(self.0);
        }
    }

    let _restore = Restore(LEFT_OUT.replace(true));
    walk()
}

/// Reads an array through `__array_interface__`, or returns `None` if it has none.
fn numpy(object: &Bound<'_, PyAny>) -> PyResult<Option<Array>> {
    let Some(mut array) = interface(object)? else { return Ok(None) };
    // The views share the memory of the last base.
    let mut owner = object.clone();
    for _ in 0..MAX_BASES {
        let Some(base) = base(&owner)? else { break };
        if let Some(storage) = interface(&base)?.or_else(|| buffer(&base)) {
            (array.address, array.storage_bytes) = (storage.address, storage.bytes);
        }
        owner = base;
    }
    Ok(Some(array))
}

/// Returns the object whose memory an array of NumPy views: an array, or another object such as
/// `bytes` or an `mmap`. Returns `None` if the array has memory of its own, and for other objects.
fn base<'py>(array: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !array.hasattr("__array_interface__")? {
        return Ok(None);
    }
    Ok(array.getattr_opt("base")?.filter(|base| !base.is_none()))
}

/// Returns an object with a buffer, such as `bytes`, as an array; `None` if it has no readable one.
fn buffer(object: &Bound<'_, PyAny>) -> Option<Array> {
    let numpy = object.py().import("numpy").ok()?;
    interface(&numpy.call_method1("frombuffer", (object, "u1")).ok()?).ok()?
}

/// Reads `__array_interface__`, as if the array had memory of its own.
fn interface(object: &Bound<'_, PyAny>) -> PyResult<Option<Array>> {
    let Some(interface) = object.getattr_opt("__array_interface__")? else { return Ok(None) };
    let bytes = object.getattr("nbytes")?.extract()?;
    Ok(Some(Array {
        device: Some(Device::Cpu),
        address: interface.get_item("data")?.get_item(0)?.extract()?,
        storage_bytes: bytes,
        bytes,
        dtype: interface.get_item("typestr")?.extract::<String>()?.into(),
        shape: interface.get_item("shape")?.extract::<Vec<usize>>()?.into(),
    }))
}

/// Reads a tensor through `__dlpack__`, or returns `None` if it has none.
fn dlpack(object: &Bound<'_, PyAny>) -> PyResult<Option<Array>> {
    let Some(device) = object.getattr_opt("__dlpack_device__")? else { return Ok(None) };
    let (kind, number): (i64, i64) = device.call0()?.extract()?;
    // PyTorch exports no tensor that requires a gradient. The detached tensor has the same memory.
    let requires_grad = match object.getattr_opt("requires_grad")? {
        Some(requires_grad) => requires_grad.is_truthy()?,
        None => false,
    };
    let detached;
    let exported = if requires_grad {
        detached = object.call_method0("detach")?;
        &detached
    } else {
        object
    };
    // The capsule is not consumed, so its destructor releases the tensor.
    let capsule = exported.call_method0("__dlpack__")?.cast_into::<PyCapsule>()?;
    let Some(mut array) = dlpack::read(&capsule)? else {
        return Err(PyValueError::new_err("the DLPack capsule has an unknown name or shape"));
    };
    array.device = dlpack::device(kind, number);
    if let Some(storage) = storage(object)? {
        (array.address, array.storage_bytes) = storage;
    }
    Ok(Some(array))
}

/// Returns the address and bytes of the storage that a tensor of PyTorch shares with its views.
fn storage(object: &Bound<'_, PyAny>) -> PyResult<Option<(usize, usize)>> {
    let Some(storage) = object.getattr_opt("untyped_storage")? else { return Ok(None) };
    let storage = storage.call0()?;
    let address = storage.call_method0("data_ptr")?.extract()?;
    let bytes = storage.call_method0("nbytes")?.extract()?;
    Ok(Some((address, bytes)))
}
