//! The command line of memprof in the process of the interpreter, and amounts of memory as the command
//! reads and writes them.

use memprof_profile::testing::Budget;
use memprof_profile::text::{self, Units};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the command line with these arguments and returns its exit code. The first argument is the
/// name under which the command was called.
///
/// The command writes to the descriptors of the process, not to `sys.stdout`.
#[pyfunction]
#[pyo3(signature = (arguments: "list[str]"))]
pub(crate) fn run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let code = py.detach(|| memprof_cli::main_with(arguments));
    // An `ExitCode` can be compared, but does not return its number.
    (0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(u8::MAX)
}

/// Returns the bytes of an amount such as `24 MB`.
#[pyfunction]
pub(crate) fn budget(text: &str) -> PyResult<u64> {
    let budget = text.parse::<Budget>();
    budget.map(Budget::bytes).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Returns bytes in IEC units.
#[pyfunction]
pub(crate) fn shown(bytes: i64) -> String {
    let sign = if bytes < 0 { "-" } else { "" };
    format!("{sign}{}", Units::Iec.show(bytes.unsigned_abs()))
}

/// Returns a number with its noun, such as `1,204 blocks`.
#[pyfunction]
pub(crate) fn counted(number: u64, noun: &str) -> String {
    text::counted(number, noun)
}
