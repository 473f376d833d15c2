//! The operations, raw and through the wrapper: first that both give the same, then what they take.

use crate::backend::Backend;
use crate::backend::Failure;
use crate::bench::Bench;
use crate::element::Element;
use crate::phases::Split;
use crate::report::{Report, Row};
use crate::tensor::UnitTensor;
use core::error::Error;
use core::fmt;

/// Sizes and times.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Elements of tensors without a shape that matters.
    pub elements: Vec<usize>,
    /// Rows and columns of matrices.
    pub sides: Vec<usize>,
}

impl Extent {
    /// What takes seconds.
    pub fn quick() -> Self {
        Self { elements: vec![1 << 8, 1 << 10, 1 << 12], sides: vec![16, 32] }
    }

    /// 1 K to 16 M elements, matrices of 32 to 1024 rows.
    pub fn full() -> Self {
        Self {
            elements: vec![1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 24],
            sides: vec![32, 64, 128, 256, 512, 1024],
        }
    }
}

/// What can be measured on a backend.
#[expect(missing_debug_implementations, reason = "criterion has none")]
pub struct Measured<'m, B> {
    /// What computes.
    pub backend: B,
    /// What times.
    pub bench: &'m mut Bench,
    /// Where the rows go.
    pub report: &'m mut Report,
    /// What comes before the operations' names.
    pub prefix: &'static str,
}

/// Why nothing was measured.
#[derive(Debug)]
#[non_exhaustive]
pub enum MeasureError {
    /// The wrapper's result is not that of the raw operation.
    Differs {
        /// Which operation.
        operation: String,
        /// The first element that differs; none, if there are more of one than of the other.
        at: Option<usize>,
    },
    /// An operation failed.
    Operation {
        /// Which.
        operation: String,
        /// Why.
        cause: Box<dyn Error + Send + Sync>,
    },
}

impl fmt::Display for MeasureError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Differs { operation, at: Some(at) } => {
                write!(out, "{operation}: raw and wrapped give another element {at}")
            }
            Self::Differs { operation, at: None } => {
                write!(out, "{operation}: raw and wrapped give another number of elements")
            }
            Self::Operation { operation, .. } => write!(out, "{operation} failed"),
        }
    }
}

impl Error for MeasureError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Differs { .. } => None,
            Self::Operation { cause, .. } => Some(cause.as_ref()),
        }
    }
}

impl<B> Measured<'_, B> {
    /// All operations on tensors and matrices of those sizes.
    ///
    /// # Errors
    /// If one fails, or gives something else through the wrapper.
    pub fn all<T: Element>(&mut self, extent: &Extent) -> Result<(), MeasureError>
    where
        B: Backend<T>,
    {
        for &elements in &extent.elements {
            self.elements::<T>(elements)?;
            self.devices::<T>(elements)?;
        }
        for &side in &extent.sides {
            self.matrices::<T>(side)?;
        }
        Ok(())
    }

    /// Times an operation with and without the wrapper, and adds the row.
    pub(crate) fn compare<T: Element, R, W>(
        &mut self,
        operation: String,
        elements: usize,
        split: Option<Split>,
        raw: impl FnMut() -> Result<R, Failure>,
        wrapped: impl FnMut() -> Result<W, Failure>,
    ) -> Result<(), MeasureError>
    where
        B: Backend<T>,
    {
        let (device, dtype) = (self.backend.device(), T::DTYPE);
        let name = format!("{device} {operation} {dtype}");
        let comparison = self.bench.compare(&name, elements, raw, wrapped);
        let comparison = comparison.map_err(|cause| failed(&operation, cause))?;
        self.report.rows.push(Row { device, operation, dtype, elements, comparison, split });
        Ok(())
    }

    /// The elements of a raw result and of a wrapped one, bit by bit.
    fn tensors<T: Element>(
        &self,
        operation: &str,
        raw: &B::Buffer,
        wrapped: &UnitTensor<T, B>,
    ) -> Result<(), MeasureError>
    where
        B: Backend<T>,
    {
        let download =
            |buffer| self.backend.download(buffer).map_err(|cause| failed(operation, cause));
        same(operation, &download(raw)?, &download(wrapped.data())?)
    }

    /// The same of elements on the host.
    #[expect(clippy::unused_self, reason = "it is called as the others are")]
    fn vectors<T: Element>(
        &self,
        operation: &str,
        raw: &[T],
        wrapped: &[T],
    ) -> Result<(), MeasureError>
    where
        B: Backend<T>,
    {
        same(operation, raw, wrapped)
    }

    /// The same of two results.
    pub(crate) fn pairs<T: Element>(
        &self,
        operation: &str,
        raw: &(B::Buffer, B::Buffer),
        wrapped: &(UnitTensor<T, B>, UnitTensor<T, B>),
    ) -> Result<(), MeasureError>
    where
        B: Backend<T>,
    {
        self.tensors(operation, &raw.0, &wrapped.0)?;
        self.tensors(operation, &raw.1, &wrapped.1)
    }
}

fn same<T: Element>(operation: &str, raw: &[T], wrapped: &[T]) -> Result<(), MeasureError> {
    let differs = |at| MeasureError::Differs { operation: operation.to_owned(), at };
    if raw.len() != wrapped.len() {
        return Err(differs(None));
    }
    let at = raw.iter().zip(wrapped).position(|(raw, wrapped)| raw.bits() != wrapped.bits());
    at.map_or(Ok(()), |at| Err(differs(Some(at))))
}

pub(crate) fn failed(operation: &str, cause: impl Into<Failure>) -> MeasureError {
    MeasureError::Operation { operation: operation.to_owned(), cause: cause.into() }
}

/// An error that crosses threads, whatever the backend's.
pub(crate) fn boxed(error: impl Error + Send + Sync + 'static) -> Failure {
    Box::new(error)
}

/// Checks that both give the same, times them and splits the wrapped one. That is compiled twice, with a
/// recorder that does nothing and with one that times phases.
macro_rules! row {
    (
        $measured:ident, $type:ty, $name:expr, $elements:expr, $same:ident,
        raw: $raw:expr,
        wrapped: |$recorder:ident| $wrapped:expr $(,)?
    ) => {{
        use $crate::measure::{boxed, failed};
        let name = format!("{}{}", $measured.prefix, $name);
        let raw = || $raw.map_err(boxed);
        let wrapped = || {
            let $recorder = &mut $crate::phases::Unrecorded;
            $wrapped.map_err(boxed)
        };
        let results = (raw(), wrapped());
        let results = (
            results.0.map_err(|cause| failed(&name, cause))?,
            results.1.map_err(|cause| failed(&name, cause))?,
        );
        $measured.$same::<$type>(&name, &results.0, &results.1)?;
        drop(results);
        let split = $crate::phases::Split::of(
            $measured.bench.split_time(),
            |$recorder| $wrapped.map_err(boxed),
            || $measured.bench.wait(),
        );
        let split = split.map_err(|cause| failed(&name, cause))?;
        $measured.compare::<$type, _, _>(name, $elements, Some(split), raw, wrapped)?;
    }};
}
#[cfg(feature = "candle")]
pub(crate) use row;

mod devices;
mod elements;
mod matrices;
