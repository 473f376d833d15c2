//! What computes: the raw operations that the wrapper is measured against.

use crate::element::Element;
use core::error::Error;
use core::fmt::Debug;
use memprof::Device;

/// The error of an operation.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Raw operations on buffers of one element type. A handle of it is cheap to clone.
pub trait Backend<T: Element>: Clone {
    /// Elements in the backend's memory.
    type Buffer: Debug;
    /// Why an operation failed.
    type Error: Error + Send + Sync + 'static;

    /// Whose memory the buffers are in.
    fn device(&self) -> Device;

    /// Zeros.
    ///
    /// # Errors
    /// If there is no memory, or the device failed; likewise below.
    fn zeros(&self, elements: usize) -> Result<Self::Buffer, Self::Error>;

    /// Elements of the host, copied to the device.
    ///
    /// # Errors
    /// As [`zeros`](Self::zeros).
    fn upload(&self, elements: &[T]) -> Result<Self::Buffer, Self::Error>;

    /// Elements of the device, copied to the host.
    ///
    /// # Errors
    /// As [`zeros`](Self::zeros).
    fn download(&self, buffer: &Self::Buffer) -> Result<Vec<T>, Self::Error>;

    /// Element by element, of buffers of one length.
    ///
    /// # Errors
    /// As [`zeros`](Self::zeros).
    fn combine(
        &self,
        operation: Binary,
        left: &Self::Buffer,
        right: &Self::Buffer,
    ) -> Result<Self::Buffer, Self::Error>;

    /// Each element times a factor.
    ///
    /// # Errors
    /// As [`zeros`](Self::zeros).
    fn scale(&self, buffer: &Self::Buffer, factor: f32) -> Result<Self::Buffer, Self::Error>;

    /// The sum of all elements times a factor, as one element. The same in every run.
    ///
    /// # Errors
    /// As [`zeros`](Self::zeros).
    fn sum(&self, buffer: &Self::Buffer, factor: f32) -> Result<Self::Buffer, Self::Error>;

    /// A product of matrices, row by row.
    ///
    /// # Errors
    /// As [`zeros`](Self::zeros), or if what multiplies matrices is missing.
    fn matmul(
        &self,
        left: &Self::Buffer,
        right: &Self::Buffer,
        product: Product,
    ) -> Result<Self::Buffer, Self::Error>;

    /// Where the buffer starts in the device's memory.
    fn address(buffer: &Self::Buffer) -> usize;

    /// The buffer's size.
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
    /// Its name in tables and in kernels.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Mul => "mul",
            Self::Div => "div",
        }
    }
}

/// The product of a matrix of `rows` × `inner` and one of `inner` × `columns`, after either was
/// transposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// Rows of the result.
    pub rows: usize,
    /// What is summed over.
    pub inner: usize,
    /// Columns of the result.
    pub columns: usize,
    /// Whether the left one is stored as `inner` × `rows`.
    pub transposes_left: bool,
    /// Whether the right one is stored as `columns` × `inner`.
    pub transposes_right: bool,
}

impl Product {
    /// Of matrices as they are.
    pub fn new(rows: usize, inner: usize, columns: usize) -> Self {
        Self { rows, inner, columns, transposes_left: false, transposes_right: false }
    }

    /// For `y = left · right`, the gradient by the left one: `dy · rightᵀ`.
    #[must_use]
    pub fn by_left(self) -> Self {
        let Self { rows, inner, columns, .. } = self;
        Self { transposes_right: true, ..Self::new(rows, columns, inner) }
    }

    /// The gradient by the right one: `leftᵀ · dy`.
    #[must_use]
    pub fn by_right(self) -> Self {
        let Self { rows, inner, columns, .. } = self;
        Self { transposes_left: true, ..Self::new(inner, rows, columns) }
    }
}
