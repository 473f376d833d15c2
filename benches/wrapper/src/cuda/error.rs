//! Errors of CUDA.

use crate::backend::Product;
use core::error::Error;
use core::fmt;
use cudarc::cublas::result::CublasError;
use cudarc::driver::DriverError;

/// An error of CUDA.
#[derive(Debug)]
#[non_exhaustive]
pub enum CudaError {
    /// The driver failed.
    Driver(DriverError),
    /// The library that multiplies matrices failed.
    Blas(CublasError),
    /// The library that multiplies matrices is missing, for this reason.
    NoBlas(String),
    /// There are more elements than a kernel's index can count.
    TooMany(usize),
    /// The element counts of the matrices do not match the dimensions in `product`.
    Lengths {
        /// The elements of the left matrix.
        left: usize,
        /// The elements of the right matrix.
        right: usize,
        /// The product.
        product: Product,
    },
}

impl fmt::Display for CudaError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Driver(_) => out.write_str("CUDA's driver failed"),
            Self::Blas(_) => out.write_str("cuBLAS failed"),
            Self::NoBlas(reason) => {
                write!(
                    out,
                    "{reason}: let LD_LIBRARY_PATH name the folder of the toolkit's libraries"
                )
            }
            Self::TooMany(elements) => {
                write!(out, "{elements} elements are too many: expected at most {}", i32::MAX)
            }
            Self::Lengths { left, right, product } => {
                write!(out, "matrices of {left} and {right} elements have no {product:?}")
            }
        }
    }
}

impl Error for CudaError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Driver(cause) => Some(cause),
            Self::Blas(cause) => Some(cause),
            Self::NoBlas(_) | Self::TooMany(_) | Self::Lengths { .. } => None,
        }
    }
}

impl From<DriverError> for CudaError {
    fn from(error: DriverError) -> Self {
        Self::Driver(error)
    }
}

impl From<CublasError> for CudaError {
    fn from(error: CublasError) -> Self {
        Self::Blas(error)
    }
}
