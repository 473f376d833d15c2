//! Reads a function: where its name, its result and its body are, the rest as it stands.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Error;

/// A function that has a body.
#[derive(Debug)]
pub(crate) struct Function {
    /// All before the body.
    pub(crate) head: TokenStream,
    pub(crate) name: Ident,
    /// The type after `->`, if one is written.
    pub(crate) result: Option<TokenStream>,
    pub(crate) is_async: bool,
    /// The word `const`, if it stands there.
    pub(crate) constant: Option<Ident>,
    pub(crate) body: Group,
}

pub(crate) fn read(item: &TokenStream) -> syn::Result<Function> {
    let tokens = ungrouped(item.clone());
    let (mut is_async, mut constant) = (false, None);
    let mut at = start(&tokens);
    loop {
        match word_at(&tokens, at).as_deref() {
            Some("fn") => break,
            Some("async") => is_async = true,
            Some("const") => constant = ident_at(&tokens, at).cloned(),
            Some("unsafe" | "safe" | "extern" | "default") => {}
            // What an `extern` is followed by, as it stands or from a macro's argument.
            None if at > 0 && word_at(&tokens, at - 1).as_deref() == Some("extern") => {}
            _ => return Err(not_a_function(&tokens, at)),
        }
        at += 1;
    }
    let Some(name) = ident_at(&tokens, at + 1) else { return Err(not_a_function(&tokens, at)) };
    let Some((body, head)) =
        tokens.split_last().and_then(|(last, head)| Some((block(last)?, head)))
    else {
        let message = "a function without a body can't be tracked: put `track` on the impl of it";
        return Err(Error::new(name.span(), message));
    };
    Ok(Function {
        head: head.iter().cloned().collect(),
        name: name.clone(),
        result: result(head.get(at + 2..).unwrap_or_default()),
        is_async,
        constant,
        body,
    })
}

/// The tokens of an item, which is a group if it came from a macro's argument.
fn ungrouped(item: TokenStream) -> Vec<TokenTree> {
    let tokens: Vec<TokenTree> = item.into_iter().collect();
    match &tokens[..] {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
            ungrouped(group.stream())
        }
        _ => tokens,
    }
}

/// Where attributes and visibility end.
fn start(tokens: &[TokenTree]) -> usize {
    let mut at = 0;
    loop {
        at += match (tokens.get(at), tokens.get(at + 1)) {
            (Some(TokenTree::Punct(punct)), Some(_)) if punct.as_char() == '#' => 2,
            // `pub(crate)`
            (Some(TokenTree::Ident(word)), Some(TokenTree::Group(_))) if word == "pub" => 2,
            (Some(TokenTree::Ident(word)), _) if word == "pub" => 1,
            // Attributes and visibility from a macro's argument.
            (Some(TokenTree::Group(group)), Some(_)) if group.delimiter() == Delimiter::None => 1,
            _ => return at,
        }
    }
}

fn ident_at(tokens: &[TokenTree], at: usize) -> Option<&Ident> {
    if let Some(TokenTree::Ident(word)) = tokens.get(at) { Some(word) } else { None }
}

fn word_at(tokens: &[TokenTree], at: usize) -> Option<String> {
    ident_at(tokens, at).map(ToString::to_string)
}

/// The block that a function's last token is, as it stands or from a macro's argument.
fn block(token: &TokenTree) -> Option<Group> {
    let TokenTree::Group(group) = token else { return None };
    match group.delimiter() {
        Delimiter::Brace => Some(group.clone()),
        Delimiter::None => match &ungrouped(group.stream())[..] {
            [only] => block(only),
            _ => None,
        },
        Delimiter::Parenthesis | Delimiter::Bracket => None,
    }
}

/// The type after `->`, in what follows a function's name.
fn result(rest: &[TokenTree]) -> Option<TokenStream> {
    let parameters = parameters(rest)?;
    let [TokenTree::Punct(dash), TokenTree::Punct(tip), rest @ ..] = &rest[parameters + 1..] else {
        return None;
    };
    if (dash.as_char(), tip.as_char()) != ('-', '>') {
        return None;
    }
    let is_where = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "where");
    Some(rest.iter().take_while(|token| !is_where(token)).cloned().collect())
}

/// Where the parameters are: the first parentheses that are not among generic ones.
fn parameters(rest: &[TokenTree]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in rest.iter().enumerate() {
        match token {
            TokenTree::Group(group)
                if group.delimiter() == Delimiter::Parenthesis && depth == 0 =>
            {
                return Some(at);
            }
            TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' && !is_arrow(rest, at) => {
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
    }
    None
}

/// Whether the `>` there is that of `->`.
pub(crate) fn is_arrow(tokens: &[TokenTree], at: usize) -> bool {
    at > 0 && matches!(&tokens[at - 1], TokenTree::Punct(before) if before.as_char() == '-')
}

fn not_a_function(tokens: &[TokenTree], at: usize) -> Error {
    let word = word_at(tokens, at).unwrap_or_default();
    let message = match word.as_str() {
        "impl" | "trait" | "mod" => {
            format!("`track` belongs on a function: put it on those in this `{word}`")
        }
        "struct" | "enum" | "union" => format!(
            "`track` belongs on a function, not on a `{word}`; what its values own is told by \
             `#[derive(memprof::MemoryProfile)]`"
        ),
        _ => String::from(
            "`track` belongs on a function; to name part of one write \
             `let _operation = memprof::operation!(\"name\");`",
        ),
    };
    match tokens.get(at) {
        Some(token) => Error::new_spanned(token.to_token_stream(), message),
        None => Error::new(proc_macro2::Span::call_site(), message),
    }
}
