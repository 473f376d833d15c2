//! What all layers of one forward pass have in common: the places of its tokens.

use super::activation::Activation;
use super::activations::Activations;
use super::live::Stage;
use super::rotary::Turns;
use candle_core::{DType, Device, Result, Tensor};

/// Tokens that go through the layers together.
pub(super) struct Step {
    /// The place of the first one.
    pub(super) start: usize,
    pub(super) tokens: usize,
    pub(super) turns: Turns,
    /// What keeps a token from seeing later ones: `[tokens, start + tokens]`; none for a single one.
    pub(super) mask: Option<Activation>,
}

/// 0 where a token is seen, minus infinity where it comes later.
pub(super) fn mask(
    activations: &Activations,
    start: usize,
    tokens: usize,
    dtype: DType,
    device: &Device,
) -> Result<Option<Activation>> {
    if tokens == 1 {
        return Ok(None);
    }
    let seen = start + tokens;
    let number = |index: usize| {
        let (token, other) = (index / seen, index % seen);
        if other > start + token { f32::NEG_INFINITY } else { 0.0 }
    };
    let make = || {
        let numbers: Vec<f32> = (0..tokens * seen).map(number).collect();
        Tensor::from_vec(numbers, (tokens, seen), device)
    };
    activations.run(Stage::Residual, "mask", &[], make)?.of_type(dtype).map(Some)
}
