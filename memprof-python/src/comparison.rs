//! The class `MemoryProfileDiff` of Python.

use crate::repr::escaped;
use memprof_profile::Profile;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The changes between two profiles, by path.
#[derive(Clone, Debug)]
#[pyclass(frozen, name = "MemoryProfileDiff", module = "memprof")]
pub struct PyProfileDiff {
    before_bytes: u64,
    after_bytes: u64,
    entries: Vec<Entry>,
    text: String,
    json: String,
}

/// A path with its bytes before and after.
type Entry = (String, Option<u64>, Option<u64>);

impl PyProfileDiff {
    pub(crate) fn new(before: &Profile, after: &Profile) -> Self {
        let diff = after.diff(before);
        let entry = |entry: memprof_profile::views::DiffEntry<'_>| {
            (entry.path().to_string(), entry.before(), entry.after())
        };
        Self {
            before_bytes: diff.before_bytes(),
            after_bytes: diff.after_bytes(),
            entries: diff.entries().map(entry).collect(),
            text: diff.to_string(),
            json: diff.to_json(),
        }
    }
}

#[pymethods]
impl PyProfileDiff {
    /// The total bytes of the earlier profile.
    #[getter]
    fn before_bytes(&self) -> u64 {
        self.before_bytes
    }

    /// The total bytes of the later profile.
    #[getter]
    fn after_bytes(&self) -> u64 {
        self.after_bytes
    }

    /// The bytes that the total grew by; negative if it shrank.
    #[getter]
    fn change(&self) -> i128 {
        i128::from(self.after_bytes) - i128::from(self.before_bytes)
    }

    /// Returns the paths that changed, each with its bytes before and after. `None` replaces the
    /// bytes of a path that did not exist.
    fn entries(&self) -> Vec<Entry> {
        self.entries.clone()
    }

    /// Returns the changes as JSON.
    fn to_json(&self) -> String {
        self.json.clone()
    }

    /// Returns the changes as a dictionary with the contents of `to_json`.
    #[pyo3(signature = () -> "dict[str, object]")]
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        Ok(py.import("json")?.call_method1("loads", (&self.json,))?.cast_into::<PyDict>()?)
    }

    fn __bool__(&self) -> bool {
        !self.entries.is_empty()
    }

    fn __str__(&self) -> String {
        self.text.clone()
    }

    fn __repr__(&self) -> String {
        format!("<MemoryProfileDiff: {:+} bytes, {} paths>", self.change(), self.entries.len())
    }

    fn _repr_html_(&self) -> String {
        format!("<pre>{}</pre>", escaped(&self.text))
    }
}
