//! The class `MemoryProfile` of Python, and the differences and reports that it returns.
//!
//! Each extension has these classes of its own, because each links its own copy of this crate. Profiles
//! of different extensions are compared by their JSON, which every such class writes.

use crate::html;
use memprof_profile::Profile;
use memprof_profile::report::Recommendation;
use memprof_profile::text::{Grouped, counted};
use memprof_profile::tree::{Origin, PathNotFound};
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PyTuple};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A finished profile: the memory that a value owned when the profile was created.
///
/// A profile maps names to the profiles of its parts: `profile["columns"]`. It is immutable, so all
/// threads may use it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[pyclass(frozen, eq, mapping, name = "MemoryProfile", module = "memprof_rs")]
pub struct PyMemoryProfile {
    profile: Arc<Profile>,
}

impl From<Profile> for PyMemoryProfile {
    fn from(profile: Profile) -> Self {
        Self { profile: Arc::new(profile) }
    }
}

impl PyMemoryProfile {
    /// Returns the profile.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Searches for a path with or without the root's name, which all paths of this class have.
    fn find<T>(
        &self,
        path: &str,
        search: impl Fn(&Profile, &str) -> Result<T, PathNotFound>,
    ) -> Result<T, PathNotFound> {
        let with_root = format!("{path};");
        let Some(below) = with_root.strip_prefix(&format!("{};", self.name())) else {
            return search(&self.profile, path);
        };
        search(&self.profile, below.strip_suffix(';').unwrap_or_default())
            .or_else(|error| search(&self.profile, path).map_err(|_| error))
    }

    /// Returns the bytes of the leaves with this path, whose last frame is their kind.
    fn bytes_of_leaves(&self, path: &str) -> Option<u64> {
        let leaves = path.ends_with(']').then(|| self.profile.leaves())?;
        let at_path = leaves.filter(|(leaf, _)| leaf.to_string() == path);
        at_path.map(|(_, leaf)| leaf.bytes()).reduce(u64::saturating_add)
    }

    /// Returns the leaves as rows.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Leaf> {
        // Folded stacks and counters state no roles.
        let has_roles = self.profile.origin() == Origin::Values;
        self.profile.leaves().map(move |(path, leaf)| {
            // The last frame is the kind.
            let name = path.frames().iter().rev().nth(1).copied().unwrap_or_default();
            Leaf {
                path: path.to_string(),
                name: frame(name),
                kind: leaf.kind().as_str(),
                bytes: leaf.bytes(),
                role: has_roles.then(|| leaf.role().as_str()),
                device: leaf.device().to_string(),
                estimated_bytes: leaf.estimated_bytes(),
            }
        })
    }
}

/// The names of parts. Python gets an iterator over them.
struct Names(Vec<String>);

impl<'py> IntoPyObject<'py> for Names {
    type Target = PyIterator;
    type Output = Bound<'py, PyIterator>;
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const OUTPUT_TYPE: pyo3::inspect::PyStaticExpr = pyo3::type_hint_subscript!(
        pyo3::type_hint_identifier!("collections.abc", "Iterator"),
        pyo3::type_hint_identifier!("builtins", "str")
    );

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        PyList::new(py, self.0)?.try_iter()
    }
}

/// Returns a name in the form that a path has.
fn frame(name: &str) -> String {
    memprof_profile::text::Frame(name).to_string()
}

/// A leaf as a row of a table. Python gets a dictionary.
#[derive(IntoPyObject)]
pub(crate) struct Leaf {
    pub(crate) path: String,
    /// The frame above the kind, in the form that a path has.
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) bytes: u64,
    pub(crate) role: Option<&'static str>,
    pub(crate) device: String,
    pub(crate) estimated_bytes: u64,
}

fn key_error(error: &PathNotFound) -> PyErr {
    PyKeyError::new_err(error.to_string())
}

/// Returns a `ValueError` with the error and its causes.
#[doc(hidden)]
pub fn value_error(error: &dyn std::error::Error) -> PyErr {
    PyValueError::new_err(memprof_profile::text::WithCauses(error).to_string())
}

/// Returns a `RuntimeError` with the error and its causes.
#[doc(hidden)]
pub fn runtime_error(error: impl std::error::Error) -> PyErr {
    PyRuntimeError::new_err(memprof_profile::text::WithCauses(&error).to_string())
}

fn read(json: &str) -> PyResult<Profile> {
    Profile::from_json(json).map_err(|error| value_error(&error))
}

/// Reads JSON as a dictionary.
fn dictionary<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyDict>> {
    Ok(py.import("json")?.call_method1("loads", (json,))?.cast_into::<PyDict>()?)
}

