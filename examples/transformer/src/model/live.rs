//! The tensors that are live: what a session profiles of the activations.

use candle_core::Tensor;
use memprof::MemoryProfile;

/// Where in the forward pass a tensor is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Tokens, mask, and what goes from layer to layer.
    Residual,
    Attention,
    Mlp,
    Head,
}

/// The live tensors, by the stage that made them.
///
/// A storage has one slot, which a tensor and its views share: so what is here is owned here.
#[derive(Debug, Default, MemoryProfile)]
pub(crate) struct Live {
    residual: Slots,
    attention: Slots,
    mlp: Slots,
    head: Slots,
}

#[derive(Debug, Default, MemoryProfile)]
struct Slots {
    tensors: Vec<Option<Tensor>>,
    /// Of each slot, views included; none where the slot is free.
    #[profile(role = "metadata")]
    handles: Vec<u32>,
}

/// Where a storage is registered, and the bytes of its elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    stage: Stage,
    index: usize,
    pub(super) bytes: u64,
}

impl Live {
    /// Registers the storage of a tensor that has just been made.
    pub(super) fn add(&mut self, stage: Stage, tensor: &Tensor) -> Slot {
        let slots = self.of(stage);
        let free = slots.handles.iter().position(|handles| *handles == 0);
        let index = free.unwrap_or_else(|| {
            slots.tensors.push(None);
            slots.handles.push(0);
            slots.handles.len() - 1
        });
        slots.tensors[index] = Some(tensor.clone());
        slots.handles[index] = 1;
        let bytes = (tensor.elem_count() * tensor.dtype().size_in_bytes()) as u64;
        Slot { stage, index, bytes }
    }

    pub(super) fn add_handle(&mut self, slot: Slot) {
        self.of(slot.stage).handles[slot.index] += 1;
    }

    /// Gives one handle back; the registered tensor, if it was the last one.
    pub(super) fn remove_handle(&mut self, slot: Slot) -> Option<Tensor> {
        let slots = self.of(slot.stage);
        slots.handles[slot.index] -= 1;
        if slots.handles[slot.index] == 0 { slots.tensors[slot.index].take() } else { None }
    }

    fn of(&mut self, stage: Stage) -> &mut Slots {
        match stage {
            Stage::Residual => &mut self.residual,
            Stage::Attention => &mut self.attention,
            Stage::Mlp => &mut self.mlp,
            Stage::Head => &mut self.head,
        }
    }
}
