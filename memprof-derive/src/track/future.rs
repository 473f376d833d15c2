//! Functions that aren't `async` and end in a future: `async move { … }`, or one in `Box::pin(…)`.
//!
//! That is what macros make of `async fn` in traits, and what was written before there was one. A
//! guard would count how such a future is made, which is nothing.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// What the body ends in.
#[derive(Debug)]
pub(crate) struct Future {
    /// What comes before it.
    pub(crate) before: TokenStream,
    /// The block, with its `async`.
    pub(crate) block: TokenStream,
    /// The parentheses of `Box::pin` that it stands in.
    pub(crate) parentheses: Option<Group>,
}

/// The future that the body ends in, if it does.
pub(crate) fn at_the_end(body: &[TokenTree]) -> Option<Future> {
    if let Some(start) = async_block(body) {
        let (before, block) = body.split_at(start);
        return Some(Future { before: collect(before), block: collect(block), parentheses: None });
    }
    let [before @ .., TokenTree::Group(last)] = body else { return None };
    if last.delimiter() != Delimiter::Parenthesis || !ends_in_box_pin(before) {
        return None;
    }
    let within: Vec<TokenTree> = last.stream().into_iter().collect();
    (async_block(&within) == Some(0)).then(|| Future {
        before: collect(before),
        block: collect(&within),
        parentheses: Some(last.clone()),
    })
}

fn collect(tokens: &[TokenTree]) -> TokenStream {
    tokens.iter().cloned().collect()
}

/// Where the block begins that the tokens end in.
fn async_block(tokens: &[TokenTree]) -> Option<usize> {
    let [before @ .., TokenTree::Group(block)] = tokens else { return None };
    let is = |token: Option<&TokenTree>, name: &str| matches!(token, Some(TokenTree::Ident(word)) if word == name);
    if block.delimiter() != Delimiter::Brace {
        return None;
    }
    let moves = usize::from(is(before.last(), "move"));
    let start = before.len().checked_sub(moves + 1)?;
    is(before.get(start), "async").then_some(start)
}

/// Whether the tokens end in `Box::pin`.
fn ends_in_box_pin(tokens: &[TokenTree]) -> bool {
    let [.., name, colon, other, pin] = tokens else { return false };
    [name, colon, other, pin].map(ToString::to_string) == ["Box", ":", ":", "pin"]
}
