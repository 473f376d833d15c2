//! Tables that other libraries read in place, through the Arrow C stream interface.

use crate::leaf_name::name_of;
use arrow_array::builder::{StringBuilder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use memprof_profile::Profile;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use std::ffi::CStr;
use std::fmt::Write;
use std::sync::Arc;

/// The name that the Arrow PyCapsule interface prescribes.
const STREAM: &CStr = c"arrow_array_stream";
/// The number of rows after which a batch ends.
const BATCH_ROWS: usize = 1 << 16;
/// The number of bytes of paths after which a batch ends, so that the offsets of its texts fit.
const BATCH_BYTES: usize = 1 << 26;

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
#[pyclass(frozen, name = "Table", module = "memprof")]
pub struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Table {
    /// Returns a table with one batch of rows.
    pub fn new(batch: RecordBatch) -> Self {
        Self { schema: batch.schema(), batches: vec![batch] }
    }

    /// Returns the table as a capsule with a C stream. A requested schema is ignored, which the
    /// interface allows.
    pub(crate) fn capsule<'py>(
        &self,
        py: Python<'py>,
        _requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let batches = self.batches.clone().into_iter().map(Ok);
        let reader = RecordBatchIterator::new(batches, Arc::clone(&self.schema));
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        Ok(PyCapsule::new_with_value(py, stream, STREAM)?.into_any())
    }

    fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Returns the rows as dictionaries.
    #[pyo3(signature = () -> "list[dict[str, object]]")]
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = PyList::empty(py);
        for batch in &self.batches {
            for row in 0..batch.num_rows() {
                let dict = PyDict::new(py);
                for (field, column) in self.schema.fields().iter().zip(batch.columns()) {
                    dict.set_item(field.name(), value(py, column, row)?)?;
                }
                rows.append(dict)?;
            }
        }
        Ok(rows)
    }

    /// Returns the columns as a dictionary of lists.
    #[pyo3(signature = () -> "dict[str, list[object]]")]
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (index, field) in self.schema.fields().iter().enumerate() {
            let list = PyList::empty(py);
            for batch in &self.batches {
                let column = batch.column(index);
                for row in 0..batch.num_rows() {
                    list.append(value(py, column, row)?)?;
                }
            }
            dict.set_item(field.name(), list)?;
        }
        Ok(dict)
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
        self.rows()
    }

    fn __repr__(&self) -> String {
        format!("<Table: {} rows, columns {}>", self.rows(), self.column_names().join(", "))
    }
}

/// Returns a cell as an object of Python.
fn value<'py>(py: Python<'py>, column: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    let value = match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
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
    let error = |error: ArrowError| PyRuntimeError::new_err(error.to_string());
    let mut batches = Vec::new();
    let mut leaves = LeafColumns::default();
    for (path, leaf) in profile.leaves() {
        // Writing to text in memory never fails.
        let _ = write!(leaves.path, "{path}");
        leaves.path.append_value("");
        leaves.name.append_value(name_of(&path));
        leaves.kind.append_value(leaf.kind().as_str());
        leaves.bytes.append_value(leaf.bytes());
        leaves.role.append_option(has_roles.then(|| leaf.role().as_str()));
        leaves.device.append_value(leaf.device().to_string());
        leaves.estimated_bytes.append_value(leaf.estimated_bytes());
        leaves.rows += 1;
        if leaves.rows == BATCH_ROWS || leaves.path.values_slice().len() >= BATCH_BYTES {
            batches.push(leaves.finish().map_err(error)?);
        }
    }
    // A table without rows still has a schema.
    if leaves.rows > 0 || batches.is_empty() {
        batches.push(leaves.finish().map_err(error)?);
    }
    Ok(Table { schema: batches[0].schema(), batches })
}

#[derive(Default)]
struct LeafColumns {
    path: StringBuilder,
    name: StringBuilder,
    kind: StringBuilder,
    bytes: UInt64Builder,
    role: StringBuilder,
    device: StringBuilder,
    estimated_bytes: UInt64Builder,
    rows: usize,
}

impl LeafColumns {
    fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        self.rows = 0;
        let columns: [(&str, ArrayRef, bool); 7] = [
            ("path", Arc::new(self.path.finish()), false),
            ("name", Arc::new(self.name.finish()), false),
            ("kind", Arc::new(self.kind.finish()), false),
            ("bytes", Arc::new(self.bytes.finish()), false),
            ("role", Arc::new(self.role.finish()), true),
            ("device", Arc::new(self.device.finish()), false),
            ("estimated_bytes", Arc::new(self.estimated_bytes.finish()), false),
        ];
        RecordBatch::try_from_iter_with_nullable(columns)
    }
}
