//! A decoder: embeddings, layers of attention and MLP, a head.

mod activation;
mod activations;
mod attention;
mod books;
mod cache;
mod live;
mod maker;
mod mlp;
mod norm;
mod operations;
#[cfg(test)]
mod reference;
mod rotary;
mod step;
mod transformer;

pub(crate) use activations::Activations;
pub(crate) use books::Books;
pub(crate) use cache::{KvCache, LayerCache};
pub(crate) use maker::Maker;
pub(crate) use transformer::Transformer;

use mlp::Mlp;
use norm::Norm;
use rotary::Rotary;
use step::Step;
