//! Grouped-query attention with rotary positions and a KV cache.

use crate::activations::{Activation, Activations};
use crate::initializer::Initializer;
use crate::shape::{ROTARY_BASE, Shape};
use candle_core::{D, Result, Tensor};
use memprof::MemoryProfile;
use memprof::heap::framework;
use std::sync::Arc;

#[derive(Debug, MemoryProfile)]
pub(crate) struct Attention {
    pub(crate) query: Tensor,
    pub(crate) key: Tensor,
    pub(crate) value: Tensor,
    pub(crate) output: Tensor,
}

/// Memory for the keys and values of all positions, allocated at the start.
#[derive(Debug, MemoryProfile)]
pub(crate) struct KvCache {
    #[profile(role = "auxiliary")]
    pub(crate) layers: Vec<LayerCache>,
}

/// The keys and the values of one layer, each of `[kv_heads, context, head_width]`.
#[derive(Debug, MemoryProfile)]
pub(crate) struct LayerCache {
    keys: Tensor,
    values: Tensor,
}

/// Cosines and sines of each position and element of a head: `[context, head_width]`.
#[derive(Debug, MemoryProfile)]
pub(crate) struct Rotary {
    cosines: Tensor,
    sines: Tensor,
}

/// The state that all layers of one forward pass share.
pub(crate) struct Pass {
    shape: Shape,
    /// The number of tokens in the cache before this pass.
    start: usize,
    /// The number of tokens that this pass reads.
    tokens: usize,
    /// Views of the rotary tables: `[tokens, 1, head_width]`.
    cosines: Tensor,
    sines: Tensor,
    /// The mask that hides later tokens: `[tokens, start + tokens]`. One token needs no mask.
    mask: Option<Activation>,
}

impl KvCache {
    pub(crate) fn new(make: &Initializer, shape: &Shape) -> Result<Self> {
        let dims = [shape.kv_heads, shape.context, shape.head_width];
        let zeros = || Tensor::zeros(&dims, make.dtype, &make.device);
        let layer = |_| Ok(LayerCache { keys: zeros()?, values: zeros()? });
        Ok(Self { layers: (0..shape.layers).map(layer).collect::<Result<_>>()? })
    }
}

/// Writes `[kv_heads, tokens, head_width]` into a cache, and returns a view of all its tokens so
/// far.
fn push(new: &Activation, cache: &Tensor, start: usize) -> Result<Tensor> {
    let write = || cache.slice_set(&new.tensor, 1, start);
    framework::run("slice_set", &[cache.dims(), new.tensor.dims()], write)?;
    cache.narrow(1, 0, start + new.tensor.dim(1)?)
}

impl Rotary {
    pub(crate) fn new(make: &Initializer, shape: &Shape) -> Result<Self> {
        let (width, half) = (shape.head_width, shape.head_width / 2);
        let angle = |index: usize| {
            let pair = index % width % half;
            (index / width) as f64 * ROTARY_BASE.powf(-2.0 * pair as f64 / width as f64)
        };
        let table = |of: fn(f64) -> f64| {
            let numbers = (0..shape.context * width).map(|index| of(angle(index)) as f32);
            make.tensor(numbers.collect(), (shape.context, width))
        };
        Ok(Self { cosines: table(f64::cos)?, sines: table(f64::sin)? })
    }

    pub(crate) fn pass(
        &self,
        shape: Shape,
        start: usize,
        tokens: usize,
        activations: &Arc<Activations>,
    ) -> Result<Pass> {
        let rows = |table: &Tensor| table.narrow(0, start, tokens)?.unsqueeze(1);
        let (cosines, sines) = (rows(&self.cosines)?, rows(&self.sines)?);
        let seen = start + tokens;
        let is_later = |index: usize| index % seen > start + index / seen;
        let number = |index| if is_later(index) { f32::NEG_INFINITY } else { 0.0 };
        let mask = || {
            let numbers = (0..tokens * seen).map(number).collect();
            let mask = Tensor::from_vec(numbers, (tokens, seen), sines.device())?;
            activations.register("mask", mask).then("to_dtype", |x| x.to_dtype(shape.dtype))
        };
        let mask = (tokens > 1).then(mask).transpose()?;
        Ok(Pass { shape, start, tokens, cosines, sines, mask })
    }
}

