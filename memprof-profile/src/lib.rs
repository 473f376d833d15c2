//! Profiles of memprof, with their statistics, advice, budgets and output formats. Use the crate
//! `memprof`, which adds the derive.
//!
//! [`Profile`] is the tree that a walk of `memprof-core` collected. It has several views: text,
//! folded stacks, JSON, YAML, SVG, Markdown, differences, statistics, advice and budgets. This
//! crate re-exports `memprof-core`, so one dependency is enough.

pub mod text;

mod profile;
mod tensors;

mod views;

mod budget;
mod sharing_analysis;
mod statistics;

mod advice;
mod report;

mod gauge;
mod source;

pub mod testing;

pub use memprof_core::*;

pub use advice::{Advisor, Recommendation, Rule, Severity, Thresholds};
pub use budget::{AmountError, Budget, BudgetExceeded};
pub use gauge::Gauge;
pub use profile::Profile;
pub use report::Report;
pub use sharing_analysis::SharingAnalysis;
pub use source::{ATTRIBUTED, Source};
pub use statistics::Statistics;
pub use tensors::{TensorRecord, Tensors};
pub use text::{Amount, Grouped, Units};
#[cfg(feature = "flamegraph")]
pub use views::FlamegraphError;
#[cfg(feature = "json")]
pub use views::JsonError;
pub use views::{
    Comparison, Diff, DiffEntry, DiffKind, FoldedError, Leaves, Path, PathNotFound, Tolerance, Top,
    TopPath, Tree, Visitor,
};
