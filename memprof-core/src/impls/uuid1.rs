//! uuid 1: identifiers, which are payload and own nothing.

use crate::impls::std::scalar::impl_flat;
use crate::impls::std::scalar::scalars;
use uuid::{Builder, NonNilUuid, Timestamp, Uuid, Variant, Version, fmt};

scalars! {
    Uuid, NonNilUuid, Timestamp,
    fmt::Braced, fmt::Hyphenated, fmt::Simple, fmt::Urn,
}

impl_flat! {
    [] Builder;
    [] Variant;
    [] Version;
}
