//! A counter that was read, or the reason why it was not.

use core::fmt;
use std::error::Error;

/// What a counter said, or why it is not known; what is not known is never 0.
pub type Counter<T> = Result<T, Unavailable>;

/// Why a counter is not known.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Unavailable {
    /// Nobody asked for it this time.
    NotAsked,
    /// The device or its driver does not have it.
    NotSupported,
    /// This user may not read it.
    NoPermission,
    /// The driver is too old to have this function.
    MissingSymbol,
    /// The driver has it, and no value of it.
    NotReported,
    /// The device is lost: it fell off the bus, or has to be reset.
    Lost,
    /// It says what can't be.
    Inconsistent(String),
    /// The driver failed otherwise.
    Failed(String),
}

impl fmt::Display for Unavailable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAsked => out.write_str("not asked for"),
            Self::NotSupported => out.write_str("not supported by this device"),
            Self::NoPermission => out.write_str("this user may not read it"),
            Self::MissingSymbol => out.write_str("the driver is too old to tell"),
            Self::NotReported => out.write_str("the driver tells no value"),
            Self::Lost => out.write_str("the device is lost: reset it or restart the machine"),
            Self::Inconsistent(what) => write!(out, "the driver contradicts itself: {what}"),
            Self::Failed(why) => write!(out, "the driver failed: {why}"),
        }
    }
}

/// The same text as `Display`, which is what `main` and `unwrap` print.
impl fmt::Debug for Unavailable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for Unavailable {}
