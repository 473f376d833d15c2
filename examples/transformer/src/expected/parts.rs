//! The formulas of the parts that are there from the start.

use crate::parts::Part;
use crate::shape::Shape;

/// The bytes of a part's elements, and how they come about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) bytes: u64,
    pub(crate) formula: String,
}

/// What a part takes whose numbers have so many bytes each.
pub(crate) fn part(part: Part, shape: &Shape, number: usize) -> Expected {
    let Shape { vocabulary, width, layers, kv_heads, head_width, mlp_width, context, .. } = *shape;
    let (queries, keys) = (shape.query_width(), shape.kv_width());
    let (numbers, formula) = match part {
        Part::Attention => (
            layers * 2 * width * (queries + keys),
            format!("{layers} layers × 2 × {width} × ({queries} + {keys})"),
        ),
        Part::Mlp => {
            (layers * 3 * width * mlp_width, format!("{layers} layers × 3 × {width} × {mlp_width}"))
        }
        Part::Norms => ((2 * layers + 1) * width, format!("(2 × {layers} layers + 1) × {width}")),
        Part::Head if shape.tied => (0, "tied: the embeddings".to_owned()),
        Part::Embeddings | Part::Head => (vocabulary * width, format!("{vocabulary} × {width}")),
        Part::Rotary => {
            (2 * context * (head_width / 2), format!("2 × {context} places × {head_width} / 2"))
        }
        Part::KvCache => (
            layers * 2 * kv_heads * context * head_width,
            format!("{layers} layers × 2 × {kv_heads} heads × {context} places × {head_width}"),
        ),
    };
    let bytes = numbers as u64 * number as u64;
    let formula = if bytes == 0 { formula } else { format!("{formula} × {number} B") };
    Expected { bytes, formula }
}

/// What so many tokens fill of the KV cache.
pub(crate) fn kv_cache_used(shape: &Shape, number: usize, tokens: usize) -> u64 {
    (shape.layers * 2 * shape.kv_width() * tokens * number) as u64
}
