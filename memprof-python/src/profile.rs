//! The class `MemoryProfile` of Python.

use crate::comparison::PyProfileDiff;
use crate::leaf_name::name_of;
use crate::repr;
use memprof_profile::Profile;
use memprof_profile::tree::{Leaf, Path, Role};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// A finished profile: the memory that a value owned when the profile was made.
///
/// The object is immutable, so all threads may use it.
#[derive(Clone, Debug)]
#[pyclass(frozen, name = "MemoryProfile", module = "memprof")]
pub struct PyMemoryProfile {
    profile: Arc<Profile>,
}

/// A leaf of a profile: bytes of one kind at one path.
#[derive(Clone, Debug)]
#[pyclass(frozen, get_all, eq, name = "MemoryProfileLeaf", module = "memprof")]
#[derive(PartialEq, Eq)]
#[non_exhaustive]
pub struct PyLeaf {
    /// The frames from the root down, joined by `;`. The last frame is the kind.
    pub path: String,
    /// The last frame before the kind: the name of a field, for example.
    pub name: String,
    /// The kind of the bytes: `[data]`, `[spare]`, `[padding]` or another kind.
    pub kind: String,
    /// The number of bytes; 0 if the contents could not be read.
    pub bytes: u64,
    /// The role of the bytes, or `None` if the profile's source does not state it.
    pub role: Option<String>,
    /// The memory that the bytes are in: `cpu`, `cuda:0`.
    pub device: String,
    /// The part of the bytes that is estimated.
    pub estimated_bytes: u64,
}

impl PyLeaf {
    pub(crate) fn new(path: &Path<'_>, leaf: &Leaf, role: Option<Role>) -> Self {
        Self {
            path: path.to_string(),
            name: name_of(path),
            kind: leaf.kind().as_str().to_owned(),
            bytes: leaf.bytes(),
            role: role.map(|role| role.as_str().to_owned()),
            device: leaf.device().to_string(),
            estimated_bytes: leaf.estimated_bytes(),
        }
    }
}

#[pymethods]
impl PyLeaf {
    fn __repr__(&self) -> String {
        let Self { path, bytes, device, .. } = self;
        format!("MemoryProfileLeaf({path:?}, {bytes} bytes on {device})")
    }
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

fn read(json: &str) -> PyResult<Profile> {
    Profile::from_json(json).map_err(|error| value_error(&error))
}

/// Returns a `ValueError` with the error and its causes.
fn value_error(error: &dyn std::error::Error) -> PyErr {
    PyValueError::new_err(memprof_profile::text::WithCauses(error).to_string())
}

#[pymethods]
impl PyMemoryProfile {
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
        memprof_profile::text::Frame(self.profile.root().name()).to_string()
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

    /// Returns the bytes at a path below the root, such as `matrix;values`, or `None` if there is no
    /// such path.
    fn bytes_at(&self, path: &str) -> Option<u64> {
        self.profile.bytes_at(path)
    }

    /// Returns the bytes of each device.
    fn devices(&self) -> Vec<(String, u64)> {
        let devices = self.profile.devices().into_iter();
        devices.map(|(device, bytes)| (device.to_string(), bytes)).collect()
    }

    /// Returns every leaf. The bytes of the leaves add up to `total_bytes`.
    fn leaves(&self, py: Python<'_>) -> Vec<PyLeaf> {
        py.detach(|| {
            let has_roles = self.has_roles();
            let leaves = self.profile.leaves();
            let leaf = |(path, leaf): (Path<'_>, Leaf)| {
                PyLeaf::new(&path, &leaf, has_roles.then(|| leaf.role()))
            };
            leaves.map(leaf).collect()
        })
    }

    /// Returns the largest paths with their bytes, the largest first.
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

    /// Returns a string with statistics and advice.
    fn report(&self, py: Python<'_>) -> String {
        py.detach(|| self.profile.report().to_string())
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
        let json = self.to_json(py)?;
        Ok(py.import("json")?.call_method1("loads", (json,))?.cast_into::<PyDict>()?)
    }

    /// Returns what changed since `before`, a profile of this extension or of another one.
    #[pyo3(signature = (before: "object") -> "MemoryProfileDiff")]
    fn diff(&self, py: Python<'_>, before: &Bound<'_, PyAny>) -> PyResult<PyProfileDiff> {
        let before = other_profile(before)?;
        Ok(py.detach(|| PyProfileDiff::new(&before, &self.profile)))
    }

    fn __str__(&self, py: Python<'_>) -> String {
        py.detach(|| self.profile.to_string())
    }

    fn __repr__(&self) -> String {
        let exact = if self.is_exact() { "exact" } else { "not exact" };
        format!("<MemoryProfile {}: {} bytes, {exact}>", self.name(), self.total_bytes())
    }

    /// Returns the tree and a drawing of it as HTML without scripts.
    fn _repr_html_(&self, py: Python<'_>) -> String {
        py.detach(|| repr::html(&self.profile))
    }

    /// Returns the leaves as a stream of Arrow tables, in a capsule.
    #[cfg(feature = "arrow")]
    #[pyo3(signature = (requested_schema: "object | None" = None) -> "object")]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let table = py.detach(|| crate::table::of_leaves(&self.profile, self.has_roles()))?;
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

impl PyMemoryProfile {
    /// Returns whether the profile's source stated roles: folded stacks and counters do not.
    fn has_roles(&self) -> bool {
        self.profile.origin() == memprof_profile::tree::Origin::Values
    }
}
