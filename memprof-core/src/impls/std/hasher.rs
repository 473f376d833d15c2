//! Hashers and the types that build them.

use crate::impls::std::flat::impl_flat;
use std::hash::{BuildHasherDefault, DefaultHasher, RandomState};

impl_flat! {
    [H] BuildHasherDefault<H>;
    [] DefaultHasher;
    [] RandomState;
}
