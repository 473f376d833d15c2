//! Tables that other libraries read in place, through the Arrow C stream interface.
//!
//! A table is one batch. Offsets of texts have 64 bits, so that the paths of millions of leaves fit.

use crate::profile::name_of_leaf;
use arrow_array::builder::{LargeStringBuilder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::DataType;
use memprof_profile::Profile;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyCapsule, PyDict};
use std::ffi::CStr;
use std::fmt::Write;
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
        format!("<Table: {} rows, columns {}>", self.__len__(), self.column_names().join(", "))
    }
}

/// Returns a cell as an object of Python.
fn value<'py>(py: Python<'py>, column: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    let value = match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
        DataType::LargeUtf8 => column.as_string::<i64>().value(row).into_pyobject(py)?.into_any(),
        DataType::UInt64 => {
            column.as_primitive::<UInt64Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Int64 => {
            column.as_primitive::<Int64Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Float64 => {
            column.as_primitive::<Float64Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Boolean => {
            column.as_boolean().value(row).into_pyobject(py)?.to_owned().into_any()
        }
        other => {
            let error = format!("a column of the type {other} has no values in Python");
            return Err(PyRuntimeError::new_err(error));
        }
    };
    Ok(value)
}

/// Returns the leaves of a profile. Roles are null if the profile's source does not state them.
pub(crate) fn of_leaves(profile: &Profile, has_roles: bool) -> PyResult<Table> {
    let [mut path, mut name, mut kind, mut role, mut device] =
        std::array::from_fn(|_| LargeStringBuilder::new());
    let [mut bytes, mut estimated_bytes] = std::array::from_fn(|_| UInt64Builder::new());
    for (frames, leaf) in profile.leaves() {
        // Writing to text in memory never fails.
        let _ = write!(path, "{frames}");
        path.append_value("");
        name.append_value(name_of_leaf(&frames));
        kind.append_value(leaf.kind().as_str());
        bytes.append_value(leaf.bytes());
        role.append_option(has_roles.then(|| leaf.role().as_str()));
        device.append_value(leaf.device().to_string());
        estimated_bytes.append_value(leaf.estimated_bytes());
    }
    let columns: [(&str, ArrayRef, bool); 7] = [
        ("path", Arc::new(path.finish()), false),
        ("name", Arc::new(name.finish()), false),
        ("kind", Arc::new(kind.finish()), false),
        ("bytes", Arc::new(bytes.finish()), false),
        ("role", Arc::new(role.finish()), true),
        ("device", Arc::new(device.finish()), false),
        ("estimated_bytes", Arc::new(estimated_bytes.finish()), false),
    ];
    let rows = RecordBatch::try_from_iter_with_nullable(columns);
    rows.map(Table::new).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
