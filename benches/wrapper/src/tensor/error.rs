//! Why an operation on tensors with units can't be.

use crate::unit::Unit;
use core::error::Error;
use core::fmt;
use memprof::Device;

/// Why an operation can't be.
#[derive(Debug)]
#[non_exhaustive]
pub enum TensorError<E> {
    /// The units don't go together.
    Units {
        /// Of the left operand.
        left: Unit,
        /// Of the right operand.
        right: Unit,
    },
    /// The shapes don't go together.
    Shapes {
        /// Of the left operand.
        left: Vec<usize>,
        /// Of the right operand.
        right: Vec<usize>,
    },
    /// The operands are in the memory of two devices.
    Devices {
        /// Of the left operand.
        left: Device,
        /// Of the right operand.
        right: Device,
    },
    /// The operands' operations are recorded by two tapes, or by none where one is needed.
    Tapes,
    /// The raw operation failed.
    Backend(E),
}

impl<E> fmt::Display for TensorError<E> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Units { left, right } => {
                write!(out, "{left} and {right} don't go together: expected powers that are equal")
            }
            Self::Shapes { left, right } => {
                write!(out, "the shapes {left:?} and {right:?} don't go together")
            }
            Self::Devices { left, right } => write!(
                out,
                "the operands are on {left} and {right}: copy one of them to the other's device"
            ),
            Self::Tapes => out.write_str("the operands are not recorded by one tape"),
            Self::Backend(_) => out.write_str("the raw operation failed"),
        }
    }
}

impl<E: Error + 'static> Error for TensorError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Backend(cause) => Some(cause),
            _ => None,
        }
    }
}
