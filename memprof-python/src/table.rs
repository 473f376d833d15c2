//! Tables that other libraries read in place, through the Arrow C stream interface.
//!
//! A table is one batch. Offsets of texts have 64 bits, so that the paths of millions of leaves fit.

use crate::PyMemoryProfile;
use crate::profile::{Leaf, runtime_error};
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, LargeStringArray, RecordBatch, RecordBatchIterator, UInt64Array,
};
use arrow_schema::DataType;
use memprof_profile::text::counted;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyCapsule, PyDict};
use std::ffi::CStr;
use std::sync::Arc;

/// The name that the Arrow PyCapsule interface prescribes.
const STREAM: &CStr = c"arrow_array_stream";

/// A table with named columns, which is immutable.
///
/// Libraries that support the Arrow PyCapsule interface read it without a copy:
/// `pyarrow.table(table)`, `polars.DataFrame(table)`, a query of DuckDB.
///
/// ```
/// use arrow_array::{ArrayRef, RecordBatch, UInt64Array};
/// use memprof_python::Table;
/// use std::sync::Arc;
///
/// let bytes: ArrayRef = Arc::new(UInt64Array::from(vec![16, 24]));
/// let table = Table::new(RecordBatch::try_from_iter([("bytes", bytes)])?);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
#[derive(Clone, Debug)]
#[pyclass(frozen, name = "Table", module = "memprof_rs")]
pub struct Table {
    rows: RecordBatch,
}

impl Table {
    /// Returns a table with these rows.
    pub fn new(rows: RecordBatch) -> Self {
        Self { rows }
    }

    /// Returns a table with these columns: the name, the values, and whether they may be null.
    #[doc(hidden)]
    pub fn from_columns(
        columns: impl IntoIterator<Item = (&'static str, ArrayRef, bool)>,
    ) -> PyResult<Self> {
        let rows = RecordBatch::try_from_iter_with_nullable(columns);
        rows.map(Self::new).map_err(runtime_error)
    }

    /// Returns the table as a capsule with a C stream. A requested schema is ignored, which the
    /// interface allows.
    pub(crate) fn capsule<'py>(
        &self,
        py: Python<'py>,
        _requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let reader = RecordBatchIterator::new([Ok(self.rows.clone())], self.rows.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        Ok(PyCapsule::new_with_value(py, stream, STREAM)?.into_any())
    }

    /// Returns the columns with their names.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, Vec<Bound<'py, PyAny>>)>> {
        let column = |(name, column)| {
            let values = (0..self.rows.num_rows()).map(|row| value(py, column, row));
            Ok((name, values.collect::<PyResult<_>>()?))
        };
        self.column_names().into_iter().zip(self.rows.columns()).map(column).collect()
    }
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.rows.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Returns the rows as dictionaries.
    #[pyo3(signature = () -> "list[dict[str, object]]")]
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let columns = self.columns(py)?;
        let row = |row: usize| columns.iter().map(move |(name, column)| (name, &column[row]));
        (0..self.rows.num_rows()).map(|index| row(index).into_py_dict(py)).collect()
    }

    /// Returns the columns as a dictionary of lists.
    #[pyo3(signature = () -> "dict[str, list[object]]")]
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.columns(py)?.into_py_dict(py)
    }

    #[pyo3(signature = (requested_schema: "object | None" = None) -> "object")]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.capsule(py, requested_schema)
    }

    fn __len__(&self) -> usize {
        self.rows.num_rows()
    }

    fn __repr__(&self) -> String {
        let rows = counted(self.__len__() as u64, "row");
        format!("<Table: {rows}, columns {}>", self.column_names().join(", "))
    }
}

/// Returns a cell as an object of Python.
fn value<'py>(py: Python<'py>, column: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row).into_bound_py_any(py),
        DataType::LargeUtf8 => column.as_string::<i64>().value(row).into_bound_py_any(py),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(row).into_bound_py_any(py),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).into_bound_py_any(py),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).into_bound_py_any(py),
        DataType::Boolean => column.as_boolean().value(row).into_bound_py_any(py),
        other => {
            let error = format!("a column of the type {other} has no values in Python");
            Err(PyRuntimeError::new_err(error))
        }
    }
}

/// Returns the leaves of a profile.
pub(crate) fn of_leaves(profile: &PyMemoryProfile) -> PyResult<Table> {
    let rows: Vec<Leaf> = profile.rows().collect();
    let texts = |value: fn(&Leaf) -> Option<&str>| -> ArrayRef {
        Arc::new(rows.iter().map(value).collect::<LargeStringArray>())
    };
    let counts = |value: fn(&Leaf) -> u64| -> ArrayRef {
        Arc::new(rows.iter().map(value).map(Some).collect::<UInt64Array>())
    };
    let columns = [
        ("path", texts(|leaf| Some(&leaf.path)), false),
        ("name", texts(|leaf| Some(&leaf.name)), false),
        ("kind", texts(|leaf| Some(leaf.kind)), false),
        ("bytes", counts(|leaf| leaf.bytes), false),
        ("role", texts(|leaf| leaf.role), true),
        ("device", texts(|leaf| Some(&leaf.device)), false),
        ("estimated_bytes", counts(|leaf| leaf.estimated_bytes), false),
    ];
    Table::from_columns(columns)
}