impl Pass {
    /// Rotates heads, `[tokens, heads, head_width]`. Each rotated pair has one element of each half
    /// of a head.
    fn rotate(&self, heads: Activation) -> Result<Activation> {
        let half = self.shape.head_width / 2;
        let second = heads.clone().then("neg", |x| x.narrow(2, half, half)?.neg())?;
        let cat = |left: &Tensor, right: &Tensor| Tensor::cat(&[left, right], 2);
        let turned = second.with("cat", &heads.tensor.narrow(2, 0, half)?, cat)?;
        let turned = turned.with("mul", &self.sines, Tensor::broadcast_mul)?;
        let heads = heads.with("mul", &self.cosines, Tensor::broadcast_mul)?;
        heads.with("add", &turned.tensor, Tensor::add)
    }
}

impl Attention {
    pub(crate) fn new(make: &mut Initializer, shape: &Shape) -> Result<Self> {
        let (width, queries, keys) = (shape.width, shape.queries(), shape.keys());
        Ok(Self {
            query: make.weight(queries, width)?,
            key: make.weight(keys, width)?,
            value: make.weight(keys, width)?,
            output: make.weight(width, queries)?,
        })
    }

    /// Mixes tokens, `[tokens, width]`, with the tokens in the cache, and adds them to the cache.
    pub(crate) fn forward(
        &self,
        x: Activation,
        pass: &Pass,
        cache: &LayerCache,
    ) -> Result<Activation> {
        let Pass { shape, start, tokens, .. } = *pass;
        let Shape { heads, kv_heads, head_width, .. } = shape;
        let (seen, group) = (start + tokens, heads / kv_heads);
        let query = reshaped(x.clone().linear(&self.query)?, &[tokens, heads, head_width])?;
        let key = reshaped(x.clone().linear(&self.key)?, &[tokens, kv_heads, head_width])?;
        let value = reshaped(x.linear(&self.value)?, &[tokens, kv_heads, head_width])?;
        let query = pass.rotate(query)?;
        let keys = push(&permuted(pass.rotate(key)?, &[1, 0, 2])?, &cache.keys, start)?;
        let values = push(&permuted(value, &[1, 0, 2])?, &cache.values, start)?;
        // The queries that share a head of keys are the rows of one matrix.
        let query = query.then("affine", |x| x.affine(1.0 / (head_width as f64).sqrt(), 0.0))?;
        let query = reshaped(query, &[tokens, kv_heads, group, head_width])?;
        let query = permuted(query, &[1, 2, 0, 3])?;
        let query = reshaped(query, &[kv_heads, group * tokens, head_width])?;
        let scores = query.with("matmul", &keys.t()?, Tensor::matmul)?;
        let scores = reshaped(scores, &[heads, tokens, seen])?;
        let scores = match &pass.mask {
            Some(mask) => scores.with("add", &mask.tensor, Tensor::broadcast_add)?,
            None => scores,
        };
        let shares = reshaped(softmax(scores)?, &[kv_heads, group * tokens, seen])?;
        let mixed = shares.with("matmul", &values, Tensor::matmul)?;
        let mixed = permuted(reshaped(mixed, &[heads, tokens, head_width])?, &[1, 0, 2])?;
        reshaped(mixed, &[tokens, heads * head_width])?.linear(&self.output)
    }
}

/// Normalizes each row; subtracting the maximum first keeps the powers finite.
fn softmax(scores: Activation) -> Result<Activation> {
    let shifted = {
        let most = scores.clone().then("max", |x| x.max_keepdim(D::Minus1))?;
        scores.with("sub", &most.tensor, Tensor::broadcast_sub)?
    };
    let powers = shifted.then("exp", Tensor::exp)?;
    let sums = powers.clone().then("sum", |x| x.sum_keepdim(D::Minus1))?;
    powers.with("div", &sums.tensor, Tensor::broadcast_div)
}

/// Returns a view with other dimensions. The input is contiguous, so nothing is copied.
fn reshaped(x: Activation, dims: &[usize]) -> Result<Activation> {
    x.then("reshape", |x| x.reshape(dims))
}

/// Returns a contiguous copy, or a view if the order of the elements stays.
fn permuted(x: Activation, dims: &[usize]) -> Result<Activation> {
    x.then("permute", |x| x.permute(dims)?.contiguous())
}
