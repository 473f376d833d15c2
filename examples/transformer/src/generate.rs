//! Greedy generation: the likeliest token comes next.

use crate::model::{Activations, Books, KvCache, Transformer};
use candle_core::Result;
use std::sync::Mutex;

/// The tokens that a generation chose, and what its passes took.
#[derive(Debug)]
pub(crate) struct Generated {
    pub(crate) tokens: Vec<u32>,
    /// Of the pass that read the prompt.
    pub(crate) prompt: Books,
    /// Of the last pass, which read one token; none if there was no other.
    pub(crate) last: Option<Books>,
}

/// Reads the prompt into the cache and adds so many tokens.
pub(crate) fn generate(
    transformer: &Transformer,
    prompt: &[u32],
    count: usize,
    cache: &Mutex<KvCache>,
    activations: &Activations,
) -> Result<Generated> {
    let pass = |tokens: &[u32]| {
        activations.open_books();
        let logits = transformer.forward(tokens, cache, activations, 1)?;
        let chosen = logits.argmax()?.tensor().to_vec1::<u32>()?;
        Ok::<_, candle_core::Error>((chosen[0], activations.books()))
    };
    let (first, books) = {
        let _operation = memprof::operation!("prompt");
        pass(prompt)?
    };
    let mut generated = Generated { tokens: vec![first], prompt: books, last: None };
    while generated.tokens.len() < count {
        let _operation = memprof::operation!("token");
        let before = generated.tokens[generated.tokens.len() - 1];
        let (next, books) = pass(&[before])?;
        generated.tokens.push(next);
        generated.last = Some(books);
    }
    Ok(generated)
}
