//! `#[memprof::track]`, by the same three stages as the derive.
//!
//! *Read* the words in parentheses and the function (`words`, `function`), *validate* it (`valid`),
//! *expand* (`expand`, `result`, `future`).

mod function;
mod future;
mod result;
mod words;

mod valid;

mod expand;

#[cfg(test)]
mod golden;

use crate::errors::Errors;
use function::Function;
use proc_macro2::TokenStream;
use quote::quote;

/// The function with its body tracked, or as it was beside what is wrong with it.
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
        (Ok(()), None) => unreachable!("a function that can't be read is an error"),
    }
}
