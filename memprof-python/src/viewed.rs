//! Arrays that Python owns and a value only views.

use memprof_profile::MemoryProfile;
use memprof_profile::tree::{Device, OpaqueReason};
use memprof_profile::walk::{Position, Storage, Tensor, Walk};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use references::References;
use std::sync::Arc;

mod dlpack;
mod references;

pub(crate) use references::{left_out, with_references};

/// The number of `base` attributes to follow from a view to the array with the memory.
const MAX_BASES: usize = 64;

/// An array or tensor of Python that a value views: a NumPy array, or any object that supports
/// DLPack, such as a tensor of PyTorch, JAX or CuPy.
///
/// A profile counts the memory of the array once, by its address, even if several values view it or
/// parts of it. The memory counts as shared, on the device of the array. The memory is [externally
/// held](memprof_profile::report::SharingAnalysis) while Python has other references to the array.
/// `sys.getsizeof` of the value leaves the memory out.
///
/// The method `memory_profile` counts these references. A walk never waits for the GIL, because it may
/// hold a lock of the program for which a Python thread waits. So any other walk assumes that Python has
/// one more reference.
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
    references: Arc<References>,
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
        let (array, has_base) = if let Some(array) = numpy(object)? {
            (array, true)
        } else if let Some(array) = dlpack(object)? {
            (array, false)
        } else {
            let class = object.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "expected an array with `__array_interface__` or `__dlpack__`, not `{class}`"
            )));
        };
        let references = References::new(object, array.address, has_base);
        Ok(Self { references: Arc::new(references), array })
    }

    /// Returns the wrapped object.
    pub fn object(&self) -> &Py<PyAny> {
        self.references.object()
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
        self.references.owned(walk, at);
        let Some(handles) = self.references.met() else { return };
        let Some(device) = *device else {
            return walk.opaque(at, OpaqueReason::Foreign);
        };
        let handles = Some(handles);
        let storage = Storage { address: *address, bytes: *storage_bytes, handles };
        walk.tensor(at, &Tensor::new(device, dtype, shape, *bytes).storage(storage));
    }
}

/// Reads an array through `__array_interface__`, or returns `None` if it has none.
fn numpy(object: &Bound<'_, PyAny>) -> PyResult<Option<Array>> {
    let Some((address, bytes, dtype, shape)) = interface(object)? else { return Ok(None) };
    // The memory that the views share.
    let mut storage = (address, bytes);
    let mut owner = object.clone();
    for _ in 0..MAX_BASES {
        let Some(base) = base(&owner)? else { break };
        match interface(&base)? {
            Some((address, bytes, ..)) => storage = (address, bytes),
            None => storage = buffer(&base).unwrap_or(storage),
        }
        owner = base;
    }
    let (address, storage_bytes) = storage;
    let device = Some(Device::Cpu);
    Ok(Some(Array { device, address, storage_bytes, bytes, dtype, shape }))
}

/// Returns the object whose memory an array of NumPy views: an array, or another object such as
/// `bytes` or an `mmap`. Returns `None` if the array has memory of its own, and for other objects.
fn base<'py>(array: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !array.hasattr("__array_interface__")? {
        return Ok(None);
    }
    Ok(array.getattr_opt("base")?.filter(|base| !base.is_none()))
}

/// Returns the address and the bytes of an object with a buffer, such as `bytes`; `None` if it has no
/// readable one.
fn buffer(object: &Bound<'_, PyAny>) -> Option<(usize, usize)> {
    let numpy = object.py().import("numpy").ok()?;
    let whole = numpy.call_method1("frombuffer", (object, "u1")).ok()?;
    let (address, bytes, ..) = interface(&whole).ok()??;
    Some((address, bytes))
}

/// The address, the bytes, the type of the elements and the shape.
type Interface = (usize, usize, Box<str>, Box<[usize]>);

fn interface(object: &Bound<'_, PyAny>) -> PyResult<Option<Interface>> {
    let Some(interface) = object.getattr_opt("__array_interface__")? else { return Ok(None) };
    let data = interface.get_item("data")?;
    let address: usize = data.get_item(0)?.extract()?;
    let shape: Vec<usize> = interface.get_item("shape")?.extract()?;
    let bytes: usize = object.getattr("nbytes")?.extract()?;
    let dtype: String = interface.get_item("typestr")?.extract()?;
    Ok(Some((address, bytes, dtype.into(), shape.into())))
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
    let Some(tensor) = dlpack::read(&capsule)? else {
        return Err(PyValueError::new_err("the DLPack capsule has an unknown name or shape"));
    };
    let storage = storage(object)?.unwrap_or((tensor.address, tensor.bytes));
    Ok(Some(Array {
        device: dlpack::device(kind, number),
        address: storage.0,
        storage_bytes: storage.1,
        bytes: tensor.bytes,
        dtype: tensor.dtype.into(),
        shape: tensor.shape.into(),
    }))
}

/// Returns the address and bytes of the storage that a tensor of PyTorch shares with its views.
fn storage(object: &Bound<'_, PyAny>) -> PyResult<Option<(usize, usize)>> {
    let Some(storage) = object.getattr_opt("untyped_storage")? else { return Ok(None) };
    let storage = storage.call0()?;
    let address = storage.call_method0("data_ptr")?.extract()?;
    let bytes = storage.call_method0("nbytes")?.extract()?;
    Ok(Some((address, bytes)))
}
