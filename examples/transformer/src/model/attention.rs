//! Attention: each token adds up the values of the tokens before it, by how well their keys fit its
//! query. Several heads of queries share one of keys and values.

use super::activation::Activation;
use super::{KvCache, LayerCache, Maker, Step};
use crate::parts::Part;
use crate::shape::Shape;
use candle_core::{Result, Tensor};
use memprof::MemoryProfile;
use std::sync::{Mutex, PoisonError};

#[derive(Debug, MemoryProfile)]
pub(super) struct Attention {
    pub(super) query: Tensor,
    pub(super) key: Tensor,
    pub(super) value: Tensor,
    pub(super) output: Tensor,
}

impl Attention {
    pub(super) fn new(maker: &mut Maker, shape: &Shape) -> Result<Self> {
        let (width, queries, keys) = (shape.width, shape.query_width(), shape.kv_width());
        Ok(Self {
            query: maker.weight(Part::Attention, &[queries, width])?,
            key: maker.weight(Part::Attention, &[keys, width])?,
            value: maker.weight(Part::Attention, &[keys, width])?,
            output: maker.weight(Part::Attention, &[width, queries])?,
        })
    }

    /// Of the tokens `[tokens, width]`, in a layer's part of the cache.
    pub(super) fn forward(
        &self,
        x: Activation,
        shape: &Shape,
        step: &Step,
        cache: &Mutex<KvCache>,
        layer: usize,
    ) -> Result<Activation> {
        let Step { start, tokens, turns, mask } = step;
        let heads = |x: Activation, heads| x.reshape(&[*tokens, heads, shape.head_width]);
        let query = heads(x.share().linear(&self.query)?, shape.heads)?;
        let key = heads(x.share().linear(&self.key)?, shape.kv_heads)?;
        let value = heads(x.linear(&self.value)?, shape.kv_heads)?;
        let query = turns.turn(query)?;
        // As the cache has them: each head's tokens below each other.
        let key = turns.turn(key)?.permute(&[1, 0, 2])?.contiguous()?;
        let value = value.permute(&[1, 0, 2])?.contiguous()?;
        let LayerCache { keys, values } = {
            // For the two writes only: a session profiles the cache too.
            let cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
            cache.layers[layer].push(key, value, *start)?
        };
        let seen = start + tokens;
        let scores = grouped(query, shape)?.matmul(&keys.t()?)?;
        let scores = scores.reshape(&[shape.heads, *tokens, seen])?;
        let scores = match mask {
            Some(mask) => scores.add(mask)?,
            None => scores,
        };
        let shares = softmax(scores)?;
        let per_group = shape.heads / shape.kv_heads * tokens;
        let shares = shares.reshape(&[shape.kv_heads, per_group, seen])?;
        let mixed = shares.matmul(&values)?.reshape(&[shape.heads, *tokens, shape.head_width])?;
        let mixed = mixed.permute(&[1, 0, 2])?.contiguous()?;
        mixed.reshape(&[*tokens, shape.query_width()])?.linear(&self.output)
    }
}

/// The queries, scaled, with those that share a head of keys as the rows of one matrix.
fn grouped(query: Activation, shape: &Shape) -> Result<Activation> {
    let tokens = query.tensor().dim(0)?;
    let group = shape.heads / shape.kv_heads;
    query
        .affine(1.0 / (shape.head_width as f64).sqrt(), 0.0)?
        .reshape(&[tokens, shape.kv_heads, group, shape.head_width])?
        .permute(&[1, 2, 0, 3])?
        .contiguous()?
        .reshape(&[shape.kv_heads, group * tokens, shape.head_width])
}

/// Each row as shares of 1; the largest is taken off before, as its power could be infinite.
fn softmax(scores: Activation) -> Result<Activation> {
    let shifted = {
        let largest = scores.share().maximum()?;
        scores.subtract(&largest)?
    };
    let powers = shifted.exponential()?;
    let sums = powers.share().sum()?;
    powers.divide(&sums)
}
