//! Memory profiles for the classes of PyO3 extensions.
//!
//! One line gives a class the method `memory_profile()` and a `__sizeof__` that includes what the
//! value owns:
//!
//! ```
//! use memprof_profile::MemoryProfile;
//! use pyo3::prelude::*;
//!
//! #[pyclass(frozen)]
//! struct Names {
//!     names: Vec<String>,
//! }
//! # use memprof_profile::walk::{Position, Walk};
//! # impl MemoryProfile for Names {
//! #     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) { self.names.owned(walk, at) }
//! # }
//!
//! memprof_python::profile_methods!(Names);
//!
//! #[pymodule]
//! fn extension(module: &Bound<'_, PyModule>) -> PyResult<()> {
//!     module.add_class::<Names>()?;
//!     memprof_python::add_to(module)
//! }
//! ```
//!
//! | question | item |
//! |---|---|
//! | How does a class get a profile? | [`profile_methods!`] |
//! | What does Python see? | [`PyMemoryProfile`], [`PyProfileDiff`], [`PyReport`] |
//! | How do I count arrays that Python owns? | [`Viewed`] |
//! | How does Python measure the allocator and start a session? | [`PyHeap`], feature `heap` |
//! | How does a class export a table? | [`Table`] |

mod extension;
mod html;
mod profile;
mod viewed;

#[cfg(feature = "heap")]
mod heap;
#[cfg(feature = "arrow")]
mod table;

pub use extension::add_to;
#[cfg(feature = "heap")]
pub use heap::{PyHeap, PyHeapRecording, PyHeapSession};
pub use profile::{PyMemoryProfile, PyProfileDiff, PyRecommendation, PyReport};
#[cfg(feature = "arrow")]
pub use table::Table;
pub use viewed::Viewed;

#[doc(hidden)]
pub use extension::{profile_of, size_of};
#[doc(hidden)]
pub use profile::{runtime_error, value_error, write_file};
