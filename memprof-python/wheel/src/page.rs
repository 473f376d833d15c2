//! Pages in a notebook.

use memprof_profile::Profile;
use memprof_profile::text::Grouped;
use memprof_python::{runtime_error, value_error};
use pyo3::prelude::*;
use std::path::PathBuf;

/// The page of a profile or a recording: one HTML file that needs no network.
///
/// A notebook shows it in a frame of its own. The scripts of the page run in that frame only, and
/// cannot read the notebook.
#[derive(Debug)]
#[pyclass(frozen, module = "memprof_rs")]
pub(crate) struct Page {
    html: String,
    height: u32,
}

impl Page {
    pub(crate) fn new(
        page: memprof_export::Page<'_>,
        title: Option<&str>,
        height: u32,
    ) -> PyResult<Self> {
        let page = if let Some(title) = title { page.title(title) } else { page };
        let mut text = Vec::new();
        page.write(&mut text).map_err(runtime_error)?;
        let html = String::from_utf8(text).map_err(runtime_error)?;
        Ok(Self { html, height })
    }
}

/// Returns the page of a profile, from the text that its method `to_json` returned.
#[pyfunction]
#[pyo3(signature = (json, *, title = None, height = 640))]
pub(crate) fn page_of_profile(
    py: Python<'_>,
    json: &str,
    title: Option<&str>,
    height: u32,
) -> PyResult<Page> {
    py.detach(|| {
        let profile = Profile::from_json(json).map_err(|error| value_error(&error))?;
        Page::new(memprof_export::Page::of_profile(&profile), title, height)
    })
}

#[pymethods]
impl Page {
    /// The page as HTML.
    #[getter]
    fn html(&self) -> &str {
        &self.html
    }

    /// Writes the page to a file.
    ///
    /// Raises `FileExistsError` if the file exists, unless `overwrite` is true.
    #[pyo3(signature = (path, *, overwrite = false))]
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        memprof_python::write_file(py, &path, &self.html, overwrite)
    }

    /// Returns a frame that contains the page.
    fn _repr_html_(&self) -> String {
        // Only these two characters end the attribute or begin an entity.
        let page = self.html.replace('&', "&amp;").replace('"', "&quot;");
        format!(
            "<iframe sandbox=\"allow-scripts\" srcdoc=\"{page}\" width=\"100%\" \
             height=\"{}\" style=\"border:0\"></iframe>",
            self.height
        )
    }

    fn __repr__(&self) -> String {
        format!("<Page: {} bytes of HTML>", Grouped(self.html.len() as u64))
    }
}
