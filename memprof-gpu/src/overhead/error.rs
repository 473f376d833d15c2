//! Why a comparison could not be made.

use core::error::Error;
use core::fmt;

/// What failed while operations were timed.
#[non_exhaustive]
pub enum OverheadError {
    /// A timer could not be read.
    Timer(Box<dyn Error + Send + Sync>),
    /// An operation failed that was to be timed.
    Operation {
        /// Which.
        side: Side,
        /// Why.
        cause: Box<dyn Error + Send + Sync>,
    },
}

/// One of the two that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The operation without the wrapper.
    Raw,
    /// The operation through the wrapper.
    Wrapped,
}

impl OverheadError {
    pub(super) fn timer(cause: impl Error + Send + Sync + 'static) -> Self {
        Self::Timer(Box::new(cause))
    }

    pub(super) fn operation(side: Side, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Operation { side, cause: cause.into() }
    }
}

impl fmt::Display for OverheadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Timer(_) => out.write_str("the timer could not be read"),
            Self::Operation { side, .. } => {
                let which = match side {
                    Side::Raw => "raw",
                    Side::Wrapped => "wrapped",
                };
                write!(out, "the {which} operation failed: check it alone before it is timed")
            }
        }
    }
}

/// The same text as `Display`, which is what `main` and `unwrap` print.
impl fmt::Debug for OverheadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for OverheadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Timer(cause) | Self::Operation { cause, .. } => Some(cause.as_ref()),
        }
    }
}
