//! The native part of the Python package `memprof_rs`.

mod command;
mod page;
mod recording;

/// Readers of profiles and recordings, and the command line.
#[pyo3::pymodule]
mod _memprof {
    #[pymodule_export]
    use memprof_python::{PyMemoryProfile, PyProfileDiff, PyRecommendation, PyReport, Table};

    #[pymodule_export]
    use crate::command::{budget, counted, run, shown};

    #[pymodule_export]
    use crate::page::{Page, page_of_profile};

    #[pymodule_export]
    use crate::recording::{Recording, read_profile};
}
