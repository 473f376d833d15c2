//! The commands, one file each. Each command reads its input, calls the library and prints the
//! result.

pub(crate) mod completions;
pub(crate) mod diff;
pub(crate) mod export;
pub(crate) mod flamegraph;
pub(crate) mod gpu;
pub(crate) mod html;
pub(crate) mod info;
pub(crate) mod leaks;
pub(crate) mod man;
pub(crate) mod ops;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod symbolize;
pub(crate) mod top;
pub(crate) mod tree;
