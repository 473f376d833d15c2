//! Creation, transfers, operations element by element, sums, and chains of operations.

use super::{MeasureError, Measured};
use crate::backend::{Backend, Binary};
use crate::element::{Element, random};
use crate::phases::Unrecorded;
use crate::tensor::UnitTensor;
use crate::unit::Unit;

impl<B> Measured<'_, B> {
    /// Measures every operation on tensors of this number of elements.
    ///
    /// # Errors
    /// Returns an error if an operation fails, or has another result through the wrapper.
    #[expect(clippy::cast_precision_loss, reason = "the mean has no more digits than f32")]
    pub fn elements<T: Element>(&mut self, elements: usize) -> Result<(), MeasureError>
    where
        B: Backend<T>,
    {
        let backend = &self.backend.clone();
        let shape = [elements];
        let [one, other] = [1, 2].map(|seed| random::<T>(elements, seed));
        let tensor = |values: &[T], unit| {
            UnitTensor::upload(backend, values, &shape, unit, &mut Unrecorded)
                .map_err(|cause| super::failed("upload", cause))
        };
        let a = &tensor(&one, Unit::METRE)?;
        let b = &tensor(&other, Unit::METRE)?;
        let kilometres = &tensor(&other, Unit::KILOMETRE)?;
        let seconds = &tensor(&other, Unit::SECOND)?;
        let mean = 1.0 / elements as f32;

        row!(self, T, "create", elements, tensors,
            raw: backend.zeros(elements),
            wrapped: |recorder| UnitTensor::zeros(backend, &shape, Unit::METRE, recorder));
        row!(self, T, "to device", elements, tensors,
            raw: backend.upload(&one),
            wrapped: |recorder| UnitTensor::upload(backend, &one, &shape, Unit::METRE, recorder));
        row!(self, T, "from device", elements, vectors,
            raw: backend.download(a.data()),
            wrapped: |recorder| a.download(recorder));
        row!(self, T, "add", elements, tensors,
            raw: backend.combine(Binary::Add, a.data(), b.data()),
            wrapped: |recorder| a.combined(Binary::Add, b, recorder));
        row!(self, T, "add m + km", elements, tensors,
            raw: backend
                .scale(kilometres.data(), 1000.0)
                .and_then(|metres| backend.combine(Binary::Add, a.data(), &metres)),
            wrapped: |recorder| a.combined(Binary::Add, kilometres, recorder));
        row!(self, T, "mul", elements, tensors,
            raw: backend.combine(Binary::Mul, a.data(), b.data()),
            wrapped: |recorder| a.combined(Binary::Mul, b, recorder));
        row!(self, T, "div", elements, tensors,
            raw: backend.combine(Binary::Div, a.data(), seconds.data()),
            wrapped: |recorder| a.combined(Binary::Div, seconds, recorder));
        row!(self, T, "sum", elements, tensors,
            raw: backend.sum(a.data(), 1.0),
            wrapped: |recorder| a.sum(recorder));
        row!(self, T, "mean", elements, tensors,
            raw: backend.sum(a.data(), mean),
            wrapped: |recorder| a.mean(recorder));
        row!(self, T, "chain (a+b)·a/s, sum", elements, tensors,
            raw: backend
                .combine(Binary::Add, a.data(), b.data())
                .and_then(|sum| backend.combine(Binary::Mul, &sum, a.data()))
                .and_then(|area| backend.combine(Binary::Div, &area, seconds.data()))
                .and_then(|rate| backend.sum(&rate, 1.0)),
            wrapped: |recorder| a
                .combined(Binary::Add, b, recorder)
                .and_then(|sum| sum.combined(Binary::Mul, a, recorder))
                .and_then(|area| area.combined(Binary::Div, seconds, recorder))
                .and_then(|rate| rate.sum(recorder)));
        Ok(())
    }
}
