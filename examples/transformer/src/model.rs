//! The model: embeddings, layers of attention and MLP with RMS norms, and a head.

use crate::activations::{Activation, Activations};
use crate::attention::{Attention, KvCache, LayerCache, Pass, Rotary};
use crate::initializer::Initializer;
use crate::shape::Shape;
use candle_core::{D, DType, Result, Tensor};
use memprof::MemoryProfile;
use std::sync::Arc;

#[derive(Debug, MemoryProfile)]
pub(crate) struct Transformer {
    #[profile(role = "metadata")]
    shape: Shape,
    pub(crate) embeddings: Tensor,
    pub(crate) layers: Vec<Layer>,
    pub(crate) norm: Tensor,
    /// `None` if the embeddings are the head.
    pub(crate) head: Option<Tensor>,
    #[profile(role = "auxiliary")]
    rotary: Rotary,
}

#[derive(Debug, MemoryProfile)]
pub(crate) struct Layer {
    pub(crate) attention_norm: Tensor,
    pub(crate) attention: Attention,
    pub(crate) mlp_norm: Tensor,
    pub(crate) mlp: Mlp,
}

/// A gated MLP (`SwiGLU`).
#[derive(Debug, MemoryProfile)]
pub(crate) struct Mlp {
    pub(crate) gate: Tensor,
    pub(crate) up: Tensor,
    pub(crate) down: Tensor,
}

impl Transformer {
    pub(crate) fn new(make: &mut Initializer, shape: Shape) -> Result<Self> {
        let Shape { vocabulary, width, tied, .. } = shape;
        Ok(Self {
            shape,
            embeddings: make.weight(vocabulary, width)?,
            layers: (0..shape.layers).map(|_| Layer::new(make, &shape)).collect::<Result<_>>()?,
            norm: make.tensor(vec![1.0; width], width)?,
            head: (!tied).then(|| make.weight(vocabulary, width)).transpose()?,
            rotary: Rotary::new(make, &shape)?,
        })
    }

    /// Adds tokens to a cache that has `start` others. Returns the logits of the last `wanted`
    /// tokens.
    pub(crate) fn forward(
        &self,
        tokens: &[u32],
        (cache, start): (&KvCache, usize),
        activations: &Arc<Activations>,
        wanted: usize,
    ) -> Result<Activation> {
        let pass = self.rotary.pass(self.shape, start, tokens.len(), activations)?;
        let mut x = {
            let _operation = memprof::operation!("embed");
            let device = self.embeddings.device();
            let tokens = activations.register("tokens", Tensor::new(tokens, device)?);
            tokens.with("embedding", &self.embeddings, |tokens, table| table.embedding(tokens))?
        };
        for (layer, cache) in self.layers.iter().zip(&cache.layers) {
            x = layer.forward(x, &pass, cache)?;
        }
        drop(pass);
        let _operation = memprof::operation!("head");
        let x = x.then("narrow", |x| x.narrow(0, tokens.len() - wanted, wanted))?;
        norm(x, &self.norm)?.linear(self.head.as_ref().unwrap_or(&self.embeddings))
    }
}

impl Layer {
    fn new(make: &mut Initializer, shape: &Shape) -> Result<Self> {
        let Shape { width, mlp_width, .. } = *shape;
        Ok(Self {
            attention_norm: make.tensor(vec![1.0; width], width)?,
            attention: Attention::new(make, shape)?,
            mlp_norm: make.tensor(vec![1.0; width], width)?,
            mlp: Mlp {
                gate: make.weight(mlp_width, width)?,
                up: make.weight(mlp_width, width)?,
                down: make.weight(width, mlp_width)?,
            },
        })
    }

    fn forward(&self, x: Activation, pass: &Pass, cache: &LayerCache) -> Result<Activation> {
        let x = {
            let _operation = memprof::operation!("attention");
            let normed = norm(x.clone(), &self.attention_norm)?;
            let mixed = self.attention.forward(normed, pass, cache)?;
            x.with("add", &mixed.tensor, Tensor::add)?
        };
        let _operation = memprof::operation!("mlp");
        let normed = norm(x.clone(), &self.mlp_norm)?;
        let changed = self.mlp.forward(normed)?;
        x.with("add", &changed.tensor, Tensor::add)
    }
}

impl Mlp {
    fn forward(&self, x: Activation) -> Result<Activation> {
        let gate = x.clone().linear(&self.gate)?.then("silu", Tensor::silu)?;
        let product = {
            let up = x.linear(&self.up)?;
            gate.with("mul", &up.tensor, Tensor::mul)?
        };
        product.linear(&self.down)
    }
}

/// Normalizes rows by their root mean square, in 32 bits, because the squares overflow an f16.
fn norm(x: Activation, weight: &Tensor) -> Result<Activation> {
    const EPSILON: f64 = 1e-5;
    let (dtype, width) = (x.tensor.dtype(), weight.elem_count() as f64);
    let x = x.then("to_dtype", |x| x.to_dtype(DType::F32))?;
    let squares = x.clone().then("sqr", Tensor::sqr)?;
    let sums = squares.then("sum", |x| x.sum_keepdim(D::Minus1))?;
    let means = sums.then("affine", |x| x.affine(1.0 / width, EPSILON))?;
    let scales = means.then("powf", |x| x.powf(-0.5))?;
    let normed = x.with("mul", &scales.tensor, Tensor::broadcast_mul)?;
    let normed = normed.then("to_dtype", |x| x.to_dtype(dtype))?;
    normed.with("mul", weight, Tensor::broadcast_mul)
}
