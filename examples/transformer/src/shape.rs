//! The shapes of the two models.

use candle_core::DType;
use memprof::MemoryProfile;

/// The base of the rotary positions' angles.
pub(crate) const ROTARY_BASE: f64 = 10_000.0;

/// The numbers that determine how much memory a model takes.
#[derive(Clone, Copy, Debug, MemoryProfile)]
pub(crate) struct Shape {
    pub(crate) vocabulary: usize,
    pub(crate) width: usize,
    pub(crate) layers: usize,
    /// The number of heads of queries. Groups of these heads, all of one size, share one head of
    /// keys and values.
    pub(crate) heads: usize,
    pub(crate) kv_heads: usize,
    pub(crate) head_width: usize,
    pub(crate) mlp_width: usize,
    /// The number of positions in the KV cache.
    pub(crate) context: usize,
    /// `true` if the embeddings are the head too.
    pub(crate) tied: bool,
    pub(crate) dtype: DType,
}

/// 254 528 weights.
pub(crate) const TINY: Shape = Shape {
    vocabulary: 512,
    width: 64,
    layers: 4,
    heads: 8,
    kv_heads: 2,
    head_width: 8,
    mlp_width: 192,
    context: 128,
    tied: false,
    dtype: DType::F32,
};

/// 1 235 814 400 weights: the shape of a common small language model.
pub(crate) const ONE_BILLION: Shape = Shape {
    vocabulary: 128_256,
    width: 2048,
    layers: 16,
    heads: 32,
    kv_heads: 8,
    head_width: 64,
    mlp_width: 8192,
    context: 2048,
    tied: true,
    dtype: DType::F16,
};

impl Shape {
    /// Elements in the queries of one token.
    pub(crate) const fn queries(&self) -> usize {
        self.heads * self.head_width
    }

    /// Elements in the keys of one token, and in its values.
    pub(crate) const fn keys(&self) -> usize {
        self.kv_heads * self.head_width
    }
}