/// Writes a file with the errors of Python's `open`. A file that exists is replaced only with
/// `overwrite`.
#[doc(hidden)]
pub fn write_file(
    py: Python<'_>,
    path: &std::path::Path,
    text: &str,
    overwrite: bool,
) -> PyResult<()> {
    let mode = if overwrite { "wb" } else { "xb" };
    let file = py.import("io")?.call_method1("open", (path.as_os_str(), mode))?;
    file.call_method1("write", (text.as_bytes(),))?;
    file.call_method0("close").map(drop)
}

/// Converts an object to a profile: a profile of this extension, or any object with the method
/// `to_json`.
fn other_profile(other: &Bound<'_, PyAny>) -> PyResult<Arc<Profile>> {
    if let Ok(same) = other.cast::<PyMemoryProfile>() {
        return Ok(Arc::clone(&same.get().profile));
    }
    let Ok(to_json) = other.getattr("to_json") else {
        let class = other.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "expected a profile with the method `to_json`, not `{class}`"
        )));
    };
    let json: String = to_json.call0()?.extract()?;
    other.py().detach(|| read(&json)).map(Arc::new)
}

#[pymethods]
impl PyMemoryProfile {
    /// Returns a profile of any extension as a profile of this class.
    #[staticmethod]
    fn of(profile: &Bound<'_, PyAny>) -> PyResult<Self> {
        other_profile(profile).map(|profile| Self { profile })
    }

