//! The operations, raw and through the wrapper: first their results are compared, then their times.

use crate::backend::Backend;
use crate::backend::Failure;
use crate::bench::Bench;
use crate::element::Element;
use crate::phases::Split;
use crate::report::{Failed, Report, Row};
use crate::run::Effort;
use crate::tensor::UnitTensor;
use core::error::Error;
use core::fmt;

/// The sizes to measure.
#[derive(Clone, Debug)]
pub struct Extent {
    /// The numbers of elements of tensors whose shape does not matter.
    pub elements: Vec<usize>,
    /// The numbers of rows and columns of matrices.
    pub sides: Vec<usize>,
}

impl Extent {
    /// Returns the sizes for an effort: for all but the quick one, 1 K to 1 M elements or more, and
    /// matrices of 32 to 1024 rows.
    pub fn of(effort: Effort) -> Self {
        let (elements, sides): (&[u32], &[usize]) = match effort {
            Effort::Quick => (&[8, 10, 12], &[16, 32]),
            Effort::Short => (&[10, 15, 20], &[32, 256, 1024]),
            Effort::Full => (&[10, 14, 18, 20, 22, 24], &[32, 64, 128, 256, 512, 1024]),
        };
        Self { elements: elements.iter().map(|bits| 1 << bits).collect(), sides: sides.to_vec() }
    }
}

/// The measurements on one backend.
#[expect(missing_debug_implementations, reason = "criterion has none")]
pub struct Measured<'m, B> {
    /// The backend.
    pub backend: B,
    /// The bench that measures times.
    pub bench: &'m mut Bench,
    /// The report that receives the rows.
    pub report: &'m mut Report,
    /// The prefix of the operations' names.
    pub prefix: &'static str,
    /// The operations to measure; all if this is empty.
    pub only: &'m [String],
}

/// The error of a measurement.
#[derive(Debug)]
#[non_exhaustive]
pub enum MeasureError {
    /// The wrapper's result differs from the result of the raw operation.
    Differs {
        /// The operation.
        operation: String,
        /// The first element that differs; `None` if the lengths differ.
        at: Option<usize>,
    },
    /// An operation failed.
    Operation {
        /// The operation.
        operation: String,
        /// The cause.
        cause: Box<dyn Error + Send + Sync>,
    },
}

impl fmt::Display for MeasureError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Differs { operation, at: Some(at) } => {
                write!(out, "{operation}: the raw and the wrapped result differ at element {at}")
            }
            Self::Differs { operation, at: None } => {
                write!(out, "{operation}: the raw and the wrapped result differ in length")
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
    /// Measures all operations on tensors and matrices of these sizes. An operation that fails, or
    /// that has another result through the wrapper, is added to the report, and the others go on.
    pub fn all<T: Element>(&mut self, extent: &Extent)
    where
        B: Backend<T>,
    {
        for &elements in &extent.elements {
            let measured = self.elements::<T>(elements);
            self.note::<T>(elements, measured);
            let measured = self.devices::<T>(elements);
            self.note::<T>(elements, measured);
        }
        for &side in &extent.sides {
            let measured = self.matrices::<T>(side);
            self.note::<T>(side * side, measured);
        }
    }

    /// Adds the error of an operation to the report.
    pub(crate) fn note<T: Element>(&mut self, elements: usize, measured: Result<(), MeasureError>)
    where
        B: Backend<T>,
    {
        if let Err(error) = measured {
            let device = self.backend.device();
            self.report.failed.push(Failed { device, dtype: T::DTYPE, elements, error });
        }
    }

    /// Returns whether the operation is to be measured.
    pub(crate) fn is_wanted(&self, operation: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|wanted| wanted == operation)
    }

    /// Times an operation with and without the wrapper, and adds a row.
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

    /// Compares the elements of a raw and a wrapped result, bit by bit.
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
        expect_equal(operation, &download(raw)?, &download(wrapped.data())?)
    }

    /// Compares elements on the host.
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
        expect_equal(operation, raw, wrapped)
    }

    /// Compares pairs of results.
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

fn expect_equal<T: Element>(operation: &str, raw: &[T], wrapped: &[T]) -> Result<(), MeasureError> {
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

/// Converts the error of any backend to one that can cross threads.
pub(crate) fn boxed(error: impl Error + Send + Sync + 'static) -> Failure {
    Box::new(error)
}

/// Compares both results, times both operations, and splits the wrapped one into phases. The
/// wrapped operation is compiled twice: with a recorder that does nothing, and with one that times
/// phases.
macro_rules! row {
    (
        $measured:ident, $type:ty, $name:expr, $elements:expr, $compare:ident,
        raw: $raw:expr,
        wrapped: |$recorder:ident| $wrapped:expr $(,)?
    ) => {{
        use $crate::measure::{boxed, failed};
        let name = format!("{}{}", $measured.prefix, $name);
        if $measured.is_wanted(&name) {
            let outcome = (|| -> Result<(), $crate::measure::MeasureError> {
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
                $measured.$compare::<$type>(&name, &results.0, &results.1)?;
                drop(results);
                let split = $crate::phases::Split::of(
                    $measured.bench.split_time(),
                    |$recorder| $wrapped.map_err(boxed),
                    || $measured.bench.wait(),
                );
                let split = split.map_err(|cause| failed(&name, cause))?;
                $measured.compare::<$type, _, _>(name, $elements, Some(split), raw, wrapped)
            })();
            $measured.note::<$type>($elements, outcome);
        }
    }};
}
#[cfg(feature = "candle")]
pub(crate) use row;

mod devices;
mod elements;
mod matrices;
