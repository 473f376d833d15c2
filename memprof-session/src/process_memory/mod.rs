//! The memory of the process as the operating system counts it. Figures that a system lacks are
//! unknown.

#[cfg_attr(any(target_os = "linux", target_os = "android"), path = "linux.rs")]
#[cfg_attr(not(any(target_os = "linux", target_os = "android")), path = "other.rs")]
mod reader;

pub(crate) use reader::ProcessMemoryReader;
