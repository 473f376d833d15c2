//! A child process that receives the signals of this process.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(super) use unix::run;
#[cfg(windows)]
pub(super) use windows::run;
