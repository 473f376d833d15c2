//! The optimisation model of `examples/optimization_model` as a module for Python.

/// The module contains the model and the reader of that example, so both examples profile the same
/// value.
#[path = "../../optimization_model"]
mod shared {
    pub(crate) mod matrix;
    pub(crate) mod model;
    pub(crate) mod mps;
}

use memprof::MemoryProfile;
use memprof_python::Viewed;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use shared::{matrix, model, mps};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The allocator, with whose counters Python measures what this extension allocates.
#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

/// A linear, mixed-integer or quadratic model.
#[derive(Debug, MemoryProfile)]
#[pyclass]
struct Model(model::Model);

#[pymethods]
impl Model {
    /// Reads a model from an MPS file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let model = py.detach(|| mps::read(&path));
        let model = model.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self(model))
    }

    /// The number of variables.
    #[getter]
    fn variables(&self) -> usize {
        self.0.variables.len()
    }

    /// The number of constraints.
    #[getter]
    fn constraints(&self) -> usize {
        self.0.constraints.len()
    }

    /// Frees the excess capacity of the model's collections.
    fn shrink_to_fit(&mut self) {
        self.0.shrink_to_fit();
    }

    fn __repr__(&self) -> String {
        format!("<Model {}>", self.0)
    }
}

memprof_python::profile_methods!(Model);

/// Values of the variables, which `NumPy` or another library owns.
#[derive(Debug, MemoryProfile)]
#[pyclass(frozen)]
struct Solution {
    objective: f64,
    primal: Viewed,
    dual: Option<Viewed>,
}

#[pymethods]
impl Solution {
    #[new]
    #[pyo3(signature = (objective, primal, dual = None))]
    fn new(objective: f64, primal: Viewed, dual: Option<Viewed>) -> Self {
        Self { objective, primal, dual }
    }

    /// The value of the objective function.
    #[getter]
    fn objective(&self) -> f64 {
        self.objective
    }

    /// The array of the primal values.
    #[getter]
    fn primal(&self, py: Python<'_>) -> Py<PyAny> {
        self.primal.object().clone_ref(py)
    }
}

memprof_python::profile_methods!(Solution);

/// The best solution that a solver has found so far.
#[derive(Debug, MemoryProfile)]
#[pyclass(frozen)]
struct Incumbent {
    best: Mutex<Option<Viewed>>,
}

#[pymethods]
impl Incumbent {
    #[new]
    fn new() -> Self {
        Self { best: Mutex::new(None) }
    }

    /// Replaces the solution.
    fn replace(&self, primal: Viewed) {
        let before = self.best.lock().unwrap_or_else(PoisonError::into_inner).replace(primal);
        // Dropping an array may run Python code, so the lock is released before.
        drop(before);
    }
}

memprof_python::profile_methods!(Incumbent);

/// Many small vectors, for measurements of long walks and large profiles.
#[derive(Debug, MemoryProfile)]
#[pyclass(frozen)]
struct Vectors {
    vectors: Vec<Vec<u32>>,
}

#[pymethods]
impl Vectors {
    #[new]
    fn new(py: Python<'_>, count: usize) -> Self {
        Self { vectors: py.detach(|| (0..count).map(|number| vec![0; number % 8]).collect()) }
    }
}

memprof_python::profile_methods!(Vectors);

#[pymodule]
fn python_model(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Model>()?;
    module.add_class::<Solution>()?;
    module.add_class::<Incumbent>()?;
    module.add_class::<Vectors>()?;
    memprof_python::add_to(module)
}
