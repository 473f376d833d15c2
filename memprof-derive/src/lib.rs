//! `#[derive(MemoryProfile)]`, an implementation detail of the crate `memprof`.
//!
//! It has three stages. *Read* parses the item and its attributes (`ast`, `attribute`). *Validate*
//! checks what depends on more than one attribute (`valid`). *Expand* writes the impl (`expand`,
//! `bound`, `types`). Errors accumulate (`diagnostics`). If there are any, a stub replaces the impl.
//!
//! `#[track]` is in `track`, behind a feature, so that users of the derive alone do not compile it.

mod ast;
mod attribute;
mod bound;
mod diagnostics;
mod expand;
mod types;
mod valid;

#[cfg(feature = "track")]
mod track;

#[cfg(test)]
mod golden;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `MemoryProfile`. The crate `memprof` documents its attributes.
#[proc_macro_derive(MemoryProfile, attributes(profile))]
pub fn derive_memory_profile(item: TokenStream) -> TokenStream {
    derive(&parse_macro_input!(item as DeriveInput)).into()
}

/// Counts the allocations of a function. The crate `memprof` documents this attribute.
#[cfg(feature = "track")]
#[proc_macro_attribute]
pub fn track(words: TokenStream, function: TokenStream) -> TokenStream {
    track::track(words.into(), &function.into()).into()
}

fn derive(item: &DeriveInput) -> proc_macro2::TokenStream {
    let mut errors = diagnostics::Errors::default();
    let input = ast::Input::read(item, &mut errors);
    valid::check(&input, &mut errors);
    match errors.check() {
        Ok(()) => expand::expand(&input),
        Err(error) => expand::stub(&input, &error),
    }
}
