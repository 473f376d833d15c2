//! The words of `#[track(...)]`, and their reader.

use crate::errors::Errors;
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, LitStr, Path, Token};

/// The words in the parentheses.
#[derive(Debug, Default)]
pub(crate) struct Words {
    /// The operation's name, if it differs from the function's name.
    pub(crate) name: Option<LitStr>,
    /// The path of memprof, if it is not `::memprof`.
    pub(crate) krate: Option<Path>,
}

const NAME: &str = "name = \"load\"";
const CRATE: &str = "crate = path::to::memprof";

/// Reads the words to the end, and continues after errors.
pub(crate) fn read(tokens: TokenStream, errors: &mut Errors) -> Words {
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

/// Advances `input` to the next comma, or to the end.
fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        if input.parse::<TokenTree>().is_err() {
            return;
        }
    }
}
