//! The command line of memprof in the process of the interpreter.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the command line with these arguments and returns its exit code. The first argument is the
/// name by which the command was called.
///
/// The command writes to the descriptors of the process, not to `sys.stdout`.
#[pyfunction]
#[pyo3(signature = (arguments: "list[str]"))]
pub(crate) fn run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let code = py.detach(|| memprof_cli::main_with(arguments));
    // An `ExitCode` can be compared, but does not return its number.
    (0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(u8::MAX)
}
