//! The whole: embeddings, layers, the last norm and the head.

use super::activation::Activation;
use super::activations::Activations;
use super::attention::Attention;
use super::live::Stage;
use super::step::{self, Step};
use super::{KvCache, Maker, Mlp, Norm, Rotary};
use crate::parts::Part;
use crate::shape::Shape;
use candle_core::{Result, Tensor, bail};
use memprof::MemoryProfile;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Debug, MemoryProfile)]
pub(crate) struct Transformer {
    #[profile(role = "metadata")]
    pub(super) shape: Shape,
    pub(super) embeddings: Tensor,
    pub(super) layers: Vec<Layer>,
    pub(super) norm: Norm,
    /// None where the embeddings are the head.
    pub(super) head: Option<Tensor>,
    #[profile(role = "auxiliary")]
    pub(super) rotary: Rotary,
}

#[derive(Debug, MemoryProfile)]
pub(super) struct Layer {
    pub(super) attention_norm: Norm,
    pub(super) attention: Attention,
    pub(super) mlp_norm: Norm,
    pub(super) mlp: Mlp,
}

impl Transformer {
    pub(crate) fn new(maker: &mut Maker, shape: Shape) -> Result<Self> {
        let table = [shape.vocabulary, shape.width];
        let embeddings = maker.weight(Part::Embeddings, &table)?;
        let layers = (0..shape.layers).map(|_| Layer::new(maker, &shape)).collect::<Result<_>>()?;
        let norm = Norm::new(maker, shape.width)?;
        let head = (!shape.tied).then(|| maker.weight(Part::Head, &table)).transpose()?;
        Ok(Self { shape, embeddings, layers, norm, head, rotary: Rotary::new(maker, &shape)? })
    }

    /// Reads tokens that come after those in the cache, which has them too from here on: the logits
    /// of the last `wanted` of them, `[wanted, vocabulary]`.
    pub(crate) fn forward(
        &self,
        tokens: &[u32],
        cache: &Mutex<KvCache>,
        activations: &Activations,
        wanted: usize,
    ) -> Result<Activation> {
        let (start, count) = (lock(cache).tokens, tokens.len());
        let room = self.shape.context - start;
        if !(1..=room).contains(&count) {
            bail!("expected from 1 to {room} tokens after the {start} in the cache; found {count}");
        }
        let (dtype, device) = (self.embeddings.dtype(), self.embeddings.device());
        let step = Step {
            start,
            tokens: count,
            turns: self.rotary.at(start, count)?,
            mask: step::mask(activations, start, count, dtype, device)?,
        };
        let mut x = self.embed(tokens, activations)?;
        for (index, layer) in self.layers.iter().enumerate() {
            x = layer.forward(x, &self.shape, &step, cache, index)?;
        }
        drop(step);
        lock(cache).tokens = start + count;
        let _operation = memprof::operation!("head");
        let first = count.saturating_sub(wanted);
        let x = x.for_stage(Stage::Head).narrow(0, first, count - first)?;
        self.norm.forward(x)?.linear(self.head.as_ref().unwrap_or(&self.embeddings))
    }

    fn embed(&self, tokens: &[u32], activations: &Activations) -> Result<Activation> {
        let _operation = memprof::operation!("embed");
        let table = &self.embeddings;
        let tokens = activations
            .run(Stage::Residual, "tokens", &[], || Tensor::new(tokens, table.device()))?;
        let inputs = [table.into(), (&tokens).into()];
        let work = || table.index_select(tokens.tensor(), 0);
        activations.run(Stage::Residual, "embedding", &inputs, work)
    }
}

impl Layer {
    fn new(maker: &mut Maker, shape: &Shape) -> Result<Self> {
        Ok(Self {
            attention_norm: Norm::new(maker, shape.width)?,
            attention: Attention::new(maker, shape)?,
            mlp_norm: Norm::new(maker, shape.width)?,
            mlp: Mlp::new(maker, shape.width, shape.mlp_width)?,
        })
    }

    fn forward(
        &self,
        x: Activation,
        shape: &Shape,
        step: &Step,
        cache: &Mutex<KvCache>,
        index: usize,
    ) -> Result<Activation> {
        let x = {
            let _operation = memprof::operation!("attention");
            let normed = self.attention_norm.forward(x.share().for_stage(Stage::Attention))?;
            let mixed = self.attention.forward(normed, shape, step, cache, index)?;
            x.add(&mixed)?
        };
        let _operation = memprof::operation!("mlp");
        let normed = self.mlp_norm.forward(x.share().for_stage(Stage::Mlp))?;
        let changed = self.mlp.forward(normed)?;
        x.add(&changed)
    }
}

fn lock(cache: &Mutex<KvCache>) -> MutexGuard<'_, KvCache> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
}
