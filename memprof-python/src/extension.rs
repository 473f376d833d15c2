//! What an extension calls: the methods for its classes, and the names in its module.

use crate::viewed::left_out;
use crate::{PyMemoryProfile, PyProfileDiff, PyRecommendation, PyReport};
use memprof_profile::{MemoryProfile, Profile, total_bytes};
use pyo3::PyClass;
use pyo3::prelude::*;

/// Adds the methods `memory_profile` and `__sizeof__` to a class.
///
/// The class needs an impl of `MemoryProfile`, which `#[derive(memprof::MemoryProfile)]` writes,
/// and `Sync`, which every `#[pyclass]` without `unsendable` implements.
///
/// - `memory_profile(name=None)` returns a [`PyMemoryProfile`]. Its root is named after the class,
///   unless the caller passes another name.
/// - `__sizeof__()` returns the bytes of the Python object and everything that the value owns. So
///   `sys.getsizeof` and the libraries that use it get the right size. Arrays that the value only
///   [views](crate::Viewed) are not included, because they are objects of their own in Python.
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
    let class = object.as_any().get_type().name()?;
    let name = name.map_or_else(|| class.extract(), |name| Ok(name.to_owned()))?;
    let guard = object.try_borrow()?;
    let value: &T = &guard;
    Ok(object.py().detach(|| Profile::named(&name, value)).into())
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
    let total = py.detach(|| left_out(|| total_bytes(value)));
    let total = usize::try_from(total).unwrap_or(usize::MAX);
    Ok(inline.saturating_add(total.saturating_sub(size_of_val(value))))
}

/// The attribute of a module through which the Python package finds the allocator's counters.
#[cfg(feature = "heap")]
const HEAP: &str = "__memprof__";

/// Adds the classes of this crate to a module: `MemoryProfile`, `MemoryProfileDiff`, `MemoryReport` and
/// `Recommendation`.
///
/// With the feature `heap`, the module also gets the attribute `__memprof__`, a
/// [`PyHeap`](crate::PyHeap). The Python package `memprof_rs` finds the counters of an extension by that
/// name. If a measurement is running, it sees the extension from now on.
///
/// Pickled profiles name the class in this module, so call this function for the module under which
/// Python imports the extension.
///
/// # Errors
/// Returns an error if the module does not accept attributes.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_class::<PyMemoryProfile>(module)?;
    add_class::<PyProfileDiff>(module)?;
    add_class::<PyReport>(module)?;
    add_class::<PyRecommendation>(module)?;
    #[cfg(feature = "heap")]
    {
        let heap = Bound::new(module.py(), crate::PyHeap::new())?;
        module.add(HEAP, &heap)?;
        let modules = module.py().import("sys")?.getattr("modules")?;
        let package = modules.call_method1("get", ("memprof_rs._heap",))?;
        if !package.is_none() {
            package.call_method1("extension_imported", (heap,))?;
        }
    }
    Ok(())
}

/// Adds a class to a module, and sets its `__module__` to the name of this module.
fn add_class<T: PyClass>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let class = module.py().get_type::<T>();
    class.setattr("__module__", module.name()?)?;
    module.add(T::NAME, class)
}
