//! The number of references to an object, which PyO3 does not return.

#![expect(unsafe_code, reason = "PyO3 has no safe function for it")]

use pyo3::prelude::*;

/// Returns the number of references to the object, including this one. In a free-threaded
/// interpreter, the figure is approximate.
pub(super) fn count(object: &Bound<'_, PyAny>) -> usize {
    // SAFETY: the pointer is a live object, and the thread is attached to the interpreter.
    let count = unsafe { pyo3::ffi::Py_REFCNT(object.as_ptr()) };
    usize::try_from(count).unwrap_or(0)
}
