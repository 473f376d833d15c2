//! The value of a counter, or the reason why it is unavailable.

use core::fmt;
use std::error::Error;

/// The value of a counter, or the reason why it is unavailable. An unavailable counter is an error,
/// not 0.
pub type Counter<T> = Result<T, Unavailable>;

/// The reason why a counter is unavailable.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Unavailable {
    /// The reading did not include the counter.
    NotAsked,
    /// The device or its driver does not have the counter.
    NotSupported,
    /// The user that runs this process has no permission to read the counter.
    NoPermission,
    /// The driver is too old to have the counter's function.
    MissingSymbol,
    /// The driver supports the counter and reports no value for it.
    NotReported,
    /// The first reading is not complete.
    Pending,
    /// This process runs in a PID namespace of its own, for example in a container, and the driver
    /// lists the process IDs of another one.
    OtherPidNamespace,
    /// The device is lost: it has fallen off the bus, or must be reset.
    Lost,
    /// The value contradicts another one.
    Inconsistent(String),
    /// The driver failed for another reason.
    Failed(String),
}

impl fmt::Display for Unavailable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAsked => out.write_str("not requested"),
            Self::NotSupported => out.write_str("not supported by this device"),
            Self::NoPermission => out.write_str("no permission to read it"),
            Self::MissingSymbol => out.write_str("the driver is too old to report it"),
            Self::NotReported => out.write_str("the driver reports no value"),
            Self::Pending => out.write_str("not read yet"),
            Self::OtherPidNamespace => {
                out.write_str("in a container, the driver's process IDs belong to other processes")
            }
            Self::Lost => out.write_str("the device is lost: reset it or restart the machine"),
            Self::Inconsistent(contradiction) => {
                write!(out, "the driver contradicts itself: {contradiction}")
            }
            Self::Failed(reason) => write!(out, "the driver failed: {reason}"),
        }
    }
}

/// Prints the text of `Display`, because `main` and `unwrap` print this form.
impl fmt::Debug for Unavailable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for Unavailable {}
