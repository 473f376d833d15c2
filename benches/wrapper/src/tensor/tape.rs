//! A record of operations, from which gradients are computed backwards.

use super::{Outcome, TensorError, UnitTensor};
use crate::backend::{Backend, Binary, Product};
use crate::element::Element;
use crate::phases::{Phase, Recorder};
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::sync::Arc;

type Entries<T, B> = RefCell<Vec<Option<Entry<T, B>>>>;

/// A record of operations, in the order in which they ran. It ends when its last handle is dropped.
/// Tensors do not keep it alive.
#[derive(Debug)]
pub struct Tape<T: Element, B: Backend<T>> {
    entries: Rc<Entries<T, B>>,
}

/// The entry of a tensor on a tape. The reference is weak, because a tape has tensors as operands:
/// a strong one would form a cycle.
pub(super) struct Place<T: Element, B: Backend<T>> {
    entries: Weak<Entries<T, B>>,
    entry: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    /// The sum, with the conversion factor of the right operand.
    Add {
        factor: Option<f64>,
    },
    Mul,
    Matmul(Product),
}

/// An operation and its operands. For a tensor that is only watched, the tape has `None`.
#[derive(Debug)]
struct Entry<T: Element, B: Backend<T>> {
    operation: Operation,
    left: UnitTensor<T, B>,
    right: UnitTensor<T, B>,
}

/// The gradients of the tensors that a tape watched.
#[derive(Debug)]
pub struct Gradients<T: Element, B: Backend<T>>(Vec<Option<UnitTensor<T, B>>>);

impl<T: Element, B: Backend<T>> Gradients<T, B> {
    /// Returns the gradient with respect to a tensor, or `None` if the result does not depend on
    /// the tensor.
    pub fn by(&self, tensor: &UnitTensor<T, B>) -> Option<&UnitTensor<T, B>> {
        self.0.get(tensor.tracked.as_ref()?.entry)?.as_ref()
    }
}

impl<T: Element, B: Backend<T>> Tape<T, B> {
    /// Creates an empty tape.
    pub fn new() -> Self {
        Self { entries: Rc::default() }
    }

    /// Returns the same tensor with its operations recorded from now on.
    pub fn watch(&self, tensor: &UnitTensor<T, B>) -> UnitTensor<T, B> {
        let place = self.push(None);
        UnitTensor { tracked: Some(place), ..tensor.clone() }
    }

    pub(super) fn record(
        &self,
        operation: Operation,
        left: &UnitTensor<T, B>,
        right: &UnitTensor<T, B>,
    ) -> Place<T, B> {
        self.push(Some(Entry { operation, left: left.clone(), right: right.clone() }))
    }

    fn push(&self, entry: Option<Entry<T, B>>) -> Place<T, B> {
        let mut entries = self.entries.borrow_mut();
        entries.push(entry);
        Place { entries: Rc::downgrade(&self.entries), entry: entries.len() - 1 }
    }

    /// Computes the gradients of a result with respect to everything that the tape watched. `seed`
    /// is the gradient with respect to the result. The record is consumed.
    ///
    /// # Errors
    /// Returns an error if this tape did not record the result, the seed has another shape, or the
    /// backend fails.
    pub fn backward(
        &self,
        result: &UnitTensor<T, B>,
        seed: &UnitTensor<T, B>,
        recorder: &mut impl Recorder,
    ) -> Result<Gradients<T, B>, TensorError<B::Error>> {
        recorder.enter(Phase::Check);
        let place = result.tracked.as_ref().filter(|place| place.is_on(self));
        let last = place.ok_or(TensorError::Tapes)?.entry;
        if result.shape != seed.shape {
            let (left, right) = (result.shape.clone(), seed.shape.clone());
            return Err(TensorError::Shapes { left, right });
        }
        // The entries are taken out of the tape, so that their tensors are freed when this call
        // returns.
        let entries = core::mem::take(&mut *self.entries.borrow_mut());
        let mut gradients: Vec<Option<UnitTensor<T, B>>> = Vec::new();
        gradients.resize_with(entries.len().max(last + 1), || None);
        gradients[last] = Some(seed.clone());
        for (index, entry) in entries.iter().enumerate().rev() {
            let (Some(entry), Some(gradient)) = (entry, gradients[index].clone()) else {
                continue;
            };
            for (operand, of) in [(&entry.left, Side::Left), (&entry.right, Side::Right)] {
                let Some(place) = &operand.tracked else { continue };
                let more = entry.gradient(of, &gradient, recorder)?;
                let sum = match gradients[place.entry].take() {
                    Some(sum) => sum.combined(Binary::Add, &more, recorder)?,
                    None => more,
                };
                gradients[place.entry] = Some(sum);
            }
        }
        recorder.exit();
        Ok(Gradients(gradients))
    }
}

