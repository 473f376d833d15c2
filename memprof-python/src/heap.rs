//! memprof's global allocator in this extension, as Python sees it: counters, call sites and sessions.
//!
//! Each extension has an allocator of its own, with its own counters. So the object is an attribute of
//! the extension's module, and the Python package `memprof_rs` reads those of all imported extensions.
//! The class of the package and the classes here may be of different versions: they agree on
//! `VERSION`, and pass only values of Python.

use crate::profile::{runtime_error, value_error};
use memprof_heap::{
    Level, LevelRequest, is_installed, measure, request_level, reset_peak, sites, totals,
};
use memprof_session::{Session, SessionHandle, StartError};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The extension's global allocator: the attribute `__memprof__` of its module.
///
/// It counts what the Rust code of that extension requests, not Python's objects.
#[derive(Debug)]
#[pyclass(frozen, name = "Heap", module = "memprof_rs")]
#[non_exhaustive]
pub struct PyHeap {}

impl PyHeap {
    pub(crate) fn new() -> Self {
        Self {}
    }
}

#[pymethods]
impl PyHeap {
    /// The version of this interface.
    #[classattr]
    const VERSION: u32 = 2;

    /// True if memprof's allocator is the global allocator of the extension.
    #[getter]
    fn is_installed(&self) -> bool {
        is_installed()
    }

    /// Keeps the allocator at a level, `counters` or `sampled`, until the returned object is closed.
    #[pyo3(signature = (level = "counters"))]
    fn record(&self, level: &str) -> PyResult<PyHeapRecording> {
        if !is_installed() {
            return Err(PyRuntimeError::new_err(
                "the extension does not install memprof's allocator; add \
                 `#[global_allocator] static ALLOC: memprof::Allocator = \
                 memprof::Allocator::system();` to its Rust code",
            ));
        }
        let level = level.parse::<Level>().map_err(|error| value_error(&error))?;
        Ok(PyHeapRecording { request: Some(request_level(level)).into() })
    }

    /// Calls a function without arguments. Returns its result, and what the calling thread
    /// allocated during the call. These figures are exact, and exclude other threads.
    #[pyo3(signature = (function) -> "tuple[object, dict[str, int]]")]
    fn measure<'py>(
        &self,
        function: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)> {
        let (result, measured) = measure(|| function.call0()).map_err(runtime_error)?;
        let figures = [
            ("peak_bytes", measured.peak_bytes),
            ("allocated_bytes", measured.allocated_bytes),
            ("allocated_blocks", measured.allocated_blocks),
            ("freed_bytes", measured.freed_bytes),
            ("freed_blocks", measured.freed_blocks),
        ];
        Ok((result?, figures.into_py_dict(function.py())?))
    }

    /// Resets the peak to the live bytes.
    fn reset_peak(&self) -> PyResult<()> {
        reset_peak().map_err(runtime_error)
    }

    /// Returns the bytes and blocks since counting began, and the bounds of the peak of the live bytes.
    #[pyo3(signature = () -> "dict[str, int]")]
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let totals = totals().map_err(runtime_error)?;
        let figures = [
            ("allocated_bytes", totals.allocated_bytes),
            ("allocated_blocks", totals.allocated_blocks),
            ("freed_bytes", totals.freed_bytes),
            ("freed_blocks", totals.freed_blocks),
            ("peak_bytes_low", totals.peak.bytes),
            ("peak_bytes_high", totals.peak.bytes.saturating_add(totals.peak.error_bytes)),
        ];
        let dict = figures.into_py_dict(py)?;
        dict.set_item("live_bytes", totals.live_bytes())?;
        Ok(dict)
    }

    /// Returns the call sites, each with an estimate of the bytes that it allocated since sampling
    /// began. The level must be `sampled`.
    fn sites(&self, py: Python<'_>) -> PyResult<Vec<(String, f64)>> {
        let sites = py.detach(sites).map_err(runtime_error)?;
        let place = |site: &memprof_heap::site::Site| {
            let frame = site.your_code.as_ref().or(site.location.as_ref());
            frame.map_or_else(|| "a place without a name".to_owned(), ToString::to_string)
        };
        Ok(sites.iter().map(|site| (place(site), site.allocated.value)).collect())
    }

    /// Starts a session, which records the extension's allocations to a file in a folder. The
    /// interval is in seconds.
    ///
    /// Signals stay with Python, which ends a `with` block on Ctrl-C.
    #[pyo3(signature = (output_dir = None, interval = None))]
    fn start_session(
        &self,
        py: Python<'_>,
        output_dir: Option<PathBuf>,
        interval: Option<f64>,
    ) -> PyResult<PyHeapSession> {
        let mut builder = Session::builder().enabled(true).signals(false);
        if let Some(folder) = output_dir {
            builder = builder.output_dir(folder);
        }
        if let Some(seconds) = interval {
            let interval = Duration::try_from_secs_f64(seconds);
            builder = builder.interval(interval.map_err(|error| value_error(&error))?);
        }
        let session = py.detach(|| builder.start()).map_err(|error| match error {
            StartError::Config(error) => value_error(&error),
            error => runtime_error(error),
        })?;
        Ok(PyHeapSession { handle: session.handle(), session: Mutex::new(Some(session)) })
    }
}

/// A request to record allocations, which ends when it is closed or dropped.
#[derive(Debug)]
#[pyclass(frozen, name = "HeapRecording", module = "memprof_rs")]
#[non_exhaustive]
pub struct PyHeapRecording {
    request: Mutex<Option<LevelRequest>>,
}

#[pymethods]
impl PyHeapRecording {
    /// Ends the request.
    fn close(&self) {
        drop(take(&self.request));
    }
}

/// A running session of the extension.
#[derive(Debug)]
#[pyclass(frozen, name = "HeapSession", module = "memprof_rs")]
pub struct PyHeapSession {
    handle: SessionHandle,
    session: Mutex<Option<Session>>,
}

fn take<T>(held: &Mutex<Option<T>>) -> Option<T> {
    held.lock().unwrap_or_else(PoisonError::into_inner).take()
}

#[pymethods]
impl PyHeapSession {
    /// Takes a snapshot now, with a name.
    fn checkpoint(&self, py: Python<'_>, name: &str) {
        py.detach(|| self.handle.checkpoint(name));
    }

    /// Ends the session. Returns the path of the recording, or `None` if the environment turned
    /// the session off or the session is over.
    #[pyo3(signature = () -> "str | None")]
    fn finish(&self, py: Python<'_>) -> PyResult<Option<OsString>> {
        let Some(session) = take(&self.session) else { return Ok(None) };
        let document = py.detach(|| session.finish()).map_err(runtime_error)?;
        Ok(document.path().map(|path| path.as_os_str().to_owned()))
    }
}
