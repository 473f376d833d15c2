//! uuid 1: identifiers, which are payload and own nothing.

use crate::impls::std::scalar::impl_flat;
use uuid::{Builder, NonNilUuid, Timestamp, Uuid, Variant, Version, fmt};

impl_flat! {
    Builder, Uuid, NonNilUuid, Timestamp, Variant, Version,
    fmt::Braced, fmt::Hyphenated, fmt::Simple, fmt::Urn,
}
