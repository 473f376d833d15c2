//! The counters of memprof's global allocator in this extension.

use memprof_heap::{Level, LevelRequest, is_installed, measure, request_level, reset_peak, totals};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The attribute of a module through which the Python package `memprof` finds the counters.
pub(crate) const ATTRIBUTE: &str = "__memprof__";

/// The counters of the extension's global allocator: the attribute `__memprof__` of its module.
///
/// Each extension has an allocator and counters of its own. They count what the Rust code of that
/// extension requests, not Python's objects.
#[derive(Debug)]
#[pyclass(frozen, name = "Heap", module = "memprof")]
#[non_exhaustive]
pub struct PyHeap {}

/// A request to count allocations, which ends when it is closed or dropped.
#[derive(Debug)]
#[pyclass(frozen, name = "HeapRecording", module = "memprof")]
#[non_exhaustive]
pub struct PyHeapRecording {
    request: std::sync::Mutex<Option<LevelRequest>>,
}

impl PyHeap {
    pub(crate) fn new() -> Self {
        Self {}
    }
}

#[pymethods]
impl PyHeap {
    /// The version of this interface.
    #[classattr]
    const VERSION: u32 = 1;

    /// True if memprof's allocator is the global allocator of the extension.
    #[getter]
    fn is_installed(&self) -> bool {
        is_installed()
    }

    /// Keeps the counters on until the returned object is closed.
    fn record(&self) -> PyResult<PyHeapRecording> {
        if !is_installed() {
            return Err(PyRuntimeError::new_err(
                "the extension does not install memprof's allocator; add \
                 `#[global_allocator] static ALLOC: memprof::Allocator = \
                 memprof::Allocator::system();` to its Rust code",
            ));
        }
        Ok(PyHeapRecording { request: Some(request_level(Level::Counters)).into() })
    }

    /// Calls a function without arguments. Returns its result, and what the calling thread
    /// allocated during the call. These figures are exact, and exclude other threads.
    #[pyo3(signature = (function) -> "tuple[object, dict[str, int]]")]
    fn measure<'py>(
        &self,
        function: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)> {
        let measured = measure(|| function.call0());
        let (result, measured) =
            measured.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let dict = PyDict::new(function.py());
        dict.set_item("peak_bytes", measured.peak_bytes)?;
        dict.set_item("live_bytes", measured.net_bytes())?;
        dict.set_item("allocated_bytes", measured.allocated_bytes)?;
        dict.set_item("allocated_blocks", measured.allocated_blocks)?;
        dict.set_item("freed_bytes", measured.freed_bytes)?;
        dict.set_item("freed_blocks", measured.freed_blocks)?;
        Ok((result?, dict))
    }

    /// Resets the peak to the live bytes.
    fn reset_peak(&self) -> PyResult<()> {
        reset_peak().map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    /// Returns the counters: bytes and blocks since counting began, and the peak of the live bytes.
    ///
    /// The true peak is between `peak_bytes` and `peak_bytes + peak_error_bytes`.
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let totals = totals().map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let dict = PyDict::new(py);
        dict.set_item("live_bytes", totals.live_bytes())?;
        dict.set_item("allocated_bytes", totals.allocated_bytes)?;
        dict.set_item("allocated_blocks", totals.allocated_blocks)?;
        dict.set_item("freed_bytes", totals.freed_bytes)?;
        dict.set_item("freed_blocks", totals.freed_blocks)?;
        dict.set_item("peak_bytes", totals.peak.bytes)?;
        dict.set_item("peak_error_bytes", totals.peak.error_bytes)?;
        Ok(dict)
    }
}

#[pymethods]
impl PyHeapRecording {
    /// Ends the request.
    fn close(&self) {
        drop(self.request.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take());
    }
}
