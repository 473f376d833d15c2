//! The MLP: a gate that lets through what the other half computes (`SwiGLU`).

use super::Maker;
use super::activation::Activation;
use crate::parts::Part;
use candle_core::{Result, Tensor};
use memprof::MemoryProfile;

#[derive(Debug, MemoryProfile)]
pub(super) struct Mlp {
    pub(super) gate: Tensor,
    pub(super) up: Tensor,
    pub(super) down: Tensor,
}

impl Mlp {
    pub(super) fn new(maker: &mut Maker, width: usize, inner: usize) -> Result<Self> {
        Ok(Self {
            gate: maker.weight(Part::Mlp, &[inner, width])?,
            up: maker.weight(Part::Mlp, &[inner, width])?,
            down: maker.weight(Part::Mlp, &[width, inner])?,
        })
    }

    pub(super) fn forward(&self, x: Activation) -> Result<Activation> {
        let gate = x.share().linear(&self.gate)?.silu()?;
        let up = x.linear(&self.up)?;
        let product = gate.multiply(&up)?;
        drop(up);
        product.linear(&self.down)
    }
}
