//! Recordings of sessions, and the files of profiles.

use crate::page::Page;
use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray, UInt64Array};
use memprof_profile::Profile;
use memprof_profile::text::{Shown, WithCauses, counted, rfc3339};
use memprof_python::{PyMemoryProfile, Table, value_error};
use memprof_recording::document::{Estimate, Place, Site, Snapshot};
use memprof_recording::{Recording as Document, SymbolSearch};
use pyo3::exceptions::{PyKeyError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

/// A recording of a session, read from its document (`.json`) or timeline (`.jsonl`).
#[derive(Debug)]
#[pyclass(frozen, module = "memprof_rs")]
pub(crate) struct Recording {
    document: Document,
}

/// Returns an exception with an error and its causes: `OSError` if the file cannot be read, otherwise
/// `ValueError`.
fn exception(path: &Path, error: &(dyn Error + 'static)) -> PyErr {
    let mut causes = std::iter::successors(Some(error), |error| (**error).source());
    let code = causes.find_map(|cause| cause.downcast_ref::<io::Error>()?.raw_os_error());
    let Some(code) = code else {
        let path = Shown(&path.to_string_lossy()).to_string();
        return PyValueError::new_err(format!("{path}: {}", WithCauses(error)));
    };
    let file = path.as_os_str().to_owned();
    Python::attach(|py| {
        let text = py.import("os").and_then(|os| os.call_method1("strerror", (code,)));
        let text = text.map(Bound::unbind);
        text.map_or_else(|error| error, |text| PyOSError::new_err((code, text, file)))
    })
}

/// Reads a profile from a file with JSON or folded stacks.
#[pyfunction]
pub(crate) fn read_profile(py: Python<'_>, path: PathBuf) -> PyResult<PyMemoryProfile> {
    py.detach(|| {
        let text = fs::read_to_string(&path).map_err(|error| exception(&path, &error))?;
        let profile = if text.trim_start().starts_with('{') {
            Profile::from_json(&text).map_err(|error| exception(&path, &error))
        } else {
            Profile::from_folded(&text).map_err(|error| exception(&path, &error))
        };
        profile.map(PyMemoryProfile::from)
    })
}

#[pymethods]
impl Recording {
    /// Reads a recording.
    ///
    /// Names of addresses are read from the debug information of the recorded program if the
    /// program's files are still at their recorded paths; `symbols` is a list of further folders to
    /// search.
    #[staticmethod]
    #[pyo3(signature = (path, symbols = Vec::new()))]
    fn read(py: Python<'_>, path: PathBuf, symbols: Vec<PathBuf>) -> PyResult<Self> {
        py.detach(|| {
            let mut document =
                Document::read_file(&path).map_err(|error| exception(&path, &error))?;
            let search = symbols.into_iter().fold(SymbolSearch::new(), SymbolSearch::debug_dir);
            // Sites without a name keep their address.
            let _missing = search.resolve(&mut document);
            Ok(Self { document })
        })
    }

    /// Returns what the file states about the run: the program, its platform, beginning and end.
    #[pyo3(signature = () -> "dict[str, object]")]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let metadata = &self.document.metadata;
        let dict = PyDict::new(py);
        dict.set_item("program", &metadata.program)?;
        dict.set_item("pid", metadata.pid)?;
        dict.set_item("platform", &metadata.platform)?;
        dict.set_item("memprof", &metadata.memprof)?;
        dict.set_item("started_at", rfc3339(metadata.started_unix_ns))?;
        dict.set_item("interval_ns", metadata.interval_ns)?;
        dict.set_item("ended", metadata.ended.to_string())?;
        dict.set_item("unreadable_lines", self.document.unreadable_lines)?;
        Ok(dict)
    }

    /// The snapshots in chronological order. Unknown amounts are null.
    #[getter]
    fn snapshots(&self, py: Python<'_>) -> PyResult<Table> {
        py.detach(|| {
            let all = &self.document.snapshots;
            let heap = |amount: fn(&memprof_recording::document::HeapTotals) -> i64| {
                signed(all, |one| one.heap.as_ref().map(amount))
            };
            table([
                ("number", counts(all, |one| Some(one.number))),
                ("at_ns", counts(all, |one| Some(one.at_ns))),
                ("trigger", texts(all, |one| Some(one.trigger.to_string()))),
                ("name", texts(all, |one| one.name.clone())),
                ("live_bytes", heap(|heap| heap.live_bytes)),
                ("live_blocks", heap(|heap| heap.live_blocks)),
                ("peak_bytes", heap(|heap| heap.peak_bytes.cast_signed())),
                ("peak_error_bytes", heap(|heap| heap.peak_error_bytes.cast_signed())),
                ("allocated_bytes", heap(|heap| heap.allocated_bytes.cast_signed())),
                ("freed_bytes", heap(|heap| heap.freed_bytes.cast_signed())),
                ("rss_bytes", counts(all, |one| one.process.rss_bytes)),
            ])
        })
    }

    /// The registered roots of each snapshot.
    #[getter]
    fn roots(&self, py: Python<'_>) -> PyResult<Table> {
        py.detach(|| {
            let snapshots = self.document.snapshots.iter();
            let all: Vec<_> =
                snapshots.flat_map(|one| one.roots.iter().map(move |root| (one, root))).collect();
            table([
                ("snapshot", counts(&all, |(one, _)| Some(one.number))),
                ("name", texts(&all, |(_, root)| Some(root.name.clone()))),
                ("state", texts(&all, |(_, root)| Some(root.state.to_string()))),
                ("bytes", counts(&all, |(one, root)| one.bytes_of(&root.name))),
            ])
        })
    }

    /// The operations at the end of the recording, with all calls of each path.
    #[getter]
    fn operations(&self, py: Python<'_>) -> PyResult<Table> {
        py.detach(|| {
            let all = &self.document.summary.operations;
            table([
                ("path", texts(all, |one| Some(one.path.join(";")))),
                ("file", texts(all, |one| Some(one.file.clone()))),
                ("line", counts(all, |one| Some(u64::from(one.line)))),
                ("calls", counts(all, |one| Some(one.calls))),
                ("allocated_bytes", counts(all, |one| Some(one.allocated_bytes))),
                ("allocated_blocks", counts(all, |one| Some(one.allocated_blocks))),
                ("own_allocated_bytes", counts(all, |one| Some(one.own_allocated_bytes))),
                ("freed_bytes", counts(all, |one| Some(one.freed_bytes))),
                ("peak_bytes", counts(all, |one| Some(one.peak_bytes))),
                ("net_bytes", signed(all, |one| Some(one.net_bytes))),
                ("retained_bytes", numbers(all, |one| one.retained.map(|estimate| estimate.value))),
            ])
        })
    }

    /// The call sites that keep growing, each with its estimate and the interval of its growth.
    #[getter]
    fn leaks(&self, py: Python<'_>) -> PyResult<Table> {
        py.detach(|| {
            let all = &self.document.summary.leaks;
            let bound = |end: usize| numbers(all, |one| Some(one.bytes_per_second_interval[end]));
            let mut columns = vec![
                ("operation", texts(all, |one| Some(one.operation.join(";")))),
                ("bytes_per_second", numbers(all, |one| Some(one.bytes_per_second))),
                ("bytes_per_second_low", bound(0)),
                ("bytes_per_second_high", bound(1)),
                ("bytes_per_call", numbers(all, |one| one.bytes_per_call)),
            ];
            columns.extend(live(all, |one| (&one.live, &one.live_blocks)));
            columns.extend(place(all, |one| (&one.place, &one.stack)));
            table(columns)
        })
    }

    /// The call sites with live memory, sampled: largest first.
    #[getter]
    fn sites(&self, py: Python<'_>) -> PyResult<Table> {
        py.detach(|| {
            let all: &[Site] = &self.document.summary.sites;
            let mut columns = live(all, |one| (&one.live, &one.live_blocks));
            columns.extend(place(all, |one| (&one.place, &one.stack)));
            table(columns)
        })
    }

    /// Returns the profile of one root, or of all roots, in a snapshot.
    ///
    /// The snapshot is a number or the name of a checkpoint, or `start`, `end` or `peak`.
    #[pyo3(signature = (snapshot: "str | int | None" = None, root = None))]
    fn profile(
        &self,
        py: Python<'_>,
        snapshot: Option<Bound<'_, PyAny>>,
        root: Option<&str>,
    ) -> PyResult<PyMemoryProfile> {
        let word = match snapshot {
            Some(word) => word.str()?.to_string(),
            None => "end".to_owned(),
        };
        py.detach(|| {
            let found = self.document.snapshot(&word);
            let snapshot: &Snapshot =
                found.ok_or_else(|| PyKeyError::new_err(format!("no snapshot {word:?}")))?;
            let profile = match root {
                None => snapshot.profile(&self.document.metadata.program),
                Some(root) => snapshot.root(root).ok_or_else(|| {
                    PyKeyError::new_err(format!("no profile of a root {root:?} in the snapshot"))
                })?,
            };
            profile.map(PyMemoryProfile::from).map_err(|error| value_error(&error))
        })
    }

    /// Returns the overview that `memprof info` prints.
    fn info(&self, py: Python<'_>) -> String {
        py.detach(|| self.document.overview().to_string())
    }

    /// Returns the page of the recording. A notebook shows it in a frame.
    #[pyo3(signature = (*, title = None, height = 640))]
    fn show(&self, py: Python<'_>, title: Option<&str>, height: u32) -> PyResult<Page> {
        py.detach(|| Page::new(memprof_export::Page::new(&self.document), title, height))
    }

    fn __str__(&self, py: Python<'_>) -> String {
        self.info(py)
    }

    fn __repr__(&self) -> String {
        let program = Shown(&self.document.metadata.program).to_string();
        let snapshots = counted(self.document.snapshots.len() as u64, "snapshot");
        format!("<Recording of {program}: {snapshots}>")
    }
}

type Columns = Vec<(&'static str, ArrayRef)>;

fn table(columns: impl IntoIterator<Item = (&'static str, ArrayRef)>) -> PyResult<Table> {
    Table::from_columns(columns.into_iter().map(|(name, column)| (name, column, true)))
}

fn counts<T>(rows: &[T], value: impl Fn(&T) -> Option<u64>) -> ArrayRef {
    Arc::new(rows.iter().map(value).collect::<UInt64Array>())
}

fn signed<T>(rows: &[T], value: impl Fn(&T) -> Option<i64>) -> ArrayRef {
    Arc::new(rows.iter().map(value).collect::<Int64Array>())
}

fn numbers<T>(rows: &[T], value: impl Fn(&T) -> Option<f64>) -> ArrayRef {
    Arc::new(rows.iter().map(value).collect::<Float64Array>())
}

fn texts<T>(rows: &[T], value: impl Fn(&T) -> Option<String>) -> ArrayRef {
    Arc::new(rows.iter().map(value).collect::<StringArray>())
}

/// Returns the columns of live bytes and live blocks, with their standard errors.
fn live<T>(rows: &[T], of: impl Fn(&T) -> (&Estimate, &Estimate)) -> Columns {
    vec![
        ("live_bytes", numbers(rows, |row| Some(of(row).0.value))),
        ("live_bytes_error", numbers(rows, |row| Some(of(row).0.standard_error))),
        ("live_blocks", numbers(rows, |row| Some(of(row).1.value))),
        ("live_blocks_error", numbers(rows, |row| Some(of(row).1.standard_error))),
    ]
}

/// Returns the columns of a place and its stack, whose frames are joined by `;`.
fn place<T>(rows: &[T], of: impl Fn(&T) -> (&Place, &Vec<Place>)) -> Columns {
    vec![
        ("function", texts(rows, |row| of(row).0.function.clone())),
        ("file", texts(rows, |row| of(row).0.file.clone())),
        ("line", counts(rows, |row| of(row).0.line.map(u64::from))),
        ("stack", texts(rows, |row| Some(frames(of(row).1)))),
    ]
}

fn frames(stack: &[Place]) -> String {
    let frames = stack.iter().map(|place| place.short_function().unwrap_or_default());
    frames.collect::<Vec<_>>().join(";")
}
