//! The most that the activations of one forward pass take at once, by formula.
//!
//! Counted are the bytes of the elements of all tensors that are live at the same time, as the
//! model's operations make and consume them: those of the largest moment. Not counted are the
//! handles of tensors, and what an operation needs only while it runs.

use crate::shape::Shape;

/// One forward pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    /// Tokens in the cache before.
    pub(crate) start: usize,
    pub(crate) tokens: usize,
    /// Tokens whose logits are wanted, the last ones.
    pub(crate) logits: usize,
    /// Bytes of a number.
    pub(crate) number: usize,
}

/// A moment at which something is made, and what is live then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) name: &'static str,
    pub(crate) bytes: u64,
}

/// The moment at which most is live; the first of equal ones.
pub(crate) fn peak(shape: &Shape, pass: Pass) -> Moment {
    let [first, others @ ..] = moments(shape, pass);
    let larger = |most: Moment, next: Moment| if next.bytes > most.bytes { next } else { most };
    others.into_iter().fold(first, larger)
}

/// The moments that can be the largest; whatever the shape, any other is smaller than one of these.
fn moments(shape: &Shape, pass: Pass) -> [Moment; 7] {
    let Pass { start, tokens, logits, number } = pass;
    let seen = start + tokens;
    // Bytes of all tokens, between layers and in the norm, which has 32 bits; of queries, of keys or
    // of values, and of one half of the MLP.
    let row = tokens * number;
    let (x, wide) = (row * shape.width, 4 * tokens * shape.width);
    let (query, key) = (row * shape.query_width(), row * shape.kv_width());
    let inner = row * shape.mlp_width;
    // A score for each head, token and token that it sees.
    let scores = shape.heads * row * seen;
    let mask = if tokens > 1 { row * seen } else { 0 };
    // Live all the way through the layers.
    let base = x + mask;
    [
        // The tokens and their scaled ones, or both of these; the scales, of 32 bits.
        ("norm", base + 2 * wide + 4 * tokens),
        // The normed tokens, and all three.
        ("queries, keys, values", base + x + query + 2 * key),
        // Keys, values, queries; the first half turned, the second one from its two products.
        ("turned queries", base + 2 * key + query * 5 / 2),
        // Before and after a step, and one number for each head and token.
        ("softmax", base + 2 * scores + shape.heads * row),
        // The normed tokens, and the gate before and after, or beside the other half.
        ("MLP's halves", base + x + 2 * inner),
        // Both halves and their product.
        ("MLP's product", base + 3 * inner),
        // The layers' tensors are gone.
        ("logits", logits * number * (shape.width + shape.vocabulary)),
    ]
    .map(|(name, bytes)| Moment { name, bytes: bytes as u64 })
}
