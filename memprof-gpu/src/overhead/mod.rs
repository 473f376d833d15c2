//! What a wrapper type costs beside what it wraps.
//!
//! A type that carries a unit, a shape or a name around a buffer does more per call than the buffer's
//! own operations: it checks, converts, and makes a new wrapper. [`compare`] times both in turn and
//! tells the difference from the noise; [`Bench::split`] tells where the host's time goes; [`Fit`]
//! tells a cost per call from a cost per element; a [`Report`] is all of it as text, Markdown, JSON
//! and a drawing.
//!
//! On a device, host and device time are apart: a [`Bench`] takes a second [`Timer`], which marks the
//! device's stream.
//!
//! ```
//! use memprof_gpu::overhead::{Bench, Environment, Plan, Report, Row};
//! use memprof_profile::Device;
//! use std::convert::Infallible;
//! use std::hint::black_box;
//! use std::time::Duration;
//!
//! let mut report = Report::new(Environment::of_this_build());
//! let mut bench = Bench::on_host(Plan::default().measure(Duration::from_millis(3)));
//! for elements in [100, 1000] {
//!     let values = vec![1.0_f64; elements];
//!     let sum = || Ok::<f64, Infallible>(black_box(&values).iter().sum());
//!     let comparison = bench.compare(sum, sum)?;
//!     report.push(Row::measured("sum", "f64", Device::Cpu, elements as u64, comparison));
//! }
//! report.push(Row::skipped("all", Device::Cuda(0), "no CUDA driver was found"));
//! println!("{report}");
//! # Ok::<(), memprof_gpu::overhead::OverheadError>(())
//! ```

mod bench;
mod comparison;
#[cfg(feature = "cuda")]
mod device_timer;
mod environment;
mod error;
mod fit;
mod phases;
mod plan;
mod report;
mod row;
mod split;
mod statistics;
mod timer;

pub use bench::{Bench, compare};
pub use comparison::{Comparison, Timing, Verdict};
pub use environment::Environment;
pub use error::{OverheadError, Side};
pub use fit::{Fit, FitError, Point, Term};
pub use phases::{Phase, Phases, Recorder, Unrecorded};
pub use plan::{Batch, Plan};
pub use report::{Clock, PlotError, Report, Series};
pub use row::{Outcome, Row};
pub use split::Split;
pub use statistics::Estimate;
pub use timer::{HostTimer, NoDevice, Timer};
