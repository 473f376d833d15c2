//! `#[derive(MemoryProfile)]`, an implementation detail of the crate `memprof`.
//!
//! `derive` contains the stages of the derive, and `attribute` the words of the attributes and the
//! errors. `#[track]` is in `track`, behind a feature, so that users of the derive alone do not
//! compile it.

mod attribute;
mod derive;

#[cfg(feature = "track")]
mod track;

#[cfg(test)]
mod golden;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `MemoryProfile`. The crate `memprof` documents its attributes.
#[proc_macro_derive(MemoryProfile, attributes(profile))]
pub fn derive_memory_profile(item: TokenStream) -> TokenStream {
    derive::derive(&parse_macro_input!(item as DeriveInput)).into()
}

/// Counts the allocations of a function. The crate `memprof` documents this attribute.
#[cfg(feature = "track")]
#[proc_macro_attribute]
pub fn track(words: TokenStream, function: TokenStream) -> TokenStream {
    track::track(words.into(), &function.into()).into()
}
