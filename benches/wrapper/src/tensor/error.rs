//! The error of an operation on tensors with units.

use crate::unit::Unit;
use core::error::Error;
use core::fmt;
use memprof::tree::Device;

/// The error of an operation on tensors with units.
#[derive(Debug)]
#[non_exhaustive]
pub enum TensorError<E> {
    /// The units do not match.
    Units {
        /// The unit of the left operand.
        left: Unit,
        /// The unit of the right operand.
        right: Unit,
    },
    /// The shapes do not match.
    Shapes {
        /// The shape of the left operand.
        left: Vec<usize>,
        /// The shape of the right operand.
        right: Vec<usize>,
    },
    /// The operands are on two devices.
    Devices {
        /// The device of the left operand.
        left: Device,
        /// The device of the right operand.
        right: Device,
    },
    /// Two tapes record the operands, or a required tape does not exist.
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
