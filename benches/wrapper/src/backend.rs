//! Backends: the raw operations with which the wrapper is compared.

use crate::element::Element;
use core::error::Error;
use core::fmt::Debug;
use memprof::tree::Device;

/// The error of an operation.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Raw operations on buffers of one element type. Cloning a backend is cheap.
pub trait Backend<T: Element>: Clone {
    /// Elements in the backend's memory.
    type Buffer: Debug;
    /// The error of an operation.
    type Error: Error + Send + Sync + 'static;

    /// Returns the device that contains the buffers.
    fn device(&self) -> Device;

    /// Returns zeros.
    ///
    /// # Errors
    /// Returns an error if there is no memory, or the device failed. The same applies to the
    /// methods below.
    fn zeros(&self, elements: usize) -> Result<Self::Buffer, Self::Error>;

    /// Copies elements from the host to the device.
    ///
    /// # Errors
    /// Returns the same errors as [`zeros`](Self::zeros).
    fn upload(&self, elements: &[T]) -> Result<Self::Buffer, Self::Error>;

    /// Copies elements from the device to the host.
    ///
    /// # Errors
    /// Returns the same errors as [`zeros`](Self::zeros).
    fn download(&self, buffer: &Self::Buffer) -> Result<Vec<T>, Self::Error>;

    /// Combines buffers of equal length element by element.
    ///
    /// # Errors
    /// Returns the same errors as [`zeros`](Self::zeros).
    fn combine(
        &self,
        operation: Binary,
        left: &Self::Buffer,
        right: &Self::Buffer,
    ) -> Result<Self::Buffer, Self::Error>;

    /// Multiplies each element by a factor.
    ///
    /// # Errors
    /// Returns the same errors as [`zeros`](Self::zeros).
    fn scale(&self, buffer: &Self::Buffer, factor: f32) -> Result<Self::Buffer, Self::Error>;

    /// Returns the sum of all elements times a factor, as one element. Every run gives the same
    /// result.
    ///
    /// # Errors
    /// Returns the same errors as [`zeros`](Self::zeros).
    fn sum(&self, buffer: &Self::Buffer, factor: f32) -> Result<Self::Buffer, Self::Error>;

    /// Returns the product of two matrices, which are stored row by row.
    ///
    /// # Errors
    /// Returns the same errors as [`zeros`](Self::zeros), or an error if the library that
    /// multiplies matrices is missing.
    fn matmul(
        &self,
        left: &Self::Buffer,
        right: &Self::Buffer,
        product: Product,
    ) -> Result<Self::Buffer, Self::Error>;

    /// Returns the address of the buffer in the device's memory.
    fn address(buffer: &Self::Buffer) -> usize;

    /// Returns the buffer's size.
    fn bytes(buffer: &Self::Buffer) -> usize;
}

/// An operation element by element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// The sum.
    Add,
    /// The product.
    Mul,
    /// The quotient.
    Div,
}

impl Binary {
    /// Returns the operation's name in tables and in kernels.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Mul => "mul",
            Self::Div => "div",
        }
    }
}

/// The product of a matrix of `rows` × `inner` and one of `inner` × `columns`, where either may be
/// stored transposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// The number of rows of the result.
    pub rows: usize,
    /// The number of columns of the left matrix, which is the number of rows of the right matrix.
    pub inner: usize,
    /// The number of columns of the result.
    pub columns: usize,
    /// `true` if the left matrix is stored as `inner` × `rows`.
    pub transposes_left: bool,
    /// `true` if the right matrix is stored as `columns` × `inner`.
    pub transposes_right: bool,
}

impl Product {
    /// Returns the product of two matrices that are not transposed.
    pub fn new(rows: usize, inner: usize, columns: usize) -> Self {
        Self { rows, inner, columns, transposes_left: false, transposes_right: false }
    }

    /// Returns the product for the gradient of `y = left · right` with respect to the left matrix:
    /// `dy · rightᵀ`.
    #[must_use]
    pub fn by_left(self) -> Self {
        let Self { rows, inner, columns, .. } = self;
        Self { transposes_right: true, ..Self::new(rows, columns, inner) }
    }

    /// Returns the product for the gradient with respect to the right matrix: `leftᵀ · dy`.
    #[must_use]
    pub fn by_right(self) -> Self {
        let Self { rows, inner, columns, .. } = self;
        Self { transposes_left: true, ..Self::new(inner, rows, columns) }
    }
}
