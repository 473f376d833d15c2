//! The KV cache: the keys and values of all tokens so far, in room that is there from the start.

use super::Maker;
use super::activation::Activation;
use crate::parts::Part;
use crate::shape::Shape;
use candle_core::{Result, Tensor};
use memprof::MemoryProfile;

/// What could be computed again from the tokens, so all of it is auxiliary.
#[derive(Debug, MemoryProfile)]
pub(crate) struct KvCache {
    #[profile(role = "auxiliary")]
    pub(crate) layers: Vec<LayerCache>,
    /// Tokens that are in it.
    pub(crate) tokens: usize,
}

/// `[kv_heads, context, head_width]` each.
#[derive(Debug, MemoryProfile)]
pub(crate) struct LayerCache {
    pub(crate) keys: Tensor,
    pub(crate) values: Tensor,
}

impl KvCache {
    pub(crate) fn new(maker: &mut Maker, shape: &Shape) -> Result<Self> {
        let dims = [shape.kv_heads, shape.context, shape.head_width];
        let layer = |_| {
            let keys = maker.zeros(Part::KvCache, &dims)?;
            Ok(LayerCache { keys, values: maker.zeros(Part::KvCache, &dims)? })
        };
        Ok(Self { layers: (0..shape.layers).map(layer).collect::<Result<_>>()?, tokens: 0 })
    }
}

impl LayerCache {
    /// The part that so many tokens fill: views.
    pub(crate) fn used(&self, tokens: usize) -> Result<Self> {
        let keys = self.keys.narrow(1, 0, tokens)?;
        Ok(Self { keys, values: self.values.narrow(1, 0, tokens)? })
    }

    /// Writes `[kv_heads, tokens, head_width]` each, and shows all tokens up to there: views.
    pub(super) fn push(&self, keys: Activation, values: Activation, start: usize) -> Result<Self> {
        let end = start + keys.tensor().dim(1)?;
        keys.write(&self.keys, 1, start)?;
        values.write(&self.values, 1, start)?;
        self.used(end)
    }
}
