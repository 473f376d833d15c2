//! One activation: a handle of a tensor that is registered while the handle lives.

use super::activations::Activations;
use super::live::{Slot, Stage};
use candle_core::Tensor;

/// A tensor of the forward pass: the result of an operation, or a view of one.
#[derive(Debug)]
pub(crate) struct Activation {
    /// Taken only when dropped.
    tensor: Option<Tensor>,
    /// None for views of what is no activation: of a weight, of the cache.
    slot: Option<Slot>,
    /// Where what is made of it belongs.
    stage: Stage,
    of: Activations,
}

impl Activation {
    pub(super) fn new(tensor: Tensor, slot: Option<Slot>, stage: Stage, of: &Activations) -> Self {
        Self { tensor: Some(tensor), slot, stage, of: of.clone() }
    }

    pub(crate) fn tensor(&self) -> &Tensor {
        self.tensor.as_ref().expect("it is taken only when dropped")
    }

    pub(super) fn stage(&self) -> Stage {
        self.stage
    }

    pub(super) fn of(&self) -> &Activations {
        &self.of
    }

    /// The same handle, for another stage.
    pub(super) fn for_stage(mut self, stage: Stage) -> Self {
        self.stage = stage;
        self
    }

    /// Another handle of the same tensor.
    pub(super) fn share(&self) -> Self {
        if let Some(slot) = self.slot {
            self.of.add_handle(slot);
        }
        let (tensor, slot, stage) = (self.tensor.clone(), self.slot, self.stage);
        Self { tensor, slot, stage, of: self.of.clone() }
    }
}

impl Drop for Activation {
    fn drop(&mut self) {
        if let Some(tensor) = self.tensor.take() {
            self.of.remove(tensor, self.slot);
        }
    }
}

/// What an operation is given: an activation, or a tensor of the model or of the cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'a> {
    pub(super) tensor: &'a Tensor,
    pub(super) slot: Option<Slot>,
}

impl<'a> From<&'a Activation> for Input<'a> {
    fn from(activation: &'a Activation) -> Self {
        Self { tensor: activation.tensor(), slot: activation.slot }
    }
}

impl<'a> From<&'a Tensor> for Input<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        Self { tensor, slot: None }
    }
}

impl Input<'_> {
    /// Whether it shows the same storage: that is behind a lock, which stays where it is.
    pub(super) fn shares_storage_with(self, other: &Tensor) -> bool {
        let address = |tensor: &Tensor| (&raw const *tensor.storage_and_layout().0).addr();
        address(self.tensor) == address(other)
    }
}