    /// Reads a profile from the text that `to_json` returned, in this extension or in another one.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Self> {
        py.detach(|| read(text)).map(Self::from)
    }

    /// Reads a profile from folded stacks. Such a profile has no kinds, roles and counts.
    #[staticmethod]
    fn from_folded(py: Python<'_>, text: &str) -> PyResult<Self> {
        let profile = py.detach(|| Profile::from_folded(text));
        profile.map(Self::from).map_err(|error| value_error(&error))
    }

    /// The name of the root.
    #[getter]
    fn name(&self) -> String {
        frame(self.profile.root().name())
    }

    /// All bytes: inline, owned and viewed.
    #[getter]
    fn total_bytes(&self) -> u64 {
        self.profile.total_bytes()
    }

    /// True if every byte was counted. False if a part is estimated or could not be read.
    #[getter]
    fn is_exact(&self) -> bool {
        self.profile.is_exact()
    }

    /// The bytes of shared memory that is also reachable from outside of the value.
    #[getter]
    fn externally_held_bytes(&self) -> u64 {
        self.profile.shared().externally_held_bytes
    }

    /// The bytes in each memory: `{"cpu": 905007}`.
    #[getter]
    fn devices(&self) -> BTreeMap<String, u64> {
        let devices = self.profile.devices().into_iter();
        devices.map(|(device, bytes)| (device.to_string(), bytes)).collect()
    }

    /// Returns the profile of the part at a path, such as `matrix` or `matrix;values`.
    ///
    /// Raises `KeyError` if there is no such path.
    fn __getitem__(&self, py: Python<'_>, path: &str) -> PyResult<Self> {
        let part = py.detach(|| self.find(path, Profile::part));
        part.map(Self::from).map_err(|error| key_error(&error))
    }

    fn __contains__(&self, path: &str) -> bool {
        self.find(path, Profile::try_bytes_at).is_ok()
    }

    /// Returns the names of the parts, sorted.
    fn __iter__(&self) -> Names {
        let plain = self.profile.plain();
        Names(plain.root().children().map(|child| frame(child.name())).collect())
    }

    fn __len__(&self) -> usize {
        self.profile.plain().root().children().count()
    }

    /// A profile is true, even if it has no parts.
    fn __bool__(&self) -> bool {
        true
    }

    /// Returns the profiles of the parts directly below the root, sorted by name.
    fn children(&self, py: Python<'_>) -> Vec<Self> {
        py.detach(|| {
            let plain = self.profile.plain();
            plain.root().children().map(|child| Profile::from(child).into()).collect()
        })
    }

    /// Returns the bytes at a path, with or without the root's name, and below it.
    ///
    /// Raises `KeyError` if there is no such path.
    fn bytes_at(&self, py: Python<'_>, path: &str) -> PyResult<u64> {
        py.detach(|| {
            let found = self.find(path, Profile::try_bytes_at);
            found.or_else(|error| self.bytes_of_leaves(path).ok_or_else(|| key_error(&error)))
        })
    }

    /// Returns every leaf as a dictionary with the columns of the Arrow table. The bytes of the leaves
    /// add up to `total_bytes`.
    #[pyo3(signature = () -> "list[dict[str, Any]]")]
    fn leaves(&self) -> Vec<Leaf> {
        self.rows().collect()
    }

    /// Returns the largest paths with their bytes, largest first.
    #[pyo3(signature = (n = 10))]
    fn top(&self, py: Python<'_>, n: usize) -> Vec<(String, u64)> {
        py.detach(|| {
            let top = self.profile.top(n);
            top.paths().iter().map(|path| (path.path().to_string(), path.bytes())).collect()
        })
    }

    /// Returns the tree as text. `str(profile)` is the same with the defaults.
    ///
    /// `depth` limits the levels, and `detailed` shows each leaf.
    #[pyo3(signature = (*, depth = None, detailed = false))]
    fn tree(&self, py: Python<'_>, depth: Option<usize>, detailed: bool) -> String {
        py.detach(|| {
            let mut tree = self.profile.tree();
            if let Some(depth) = depth {
                tree = tree.depth(depth);
            }
            if detailed { tree.detailed().to_string() } else { tree.to_string() }
        })
    }

    /// Returns the bytes by purpose, and advice. `print` shows them on one screen.
    fn report(&self, py: Python<'_>) -> PyReport {
        py.detach(|| PyReport::new(&self.profile))
    }

    /// Returns folded stacks, one line for each path, for tools that draw flame graphs.
    fn to_folded(&self, py: Python<'_>) -> String {
        py.detach(|| self.profile.to_folded())
    }

    /// Returns the profile as JSON, which the command `memprof` and `from_json` read.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.profile.to_json().map_err(|error| value_error(&error)))
    }

    /// Returns the profile as a dictionary with the contents of `to_json`.
    #[pyo3(signature = () -> "dict[str, object]")]
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, &self.to_json(py)?)
    }

    /// Writes JSON, which `memprof_rs.read_profile` and the command `memprof` read.
    ///
    /// Raises `FileExistsError` if the file exists, unless `overwrite` is true.
    #[pyo3(signature = (path, *, overwrite = false))]
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        write_file(py, &path, &self.to_json(py)?, overwrite)
    }

    /// Writes a flame graph as SVG, which a browser shows.
    ///
    /// Raises `FileExistsError` if the file exists, unless `overwrite` is true.
    #[cfg(feature = "flamegraph")]
    #[pyo3(signature = (path, *, overwrite = false))]
    fn flamegraph(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        let drawn = py.detach(|| self.profile.to_flamegraph());
        write_file(py, &path, &drawn.map_err(|error| value_error(&error))?, overwrite)
    }

    /// Returns what changed since `before`, a profile of this extension or of another one.
    fn diff(&self, before: &Bound<'_, PyAny>) -> PyResult<PyProfileDiff> {
        Ok(PyProfileDiff { before: other_profile(before)?, after: Arc::clone(&self.profile) })
    }

    fn __str__(&self, py: Python<'_>) -> String {
        py.detach(|| self.profile.to_string())
    }

    fn __repr__(&self) -> String {
        let exact = if self.is_exact() { "exact" } else { "not exact" };
        format!("<MemoryProfile {}: {} bytes, {exact}>", self.name(), Grouped(self.total_bytes()))
    }

    /// Returns the tree as HTML without scripts.
    fn _repr_html_(&self, py: Python<'_>) -> String {
        py.detach(|| html::html(&self.profile))
    }

    /// Returns the leaves as a stream of Arrow tables, in a capsule.
    #[cfg(feature = "arrow")]
    #[pyo3(signature = (requested_schema: "object | None" = None) -> "object")]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let table = py.detach(|| crate::table::of_leaves(self))?;
        table.capsule(py, requested_schema)
    }

    #[pyo3(signature = () -> "tuple[object, tuple[str]]")]
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let json = slf.get().to_json(py)?;
        let read = slf.get_type().getattr("from_json")?;
        (read, (json,)).into_pyobject(py)
    }
}

/// The changes between two profiles, by path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[pyclass(frozen, eq, name = "MemoryProfileDiff", module = "memprof_rs")]
pub struct PyProfileDiff {
    before: Arc<Profile>,
    after: Arc<Profile>,
}

#[pymethods]
impl PyProfileDiff {
    /// The total bytes of the earlier profile.
    #[getter]
    fn before_bytes(&self) -> u64 {
        self.before.total_bytes()
    }

    /// The total bytes of the later profile.
    #[getter]
    fn after_bytes(&self) -> u64 {
        self.after.total_bytes()
    }

    /// The bytes that the total grew by; negative if it shrank.
    #[getter]
    fn change(&self) -> i128 {
        i128::from(self.after_bytes()) - i128::from(self.before_bytes())
    }

    /// Returns the paths that changed, each with its bytes before and after. `None` replaces the
    /// bytes of a path that did not exist.
    fn entries(&self, py: Python<'_>) -> Vec<(String, Option<u64>, Option<u64>)> {
        py.detach(|| {
            let diff = self.after.diff(&self.before);
            diff.entries()
                .map(|entry| (entry.path().to_string(), entry.before(), entry.after()))
                .collect()
        })
    }

