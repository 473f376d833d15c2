//! `#[memprof::track]`, with the same three stages as the derive: it reads the words in parentheses
//! and the function (`function`), checks both, and writes the new function (`expand`).

mod expand;
mod function;

#[cfg(test)]
mod golden;

use crate::attribute::{Entry, NAME, Target, find, read_list};
use crate::diagnostics::{Errors, name_problem};
use function::Function;
use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;
use syn::parse::{ParseStream, Parser};

/// Returns the function with its body tracked. If there are errors, returns them with the function
/// unchanged.
pub(crate) fn track(words: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut entries = Vec::new();
    let parser = |input: ParseStream<'_>| {
        read_list(input, Target::Function, &mut entries, &mut errors);
        Ok(())
    };
    let read = parser.parse2(words);
    read.unwrap_or_else(|error| errors.add(error));
    let function = match syn::parse2::<Function>(item.clone()) {
        Ok(function) => Some(function),
        Err(error) => {
            errors.add(error);
            None
        }
    };
    if let Some(function) = &function {
        check(function, find(&entries, &NAME).and_then(Entry::text), &mut errors);
    }
    match (errors.check(), function) {
        (Ok(()), Some(function)) => expand::expand(&function, &entries),
        (Err(error), _) => {
            let errors = error.into_compile_error();
            quote!(#errors #item)
        }
        (Ok(()), None) => unreachable!("a function that does not parse is an error"),
    }
}

fn check(function: &Function, name: Option<&LitStr>, errors: &mut Errors) {
    if let Some(constant) = &function.signature.constness {
        errors.on(
            constant,
            "a `const fn` cannot be tracked, because it may run at compile time; remove `const`, or \
             write `let _operation = memprof::operation!(\"name\");` at the call",
        );
    }
    let Some(name) = name else { return };
    let text = name.value();
    if text.is_empty() {
        errors.on(name, "a name cannot be empty; remove `name` to use that of the function");
    } else if let Some(problem) = name_problem(&text, Target::Field) {
        errors.on(name, problem);
    }
}
