//! A function's result as a type that a variable can have.

use super::function::is_arrow;
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::quote;

/// The type with `_` in place of each `impl Trait`; `None` if it is `!`, which no variable has.
pub(crate) fn of_a_variable(result: &TokenStream) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = result.clone().into_iter().collect();
    match &tokens[..] {
        [TokenTree::Punct(never)] if never.as_char() == '!' => None,
        _ => Some(inferred(&tokens)),
    }
}

fn inferred(tokens: &[TokenTree]) -> TokenStream {
    let mut written = TokenStream::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            TokenTree::Ident(word) if word == "impl" => {
                written.extend(quote!(_));
                at = end_of_bounds(tokens, at);
                continue;
            }
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let mut within = Group::new(group.delimiter(), inferred(&inner));
                within.set_span(group.span());
                written.extend([TokenTree::Group(within)]);
            }
            token => written.extend([token.clone()]),
        }
        at += 1;
    }
    written
}

/// Where the bounds of the `impl` there end: at a comma, or at the `>` of what is around it.
fn end_of_bounds(tokens: &[TokenTree], start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        let TokenTree::Punct(punct) = token else { continue };
        match punct.as_char() {
            '<' => depth += 1,
            '>' if is_arrow(tokens, at) => {}
            ',' | '>' if depth == 0 => return at,
            '>' => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}
