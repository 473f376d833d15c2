//! The RMS norm: each token divided by the root of the mean of its squares, then weighted.

use super::Maker;
use super::activation::Activation;
use crate::parts::Part;
use candle_core::{DType, Result, Tensor};
use memprof::MemoryProfile;

/// What keeps a token of zeros from being divided by zero.
const EPSILON: f64 = 1e-5;

#[derive(Debug, MemoryProfile)]
pub(super) struct Norm {
    pub(super) weight: Tensor,
}

impl Norm {
    pub(super) fn new(maker: &mut Maker, width: usize) -> Result<Self> {
        Ok(Self { weight: maker.ones(Part::Norms, width)? })
    }

    /// In 32 bits, whatever the type: the squares of 16 bits add up to more than those can hold.
    pub(super) fn forward(&self, x: Activation) -> Result<Activation> {
        let dtype = x.tensor().dtype();
        let width = self.weight.elem_count();
        let wide = x.of_type(DType::F32)?;
        let squares = wide.share().square()?.sum()?;
        let scale = squares.affine(1.0 / width as f64, EPSILON)?.power(-0.5)?;
        wide.multiply(&scale)?.of_type(dtype)?.multiply(&self.weight)
    }
}