    /// Returns the changes as JSON.
    fn to_json(&self, py: Python<'_>) -> String {
        py.detach(|| self.after.diff(&self.before).to_json())
    }

    /// Returns the changes as a dictionary with the contents of `to_json`.
    #[pyo3(signature = () -> "dict[str, object]")]
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, &self.to_json(py))
    }

    fn __bool__(&self) -> bool {
        self.after.diff(&self.before).entries().next().is_some()
    }

    fn __str__(&self, py: Python<'_>) -> String {
        py.detach(|| self.after.diff(&self.before).to_string())
    }

    fn __repr__(&self) -> String {
        let paths = counted(self.after.diff(&self.before).entries().count() as u64, "path");
        let (before, after) = (self.before_bytes(), self.after_bytes());
        let sign = if after < before { '-' } else { '+' };
        format!("<MemoryProfileDiff: {sign}{} bytes, {paths}>", Grouped(after.abs_diff(before)))
    }

    fn _repr_html_(&self, py: Python<'_>) -> String {
        html::preformatted(&self.__str__(py))
    }
}

/// The bytes of a profile by purpose, and what could change.
///
/// All bytes are `unknown` if the profile's source does not state purposes, as folded stacks do not. No
/// ratio is known then.
#[derive(Clone, Debug, PartialEq)]
#[pyclass(frozen, eq, get_all, name = "MemoryReport", module = "memprof_rs")]
pub struct PyReport {
    /// All bytes.
    total: u64,
    /// The payload.
    data: u64,
    /// The bytes that describe, find and hold the payload.
    metadata: u64,
    /// The bytes that could be dropped.
    auxiliary: u64,
    /// The bytes of unknown purpose.
    unknown: u64,
    /// The part of the metadata that several handles share.
    shared_metadata: u64,
    /// Excess capacity, which is part of the other figures.
    spare: u64,
    /// The bytes that only align other bytes, which are part of the other figures.
    padding: u64,
    /// The number of allocations.
    allocations: u64,
    /// The metadata divided by the data.
    overhead_ratio: Option<f64>,
    /// The metadata divided by the total.
    metadata_share: Option<f64>,
    /// The auxiliary bytes divided by the data.
    auxiliary_ratio: Option<f64>,
    /// What could change, most severe first.
    recommendations: Vec<PyRecommendation>,
    /// The report on one screen.
    text: String,
}

impl PyReport {
    fn new(profile: &Profile) -> Self {
        let report = profile.report();
        let statistics = report.statistics();
        Self {
            total: statistics.total(),
            data: statistics.data,
            metadata: statistics.metadata,
            auxiliary: statistics.auxiliary,
            unknown: statistics.unknown,
            shared_metadata: statistics.shared_metadata,
            spare: statistics.spare,
            padding: statistics.padding,
            allocations: statistics.allocations,
            overhead_ratio: statistics.overhead_ratio(),
            metadata_share: statistics.metadata_share(),
            auxiliary_ratio: statistics.auxiliary_ratio(),
            recommendations: report.recommendations().iter().map(PyRecommendation::new).collect(),
            text: report.to_string(),
        }
    }
}

#[pymethods]
impl PyReport {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        let advice = counted(self.recommendations.len() as u64, "recommendation");
        format!("<MemoryReport: {} bytes, {advice}>", Grouped(self.total))
    }

    fn _repr_html_(&self) -> String {
        html::preformatted(&self.text)
    }
}

/// What could change in a value, with the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[pyclass(frozen, eq, get_all, name = "Recommendation", module = "memprof_rs")]
pub struct PyRecommendation {
    /// `good`, `info`, `warning` or `critical`.
    severity: String,
    /// The name of the rule.
    rule: String,
    /// The path to which it applies.
    path: Option<String>,
    /// The evidence that the rule found.
    evidence: String,
    /// What to do.
    action: Option<String>,
    /// The bytes that the action saves.
    savings: Option<u64>,
    /// True if `savings` is an upper bound.
    is_upper_bound: bool,
    text: String,
}

impl PyRecommendation {
    fn new(found: &Recommendation) -> Self {
        Self {
            severity: found.severity().as_str().to_owned(),
            rule: found.rule().to_owned(),
            path: found.path().map(str::to_owned),
            evidence: found.evidence().to_owned(),
            action: found.action().map(str::to_owned),
            savings: found.savings(),
            is_upper_bound: found.is_upper_bound(),
            text: found.to_string(),
        }
    }
}

#[pymethods]
impl PyRecommendation {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Recommendation {}: {}>", self.severity, self.text)
    }
}
