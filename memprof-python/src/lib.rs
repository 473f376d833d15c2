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
//! | What does Python see? | [`PyMemoryProfile`], [`PyLeaf`], [`PyProfileDiff`] |
//! | How are arrays counted that Python owns? | [`Viewed`] |
//! | How does Python read the allocator's counters? | [`add_to`], feature `heap` |
//! | How does a class export a table? | [`Table`] |

mod comparison;
mod leaf_name;
mod methods;
mod module;
mod profile;
mod repr;

#[cfg(feature = "arrow")]
mod table;

#[cfg(feature = "heap")]
mod heap;

mod viewed;

pub use comparison::PyProfileDiff;
#[cfg(feature = "heap")]
pub use heap::{PyHeap, PyHeapRecording};
pub use module::add_to;
pub use profile::{PyLeaf, PyMemoryProfile};
#[cfg(feature = "arrow")]
pub use table::Table;
pub use viewed::Viewed;

#[doc(hidden)]
pub use methods::{profile_of, size_of};