impl<T: Element, B: Backend<T>> Place<T, B> {
    fn is_on(&self, tape: &Tape<T, B>) -> bool {
        core::ptr::eq(self.entries.as_ptr(), Rc::as_ptr(&tape.entries))
    }

    /// Returns the tape, unless it has ended.
    fn tape<E>(&self) -> Result<Tape<T, B>, TensorError<E>> {
        self.entries.upgrade().map(|entries| Tape { entries }).ok_or(TensorError::Tapes)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl<T: Element, B: Backend<T>> Entry<T, B> {
    fn gradient(
        &self,
        side: Side,
        gradient: &UnitTensor<T, B>,
        recorder: &mut impl Recorder,
    ) -> Outcome<T, B> {
        let plain = |tensor: &UnitTensor<T, B>| UnitTensor { tracked: None, ..tensor.clone() };
        let other = if side == Side::Left { &self.right } else { &self.left };
        match self.operation {
            Operation::Add { factor: Some(factor) } if side == Side::Right => {
                recorder.enter(Phase::Conversion);
                let data = gradient.backend.scale(&gradient.data, factor as f32);
                let data = data.map_err(TensorError::Backend)?;
                let unit = *gradient.unit * (*self.left.unit / *self.right.unit);
                Ok(UnitTensor { data: Rc::new(data), unit: Arc::new(unit), ..gradient.clone() })
            }
            Operation::Add { .. } => Ok(gradient.clone()),
            Operation::Mul => gradient.combined(Binary::Mul, &plain(other), recorder),
            Operation::Matmul(product) => {
                let backend = &gradient.backend;
                recorder.enter(Phase::Dispatch);
                let data = match side {
                    Side::Left => backend.matmul(&gradient.data, &other.data, product.by_left()),
                    Side::Right => backend.matmul(&other.data, &gradient.data, product.by_right()),
                };
                let data = data.map_err(TensorError::Backend)?;
                recorder.enter(Phase::Construction);
                let shape = if side == Side::Left { &self.left.shape } else { &self.right.shape };
                Ok(UnitTensor {
                    backend: backend.clone(),
                    data: Rc::new(data),
                    unit: Arc::new(*gradient.unit * *other.unit),
                    shape: shape.clone(),
                    tracked: None,
                })
            }
        }
    }
}

impl<T: Element, B: Backend<T>> UnitTensor<T, B> {
    /// Returns the tape that records operations of both operands, or `None` if neither is recorded.
    pub(super) fn tracked_with(
        &self,
        other: &Self,
    ) -> Result<Option<Tape<T, B>>, TensorError<B::Error>> {
        match (&self.tracked, &other.tracked) {
            (None, None) => Ok(None),
            (Some(one), None) | (None, Some(one)) => one.tape().map(Some),
            (Some(one), Some(other)) if one.entries.ptr_eq(&other.entries) => one.tape().map(Some),
            (Some(_), Some(_)) => Err(TensorError::Tapes),
        }
    }
}

impl<T: Element, B: Backend<T>> Default for Tape<T, B> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Element, B: Backend<T>> Clone for Tape<T, B> {
    /// Returns another handle to the same record.
    fn clone(&self) -> Self {
        Self { entries: Rc::clone(&self.entries) }
    }
}

impl<T: Element, B: Backend<T>> Clone for Place<T, B> {
    fn clone(&self) -> Self {
        Self { entries: Weak::clone(&self.entries), entry: self.entry }
    }
}
