//! Recordings of sessions, and the files of profiles.

use crate::page::Page;
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray, UInt64Array};
use memprof_profile::Profile;
use memprof_profile::text::{WithCauses, rfc3339};
use memprof_python::{PyMemoryProfile, Table};
use memprof_recording::document::{Estimate, Place, Site, Snapshot};
use memprof_recording::{Recording as Document, SymbolSearch};
use pyo3::exceptions::{PyKeyError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// A recording of a session, read from its document (`.json`) or timeline (`.jsonl`).
#[derive(Debug)]
#[pyclass(frozen, module = "memprof")]
pub(crate) struct Recording {
    document: Document,
}

/// Returns an exception with an error and its causes: `OSError` if the file cannot be read, otherwise
/// `ValueError`.
fn exception(path: &std::path::Path, error: &(dyn Error + 'static)) -> PyErr {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(io) = error.downcast_ref::<std::io::Error>()
            && let Some(code) = io.raw_os_error()
        {
            return PyOSError::new_err((code, io.to_string(), path.to_path_buf()));
        }
        cause = error.source();
    }
    let path = memprof_profile::text::Shown(&path.to_string_lossy()).to_string();
    PyValueError::new_err(format!("{path}: {}", WithCauses(error)))
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
                signed(all.iter().map(|one| one.heap.as_ref().map(amount)))
            };
            table([
                ("number", counts(all.iter().map(|one| Some(one.number)))),
                ("at_ns", counts(all.iter().map(|one| Some(one.at_ns)))),
                ("trigger", texts(all.iter().map(|one| Some(one.trigger.to_string())))),
                ("name", texts(all.iter().map(|one| one.name.clone()))),
                ("live_bytes", heap(|heap| heap.live_bytes)),
                ("live_blocks", heap(|heap| heap.live_blocks)),
                ("peak_bytes", heap(|heap| heap.peak_bytes.cast_signed())),
                ("peak_error_bytes", heap(|heap| heap.peak_error_bytes.cast_signed())),
                ("allocated_bytes", heap(|heap| heap.allocated_bytes.cast_signed())),
                ("freed_bytes", heap(|heap| heap.freed_bytes.cast_signed())),
                ("rss_bytes", counts(all.iter().map(|one| one.process.rss_bytes))),
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
                ("snapshot", counts(all.iter().map(|(one, _)| Some(one.number)))),
                ("name", texts(all.iter().map(|(_, root)| Some(root.name.clone())))),
                ("state", texts(all.iter().map(|(_, root)| Some(root.state.to_string())))),
                ("bytes", counts(all.iter().map(|(one, root)| one.bytes_of(&root.name)))),
            ])
        })
    }

    /// The operations at the end of the recording, with all calls of each path.
    #[getter]
    fn operations(&self, py: Python<'_>) -> PyResult<Table> {
        py.detach(|| {
            let all = &self.document.summary.operations;
            let retained = |one: &memprof_recording::document::OperationRow| {
                one.retained.map(|estimate| estimate.value)
            };
            table([
                ("path", texts(all.iter().map(|one| Some(one.path.join(";"))))),
                ("file", texts(all.iter().map(|one| Some(one.file.clone())))),
                ("line", counts(all.iter().map(|one| Some(u64::from(one.line))))),
                ("calls", counts(all.iter().map(|one| Some(one.calls)))),
                ("allocated_bytes", counts(all.iter().map(|one| Some(one.allocated_bytes)))),
                ("allocated_blocks", counts(all.iter().map(|one| Some(one.allocated_blocks)))),
                (
                    "own_allocated_bytes",
                    counts(all.iter().map(|one| Some(one.own_allocated_bytes))),
                ),
                ("freed_bytes", counts(all.iter().map(|one| Some(one.freed_bytes)))),
                ("peak_bytes", counts(all.iter().map(|one| Some(one.peak_bytes)))),
                ("net_bytes", signed(all.iter().map(|one| Some(one.net_bytes)))),
                ("retained_bytes", numbers(all.iter().map(retained))),
            ])
        })
    }

    /// The call sites that keep growing, each with its estimate and the interval of its growth.
    #[getter]
    fn leaks(&self, py: Python<'_>) -> PyResult<Table> {
        py.detach(|| {
            let all = &self.document.summary.leaks;
            let mut columns = vec![
                ("operation", texts(all.iter().map(|one| Some(one.operation.join(";"))))),
                ("bytes_per_second", numbers(all.iter().map(|one| Some(one.bytes_per_second)))),
                (
                    "bytes_per_second_low",
                    numbers(all.iter().map(|one| Some(one.bytes_per_second_interval[0]))),
                ),
                (
                    "bytes_per_second_high",
                    numbers(all.iter().map(|one| Some(one.bytes_per_second_interval[1]))),
                ),
                ("bytes_per_call", numbers(all.iter().map(|one| one.bytes_per_call))),
            ];
            columns.extend(live(all.iter().map(|one| (&one.live, &one.live_blocks))));
            columns.extend(place(all.iter().map(|one| (&one.place, &one.stack))));
            table(columns)
        })
    }

    /// The call sites with live memory, sampled: the largest first.
    #[getter]
    fn sites(&self, py: Python<'_>) -> PyResult<Table> {
        py.detach(|| {
            let all: &[Site] = &self.document.summary.sites;
            let mut columns = live(all.iter().map(|one| (&one.live, &one.live_blocks)));
            columns.extend(place(all.iter().map(|one| (&one.place, &one.stack))));
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
            let profile =
                profile.map_err(|error| PyValueError::new_err(WithCauses(&error).to_string()))?;
            Ok(profile.into())
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
        let program = memprof_profile::text::Shown(&self.document.metadata.program).to_string();
        format!("<Recording of {program}: {} snapshots>", self.document.snapshots.len())
    }
}

type Columns = Vec<(&'static str, ArrayRef)>;

fn table(columns: impl IntoIterator<Item = (&'static str, ArrayRef)>) -> PyResult<Table> {
    let columns = columns.into_iter().map(|(name, column)| (name, column, true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns);
    batch.map(Table::new).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

fn counts(values: impl Iterator<Item = Option<u64>>) -> ArrayRef {
    Arc::new(values.collect::<UInt64Array>())
}

fn signed(values: impl Iterator<Item = Option<i64>>) -> ArrayRef {
    Arc::new(values.collect::<Int64Array>())
}

fn numbers(values: impl Iterator<Item = Option<f64>>) -> ArrayRef {
    Arc::new(values.collect::<Float64Array>())
}

fn texts(values: impl Iterator<Item = Option<String>>) -> ArrayRef {
    Arc::new(values.collect::<StringArray>())
}

/// Returns the columns of live bytes and live blocks.
fn live<'e>(pairs: impl Iterator<Item = (&'e Estimate, &'e Estimate)> + Clone) -> Columns {
    let bytes = estimate("live_bytes", "live_bytes_error", pairs.clone().map(|pair| pair.0));
    let blocks = estimate("live_blocks", "live_blocks_error", pairs.map(|pair| pair.1));
    bytes.into_iter().chain(blocks).collect()
}

/// Returns the columns of an estimate: its value and its standard error.
fn estimate<'e>(
    value: &'static str,
    error: &'static str,
    estimates: impl Iterator<Item = &'e Estimate> + Clone,
) -> Columns {
    vec![
        (value, numbers(estimates.clone().map(|one| Some(one.value)))),
        (error, numbers(estimates.map(|one| Some(one.standard_error)))),
    ]
}

/// Returns the columns of a place and its stack, whose frames are joined by `;`.
fn place<'p>(places: impl Iterator<Item = (&'p Place, &'p Vec<Place>)> + Clone) -> Columns {
    let line = |place: &Place| place.line.map(u64::from);
    vec![
        ("function", texts(places.clone().map(|(place, _)| place.function.clone()))),
        ("file", texts(places.clone().map(|(place, _)| place.file.clone()))),
        ("line", counts(places.clone().map(|(place, _)| line(place)))),
        ("stack", texts(places.map(|(_, stack)| Some(frames(stack))))),
    ]
}

fn frames(stack: &[Place]) -> String {
    let frames = stack.iter().map(|place| place.short_function().unwrap_or_default());
    frames.collect::<Vec<_>>().join(";")
}
