//! A tensor with a unit.

mod arithmetic;
mod error;
mod profile;
mod tape;

use crate::backend::{Backend, Binary};
use crate::element::Element;
use crate::phases::{Phase, Recorder, Unrecorded};
use crate::unit::Unit;
use core::fmt;
use std::rc::Rc;
use std::sync::Arc;

pub use error::TensorError;
pub use tape::{Gradients, Tape};

/// A buffer with its unit and shape. If gradients are tracked, it has an entry on a tape.
pub struct UnitTensor<T: Element, B: Backend<T>> {
    backend: B,
    data: Rc<B::Buffer>,
    unit: Arc<Unit>,
    shape: Vec<usize>,
    tracked: Option<tape::Place<T, B>>,
}

/// The result of an operation.
pub type Outcome<T, B> = Result<UnitTensor<T, B>, TensorError<<B as Backend<T>>::Error>>;

impl<T: Element, B: Backend<T>> UnitTensor<T, B> {
    /// Creates a tensor of zeros with this shape.
    ///
    /// # Errors
    /// Returns an error if the backend fails.
    pub fn zeros(
        backend: &B,
        shape: &[usize],
        unit: Unit,
        recorder: &mut impl Recorder,
    ) -> Outcome<T, B> {
        recorder.enter(Phase::Dispatch);
        let elements = shape.iter().product();
        let data = backend.zeros(elements).map_err(TensorError::Backend)?;
        recorder.enter(Phase::Construction);
        let tensor = Self::wrap(backend, data, shape, unit);
        recorder.exit();
        Ok(tensor)
    }

    /// Creates a tensor from elements of the host.
    ///
    /// # Errors
    /// Returns an error if the number of elements does not match the shape, or the backend fails.
    pub fn upload(
        backend: &B,
        elements: &[T],
        shape: &[usize],
        unit: Unit,
        recorder: &mut impl Recorder,
    ) -> Outcome<T, B> {
        recorder.enter(Phase::Check);
        if shape.iter().product::<usize>() != elements.len() {
            let (left, right) = (shape.to_vec(), vec![elements.len()]);
            return Err(TensorError::Shapes { left, right });
        }
        recorder.enter(Phase::Dispatch);
        let data = backend.upload(elements).map_err(TensorError::Backend)?;
        recorder.enter(Phase::Construction);
        let tensor = Self::wrap(backend, data, shape, unit);
        recorder.exit();
        Ok(tensor)
    }

    /// Wraps an existing buffer. The caller guarantees that its length matches the shape.
    pub fn wrap(backend: &B, data: B::Buffer, shape: &[usize], unit: Unit) -> Self {
        Self {
            backend: backend.clone(),
            data: Rc::new(data),
            unit: Arc::new(unit),
            shape: shape.to_vec(),
            tracked: None,
        }
    }

    /// Returns the elements on the host.
    ///
    /// # Errors
    /// Returns an error if the backend fails.
    pub fn download(&self, recorder: &mut impl Recorder) -> Result<Vec<T>, TensorError<B::Error>> {
        recorder.enter(Phase::Dispatch);
        let elements = self.backend.download(&self.data).map_err(TensorError::Backend);
        recorder.exit();
        elements
    }

    /// Returns the raw buffer.
    pub fn data(&self) -> &B::Buffer {
        &self.data
    }

    /// Returns the unit of the elements.
    pub fn unit(&self) -> Unit {
        *self.unit
    }

    /// Returns the number of elements in each dimension.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns `true` if gradients are tracked.
    pub fn requires_grad(&self) -> bool {
        self.tracked.is_some()
    }

    /// Returns the sum. Converts the right operand if its unit has another scale.
    ///
    /// # Errors
    /// Returns an error if devices, shapes or units do not match, or the backend fails. The same
    /// applies to the methods below.
    pub fn add(&self, other: &Self) -> Outcome<T, B> {
        self.combined(Binary::Add, other, &mut Unrecorded)
    }

    /// Returns the element-wise product. Its unit is the product of both units.
    ///
    /// # Errors
    /// Returns the same errors as [`add`](Self::add).
    pub fn mul(&self, other: &Self) -> Outcome<T, B> {
        self.combined(Binary::Mul, other, &mut Unrecorded)
    }

    /// Returns the element-wise quotient. Its unit is the quotient of both units.
    ///
    /// # Errors
    /// Returns the same errors as [`add`](Self::add), or an error if gradients are tracked, because
    /// quotients do not support them.
    pub fn div(&self, other: &Self) -> Outcome<T, B> {
        self.combined(Binary::Div, other, &mut Unrecorded)
    }
}

impl<T: Element, B: Backend<T>> Clone for UnitTensor<T, B> {
    /// Returns another handle to the same elements.
    fn clone(&self) -> Self {
        Self {
            backend: self.backend.clone(),
            data: Rc::clone(&self.data),
            unit: Arc::clone(&self.unit),
            shape: self.shape.clone(),
            tracked: self.tracked.clone(),
        }
    }
}

impl<T: Element, B: Backend<T>> fmt::Debug for UnitTensor<T, B> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("UnitTensor")
            .field("device", &self.backend.device())
            .field("dtype", &T::DTYPE)
            .field("shape", &self.shape)
            .field("unit", &self.unit)
            .field("requires_grad", &self.requires_grad())
            .finish_non_exhaustive()
    }
}
