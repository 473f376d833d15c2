//! `#[memprof::track]`, with the same three stages as the derive: it reads the words in parentheses
//! and the function (`function`), checks both, and writes the new function (`expand`).

mod expand;
mod function;

#[cfg(test)]
mod golden;

use crate::attribute::{Target, skip_to_comma};
use crate::diagnostics::{Errors, name_problem};
use function::Function;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, LitStr, Path, Token};

/// Returns the function with its body tracked. If there are errors, returns them with the function
/// unchanged.
pub(crate) fn track(words: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let words = read_words(words, &mut errors);
    let function = match syn::parse2::<Function>(item.clone()) {
        Ok(function) => Some(function),
        Err(error) => {
            errors.add(error);
            None
        }
    };
    if let Some(function) = &function {
        check(function, &words, &mut errors);
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

/// The words in the parentheses.
#[derive(Default)]
struct Words {
    /// The operation's name, if it differs from the function's name.
    name: Option<LitStr>,
    /// The path of memprof, if it is not `::memprof`.
    krate: Option<Path>,
}

const NAME: &str = "name = \"load\"";
const CRATE: &str = "crate = path::to::memprof";

/// Reads the words to the end, and continues after errors.
fn read_words(tokens: TokenStream, errors: &mut Errors) -> Words {
    let mut words = Words::default();
    let parser = |input: ParseStream<'_>| {
        while !input.is_empty() {
            if let Err(error) = read_word(input, &mut words) {
                errors.add(error);
                skip_to_comma(input);
            }
            if !input.is_empty() && input.parse::<Token![,]>().is_err() {
                errors.add(input.error("expected `,` between the words of `#[track(...)]`"));
                skip_to_comma(input);
            }
        }
        Ok(())
    };
    if let Err(error) = parser.parse2(tokens) {
        errors.add(error);
    }
    words
}

fn read_word(input: ParseStream<'_>, words: &mut Words) -> syn::Result<()> {
    if let Ok(text) = input.fork().parse::<LitStr>() {
        let message =
            format!("a name needs `name =` before it: write `name = \"{}\"`", text.value());
        return Err(syn::Error::new(text.span(), message));
    }
    let word = input
        .call(Ident::parse_any)
        .map_err(|_| input.error(format!("expected a word: write `{NAME}`")))?;
    match word.unraw().to_string().as_str() {
        "name" => {
            let name = read_name(input, word.span())?;
            check_first(words.name.replace(name).is_none(), &word)
        }
        "crate" => {
            let path = read_path(input, word.span())?;
            check_first(words.krate.replace(path).is_none(), &word)
        }
        "rename" => {
            let message = format!("unknown word `rename`: did you mean `name`? Write `{NAME}`");
            Err(syn::Error::new(word.span(), message))
        }
        other => {
            let message = format!("unknown word `{other}`: write `{NAME}` or `{CRATE}`");
            Err(syn::Error::new(word.span(), message))
        }
    }
}

fn check_first(is_first: bool, word: &Ident) -> syn::Result<()> {
    if is_first {
        return Ok(());
    }
    let message = format!("`{}` is given twice: remove one of them", word.unraw());
    Err(syn::Error::new(word.span(), message))
}

fn read_name(input: ParseStream<'_>, word: Span) -> syn::Result<LitStr> {
    read_equals(input, word, "name", NAME)?;
    let found = if input.is_empty() { word } else { input.span() };
    input.parse().map_err(|_| {
        let message = format!("`name` needs a string in quotes: write `{NAME}`");
        syn::Error::new(found, message)
    })
}

fn read_path(input: ParseStream<'_>, word: Span) -> syn::Result<Path> {
    read_equals(input, word, "crate", CRATE)?;
    if let Ok(text) = input.fork().parse::<LitStr>() {
        let message = format!("the path needs no quotes: write `crate = {}`", text.value());
        return Err(syn::Error::new(text.span(), message));
    }
    let found = if input.is_empty() { word } else { input.span() };
    input.call(Path::parse_mod_style).map_err(|_| {
        let message = format!("`crate` needs a path: write `{CRATE}`");
        syn::Error::new(found, message)
    })
}

fn read_equals(input: ParseStream<'_>, span: Span, word: &str, usage: &str) -> syn::Result<()> {
    match input.parse::<Token![=]>() {
        Ok(_) => Ok(()),
        Err(_) => Err(syn::Error::new(span, format!("`{word}` needs a value: write `{usage}`"))),
    }
}

fn check(function: &Function, words: &Words, errors: &mut Errors) {
    if let Some(constant) = &function.signature.constness {
        errors.on(
            constant,
            "a `const fn` can't be tracked, as it may run in the compiler: remove `const`, or write \
             `let _operation = memprof::operation!(\"name\");` where it is called",
        );
    }
    let Some(name) = &words.name else { return };
    let text = name.value();
    if text.is_empty() {
        errors.on(
            name,
            "a name cannot be empty: write one, or remove `name` to use that of the function",
        );
    } else if let Some(problem) = name_problem(&text, Target::Field) {
        errors.on(name, problem);
    }
}
