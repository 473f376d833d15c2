//! The methods that [`profile_methods!`](crate::profile_methods) adds to a class.

use crate::{PyMemoryProfile, viewed};
use memprof_profile::{MemoryProfile, Profile, total_bytes};
use pyo3::PyClass;
use pyo3::prelude::*;

/// Adds the methods `memory_profile` and `__sizeof__` to a class.
///
/// The class needs an impl of `MemoryProfile`, which `#[derive(memprof::MemoryProfile)]` writes, and
/// `Sync`, which every `#[pyclass]` without `unsendable` has.
///
/// - `memory_profile(name=None)` returns a [`PyMemoryProfile`]. Its root has the name of the class
///   unless the caller gives another one.
/// - `__sizeof__()` returns the bytes of the Python object and everything that the value owns. So
///   `sys.getsizeof` and the libraries that use it get the right size. Arrays that the value only
///   [views](crate::Viewed) are not included, because they are objects of their own in Python.
///
/// A value that [views](crate::Viewed) arrays is walked twice: references of Python to the arrays are
/// counted between the walks.
///
/// Both methods release the GIL during the walk and borrow the value like a method with `&self`. If
/// the class is not `frozen`, another thread may call a method with `&mut self` during the walk.
/// That call raises `Already borrowed`.
#[macro_export]
macro_rules! profile_methods {
    ($class:ty) => {
        #[::pyo3::pymethods]
        impl $class {
            /// Returns the memory that the value owns, as a tree of names.
            ///
            /// The root of the tree has this name, or the name of the class.
            #[pyo3(signature = (name = None))]
            fn memory_profile(
                slf: &::pyo3::Bound<'_, Self>,
                name: ::core::option::Option<&str>,
            ) -> ::pyo3::PyResult<$crate::PyMemoryProfile> {
                $crate::profile_of(slf, name)
            }

            /// Returns the bytes of the object and of everything that the value owns.
            fn __sizeof__(slf: &::pyo3::Bound<'_, Self>) -> ::pyo3::PyResult<usize> {
                $crate::size_of(slf)
            }
        }
    };
}

/// Profiles the value of an object.
///
/// # Errors
/// Returns an error if the value is mutably borrowed.
pub fn profile_of<T: PyClass + MemoryProfile + Sync>(
    object: &Bound<'_, T>,
    name: Option<&str>,
) -> PyResult<PyMemoryProfile> {
    let class;
    let name = if let Some(name) = name {
        name
    } else {
        class = object.as_any().get_type().name()?.extract::<String>()?;
        &class
    };
    let guard = object.try_borrow()?;
    let value: &T = &guard;
    let profile = viewed::with_references(object.py(), || Profile::named(name, value));
    Ok(PyMemoryProfile::from(profile))
}

/// Returns the bytes of an object and of everything that its value owns.
///
/// # Errors
/// Returns an error if the value is mutably borrowed.
pub fn size_of<T: PyClass + MemoryProfile + Sync>(object: &Bound<'_, T>) -> PyResult<usize> {
    let py = object.py();
    // The object's own bytes contain the value's inline bytes.
    let inline =
        py.get_type::<PyAny>().call_method1("__sizeof__", (object,))?.extract::<usize>()?;
    let guard = object.try_borrow()?;
    let value: &T = &guard;
    let total = py.detach(|| viewed::left_out(|| total_bytes(value)));
    let total = usize::try_from(total).unwrap_or(usize::MAX);
    Ok(inline.saturating_add(total.saturating_sub(size_of_val(value))))
}
