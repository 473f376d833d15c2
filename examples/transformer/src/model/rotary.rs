//! Rotary positions: each pair of a head's numbers is turned by an angle that grows with the place.

use super::Maker;
use super::activation::Activation;
use crate::parts::Part;
use crate::shape::Shape;
use candle_core::{Result, Tensor};
use memprof::MemoryProfile;

/// Cosines and sines for each place and pair: `[context, head_width / 2]`.
#[derive(Debug, MemoryProfile)]
pub(super) struct Rotary {
    cosines: Tensor,
    sines: Tensor,
}

impl Rotary {
    pub(super) fn new(maker: &mut Maker, shape: &Shape) -> Result<Self> {
        let pairs = shape.head_width / 2;
        let angle = |index: usize| {
            let (place, pair) = (index / pairs, index % pairs);
            let turns = shape.rotary_base.powf(-2.0 * pair as f64 / shape.head_width as f64);
            place as f64 * turns
        };
        let dims = [shape.context, pairs];
        Ok(Self {
            cosines: maker.table(Part::Rotary, &dims, |index| angle(index).cos() as f32)?,
            sines: maker.table(Part::Rotary, &dims, |index| angle(index).sin() as f32)?,
        })
    }

    /// The rows of some places, one for all heads: views.
    pub(super) fn at(&self, start: usize, len: usize) -> Result<Turns> {
        let rows = |table: &Tensor| table.narrow(0, start, len)?.unsqueeze(1);
        Ok(Turns { cosines: rows(&self.cosines)?, sines: rows(&self.sines)? })
    }
}

/// The turns of the tokens at hand: `[tokens, 1, head_width / 2]`.
pub(super) struct Turns {
    cosines: Tensor,
    sines: Tensor,
}

impl Turns {
    /// Turns heads, `[tokens, heads, head_width]`, whose pairs are a number of the first half and
    /// the one of the second half below it.
    pub(super) fn turn(&self, heads: Activation) -> Result<Activation> {
        let half = heads.tensor().dim(2)? / 2;
        let first = heads.share().narrow(2, 0, half)?;
        let second = heads.narrow(2, half, half)?;
        let left = {
            let turned = second.share().multiply(&self.sines)?;
            first.share().multiply(&self.cosines)?.subtract(&turned)?
        };
        let right = {
            let turned = first.multiply(&self.sines)?;
            second.multiply(&self.cosines)?.add(&turned)?
        };
        left.concatenate(&right)
    }
}
