//! Shapes of transformers: how many layers, heads and numbers per token.

use memprof::MemoryProfile;

/// What decides how much memory a transformer takes, but for the type of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, MemoryProfile)]
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    pub(crate) vocabulary: usize,
    /// Numbers that a token is between layers.
    pub(crate) width: usize,
    pub(crate) layers: usize,
    /// Heads of queries.
    pub(crate) heads: usize,
    /// Heads of keys and values, each of which serves as many heads of queries.
    pub(crate) kv_heads: usize,
    /// Numbers per head; even, as rotary positions turn pairs.
    pub(crate) head_width: usize,
    /// Numbers inside the MLP.
    pub(crate) mlp_width: usize,
    /// Positions that the KV cache has room for.
    pub(crate) context: usize,
    /// Whether the head is the embeddings once more.
    pub(crate) tied: bool,
    pub(crate) rotary_base: f64,
}

/// A hundred thousand weights and a head of its own: profiled in a blink.
pub(crate) const TINY: Shape = Shape {
    name: "tiny",
    vocabulary: 512,
    width: 64,
    layers: 4,
    heads: 8,
    kv_heads: 2,
    head_width: 8,
    mlp_width: 192,
    context: 128,
    tied: false,
    rotary_base: 10_000.0,
};

/// 1.24 billion weights, the sizes of a common small language model, the head tied.
pub(crate) const ONE_BILLION: Shape = Shape {
    name: "1b",
    vocabulary: 128_256,
    width: 2048,
    layers: 16,
    heads: 32,
    kv_heads: 8,
    head_width: 64,
    mlp_width: 8192,
    context: 2048,
    tied: true,
    rotary_base: 500_000.0,
};

impl Shape {
    /// The shapes that have a name.
    pub(crate) const NAMED: [Self; 2] = [TINY, ONE_BILLION];

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|shape| shape.name == name)
    }

    /// Numbers in all queries of a token.
    pub(crate) const fn query_width(&self) -> usize {
        self.heads * self.head_width
    }

    /// Numbers in all keys of a token; in all values as well.
    pub(crate) const fn kv_width(&self) -> usize {
        self.kv_heads * self.head_width
    }
}
