//! The classes and attributes that an extension's module exports.

use crate::{PyLeaf, PyMemoryProfile, PyProfileDiff};
use pyo3::PyClass;
use pyo3::prelude::*;

/// Adds the classes of this crate to a module: `MemoryProfile`, `MemoryProfileLeaf` and
/// `MemoryProfileDiff`.
///
/// With the feature `heap`, the module also gets the attribute `__memprof__`, a
/// [`PyHeap`](crate::PyHeap). The Python package `memprof` finds the counters of an extension by that
/// name.
///
/// Pickled profiles name the class in this module, so call this function for the module under which
/// Python imports the extension.
///
/// # Errors
/// Returns an error if the module does not accept attributes.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_class::<PyMemoryProfile>(module)?;
    add_class::<PyLeaf>(module)?;
    add_class::<PyProfileDiff>(module)?;
    #[cfg(feature = "heap")]
    module.add(crate::heap::ATTRIBUTE, crate::PyHeap::new())?;
    Ok(())
}

/// Adds a class, and sets its `__module__` to the module's name.
fn add_class<T: PyClass>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let class = module.py().get_type::<T>();
    class.setattr("__module__", module.name()?)?;
    module.add(T::NAME, class)
}
