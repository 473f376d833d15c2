//! `#[memprof::track]`, with the same three stages as the derive.
//!
//! *Read* parses the words in parentheses and the function (`words`, `function`). *Validate* checks
//! it (`valid`). *Expand* writes the new function (`expand`, `future`).

mod function;
mod future;
mod words;

mod valid;

mod expand;

#[cfg(test)]
mod golden;

use crate::errors::Errors;
use function::Function;
use proc_macro2::TokenStream;
use quote::quote;

/// Returns the function with its body tracked. If there are errors, returns them with the function
/// unchanged.
pub(crate) fn track(words: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let words = words::read(words, &mut errors);
    let function = match syn::parse2::<Function>(item.clone()) {
        Ok(function) => Some(function),
        Err(error) => {
            errors.add(error);
            None
        }
    };
    if let Some(function) = &function {
        valid::check(function, &words, &mut errors);
    }
    match (errors.check(), function) {
        (Ok(()), Some(function)) => expand::expand(&function, &words),
        (Err(error), _) => {
            let errors = error.into_compile_error();
            quote!(#errors #item)
        }
        (Ok(()), None) => unreachable!("a function that does not parse is an error"),
    }
}
