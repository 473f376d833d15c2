//! Operations: check, convert, dispatch, construct.

use super::tape::{Operation, Place};
use super::{Outcome, TensorError, UnitTensor};
use crate::backend::{Backend, Binary, Product};
use crate::element::Element;
use crate::phases::{Phase, Recorder};
use crate::unit::Unit;
use std::rc::Rc;
use std::sync::Arc;

impl<T: Element, B: Backend<T>> UnitTensor<T, B> {
    /// Combines tensors element by element, and reports its phases to a recorder.
    ///
    /// # Errors
    /// Returns an error if devices, shapes or units do not match, or the backend fails.
    pub fn combined(
        &self,
        operation: Binary,
        other: &Self,
        recorder: &mut impl Recorder,
    ) -> Outcome<T, B> {
        recorder.enter(Phase::Check);
        self.check_device(other)?;
        if self.shape != other.shape {
            return Err(self.shapes(other));
        }
        if operation == Binary::Add && !self.unit.is_like(&other.unit) {
            return Err(TensorError::Units { left: *self.unit, right: *other.unit });
        }
        let tracked = self.tracked_with(other)?;
        recorder.enter(Phase::Conversion);
        let factor = match operation {
            Binary::Add => self.unit.factor_from(&other.unit),
            Binary::Mul | Binary::Div => None,
        };
        let converted = factor.map(|factor| self.backend.scale(&other.data, factor as f32));
        let converted = converted.transpose().map_err(TensorError::Backend)?.map(Rc::new);
        let right = converted.as_ref().unwrap_or(&other.data);
        recorder.enter(Phase::Dispatch);
        let data = self.backend.combine(operation, &self.data, right);
        let data = data.map_err(TensorError::Backend)?;
        recorder.enter(Phase::Construction);
        let unit = match operation {
            Binary::Add => Arc::clone(&self.unit),
            Binary::Mul => Arc::new(*self.unit * *other.unit),
            Binary::Div => Arc::new(*self.unit / *other.unit),
        };
        let place = match (tracked, operation) {
            (None, _) => None,
            (Some(tape), Binary::Add) => Some(tape.record(Operation::Add { factor }, self, other)),
            (Some(tape), Binary::Mul) => Some(tape.record(Operation::Mul, self, other)),
            (Some(_), Binary::Div) => return Err(TensorError::Tapes),
        };
        let result = self.result(data, self.shape.clone(), unit, place);
        recorder.exit();
        Ok(result)
    }

    /// Returns the product of two matrices. Its unit is the product of both units.
    ///
    /// # Errors
    /// Returns an error if the operands are not matrices of matching shapes on one device, or the
    /// backend fails.
    pub fn matmul(&self, other: &Self, recorder: &mut impl Recorder) -> Outcome<T, B> {
        recorder.enter(Phase::Check);
        self.check_device(other)?;
        let (&[rows, inner], &[other_rows, columns]) =
            (self.shape.as_slice(), other.shape.as_slice())
        else {
            return Err(self.shapes(other));
        };
        if inner != other_rows {
            return Err(self.shapes(other));
        }
        let tracked = self.tracked_with(other)?;
        let product = Product::new(rows, inner, columns);
        recorder.enter(Phase::Dispatch);
        let data = self.backend.matmul(&self.data, &other.data, product);
        let data = data.map_err(TensorError::Backend)?;
        recorder.enter(Phase::Construction);
        let unit = Arc::new(*self.unit * *other.unit);
        let place = tracked.map(|tape| tape.record(Operation::Matmul(product), self, other));
        let result = self.result(data, vec![rows, columns], unit, place);
        recorder.exit();
        Ok(result)
    }

    /// Returns the sum of all elements. The result does not track gradients.
    ///
    /// # Errors
    /// Returns an error if the backend fails.
    pub fn sum(&self, recorder: &mut impl Recorder) -> Outcome<T, B> {
        self.reduced(1.0, recorder)
    }

    /// Returns the mean of all elements, which is NaN for an empty tensor. The result does not
    /// track gradients.
    ///
    /// # Errors
    /// Returns an error if the backend fails.
    #[expect(clippy::cast_precision_loss, reason = "the mean has no more digits than f32")]
    pub fn mean(&self, recorder: &mut impl Recorder) -> Outcome<T, B> {
        let elements: usize = self.shape.iter().product();
        self.reduced(1.0 / elements as f32, recorder)
    }

    fn reduced(&self, factor: f32, recorder: &mut impl Recorder) -> Outcome<T, B> {
        recorder.enter(Phase::Dispatch);
        let data = self.backend.sum(&self.data, factor).map_err(TensorError::Backend)?;
        recorder.enter(Phase::Construction);
        let result = self.result(data, Vec::new(), Arc::clone(&self.unit), None);
        recorder.exit();
        Ok(result)
    }

    /// Checks that another tensor, of any backend, is on the same device.
    ///
    /// # Errors
    /// Returns an error if the other tensor is on another device.
    pub fn check_device<C: Backend<T>>(
        &self,
        other: &UnitTensor<T, C>,
    ) -> Result<(), TensorError<B::Error>> {
        let (left, right) = (self.backend.device(), other.backend.device());
        if left == right { Ok(()) } else { Err(TensorError::Devices { left, right }) }
    }

    fn shapes(&self, other: &Self) -> TensorError<B::Error> {
        TensorError::Shapes { left: self.shape.clone(), right: other.shape.clone() }
    }

    fn result(
        &self,
        data: B::Buffer,
        shape: Vec<usize>,
        unit: Arc<Unit>,
        tracked: Option<Place<T, B>>,
    ) -> Self {
        Self { backend: self.backend.clone(), data: Rc::new(data), unit, shape, tracked }
    }
}
