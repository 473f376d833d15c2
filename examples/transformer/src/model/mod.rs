//! A decoder: embeddings, layers of attention and MLP, a head.

mod activations;
mod attention;
mod cache;
mod maker;
mod mlp;
mod norm;
mod operations;
mod rotary;
mod step;
mod transformer;

pub(crate) use activations::{Activations, Books};
pub(crate) use cache::{KvCache, LayerCache};
pub(crate) use maker::Maker;
pub(crate) use transformer::Transformer;

use mlp::Mlp;
use norm::Norm;
use rotary::Rotary;
use step::Step;
