//! Hashers and the types that build them.

use crate::impls::std::flat::flat;
use std::hash::{BuildHasherDefault, DefaultHasher, RandomState};

flat! {
    [H] BuildHasherDefault<H>;
    [] DefaultHasher;
    [] RandomState;
}
