//! A function whose signature is parsed, and whose body is kept as tokens.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::token::Brace;
use syn::{Attribute, Error, ReturnType, Signature, Visibility, braced};

/// A function with a body.
///
/// syn's `ItemFn` would reject a body with syntax that is newer than syn.
pub(crate) struct Function {
    /// The attributes before the function, then those at the start of its body.
    pub(crate) attributes: [Vec<Attribute>; 2],
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    pub(crate) brace: Brace,
    pub(crate) body: TokenStream,
}

impl Function {
    pub(crate) fn name(&self) -> &Ident {
        &self.signature.ident
    }

    /// Returns the function with another body.
    pub(crate) fn with_body(&self, body: &TokenStream) -> TokenStream {
        let Self { attributes: [before, within], visibility, signature, .. } = self;
        let mut function = quote!(#(#before)* #visibility #signature);
        self.brace.surround(&mut function, |block| block.extend(quote!(#(#within)* #body)));
        function
    }
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let before = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let signature = input.call(signature)?;
        if !input.peek(Brace) {
            let message =
                "a function without a body cannot be tracked; put `track` on its implementation";
            return Err(Error::new(signature.ident.span(), message));
        }
        let content;
        let brace = braced!(content in input);
        let within = content.call(Attribute::parse_inner)?;
        let attributes = [before, within];
        Ok(Self { attributes, visibility, signature, brace, body: content.parse()? })
    }
}

fn signature(input: ParseStream<'_>) -> syn::Result<Signature> {
    // If there is a `fn`, syn reports what is wrong.
    if is_function(&input.fork().parse()?) { input.parse() } else { Err(not_a_function(input)) }
}

fn is_function(item: &TokenStream) -> bool {
    let mut words = item.clone().into_iter().map_while(|token| match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        // This is the ABI after `extern`.
        TokenTree::Literal(_) => Some(String::new()),
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => Some(String::new()),
        _ => None,
    });
    words.any(|word| word == "fn")
}

/// Returns the type that a function returns, if the signature names one.
pub(crate) fn result(signature: &Signature) -> Option<&syn::Type> {
    match &signature.output {
        ReturnType::Default => None,
        ReturnType::Type(_, result) => Some(result),
    }
}

fn not_a_function(input: ParseStream<'_>) -> Error {
    let word = input.cursor().ident().map(|(word, _)| word.to_string()).unwrap_or_default();
    let message = match word.as_str() {
        "impl" | "trait" | "mod" => {
            format!("`track` is only allowed on functions; put it on those of this `{word}`")
        }
        "struct" | "enum" | "union" => format!(
            "`track` is only allowed on functions, not on a `{word}`; to profile its values, use \
             `#[derive(memprof::MemoryProfile)]`"
        ),
        _ => String::from(
            "`track` is only allowed on functions; to name a part of one, write \
             `let _operation = memprof::operation!(\"name\");`",
        ),
    };
    input.error(message)
}
