//! What a transformer takes, by formula.

mod activations;
mod parts;

pub(crate) use activations::{Pass, peak};
pub(crate) use parts::{Expected, kv_cache_used, part};
