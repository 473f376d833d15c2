//! Writes the function with its body in an operation.

use super::function::Function;
use super::words::Words;
use super::{future, result};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::LitStr;
use syn::ext::IdentExt;

pub(crate) fn expand(function: Function, words: &Words) -> TokenStream {
    let operation = Operation::new(&function, words);
    let body: Vec<TokenTree> = function.body.stream().into_iter().collect();
    let (attributes, body) = body.split_at(inner_attributes(&body));
    let tracked = if function.is_async {
        operation.around_awaiting(body, function.result.as_ref())
    } else if let Some(future) = future::at_the_end(body) {
        operation.around_future(future)
    } else {
        operation.around(body)
    };
    let attributes: TokenStream = attributes.iter().cloned().collect();
    let mut block = Group::new(function.body.delimiter(), quote!(#attributes #tracked));
    block.set_span(function.body.span());
    let mut function = function.head;
    function.extend([TokenTree::Group(block)]);
    function
}

/// How many tokens are attributes of the block they stand in.
fn inner_attributes(body: &[TokenTree]) -> usize {
    let mut at = 0;
    while let [TokenTree::Punct(hash), TokenTree::Punct(mark), TokenTree::Group(_), ..] =
        &body[at..]
    {
        if (hash.as_char(), mark.as_char()) != ('#', '!') {
            break;
        }
        at += 3;
    }
    at
}

/// The operation, and where memprof is.
struct Operation {
    name: LitStr,
    krate: TokenStream,
}

impl Operation {
    fn new(function: &Function, words: &Words) -> Self {
        let name = words.name.clone().unwrap_or_else(|| {
            LitStr::new(&function.name.unraw().to_string(), function.name.span())
        });
        let krate =
            words.krate.as_ref().map_or_else(|| quote!(::memprof), ToTokens::to_token_stream);
        Self { name, krate: quote!(#krate::__private) }
    }

    /// A `static` that is visible to nothing but the expression after it.
    fn site(&self) -> TokenStream {
        let Self { name, krate } = self;
        quote! {
            static OPERATION: #krate::OperationSite =
                #krate::OperationSite::new(#name, ::core::file!(), ::core::line!());
        }
    }

    /// A guard, and the body.
    fn around(&self, body: &[TokenTree]) -> TokenStream {
        let site = self.site();
        let guard = Ident::new("_operation", Span::mixed_site());
        quote! {
            let #guard = {
                #site
                OPERATION.enter()
            };
            #(#body)*
        }
    }

    fn around_awaiting(&self, body: &[TokenTree], result: Option<&TokenStream>) -> TokenStream {
        let result = Self::told(result);
        let future = self.track(&quote! {
            async move {
                #result
                #(#body)*
            }
        });
        quote!(#future.await)
    }

    fn around_future(&self, future: future::Future) -> TokenStream {
        let future::Future { before, block, parentheses } = future;
        let tracked = self.track(&block);
        match parentheses {
            None => quote!(#before #tracked),
            Some(parentheses) => {
                let mut within = Group::new(parentheses.delimiter(), tracked);
                within.set_span(parentheses.span());
                quote!(#before #within)
            }
        }
    }

    fn track(&self, future: &TokenStream) -> TokenStream {
        let Self { krate, .. } = self;
        let site = self.site();
        quote! {
            #krate::TrackFuture::track(#future, {
                #site
                &OPERATION
            })
        }
    }

    /// Tells the block's result, for which it has no syntax of its own, by a `return` that never
    /// runs: `?` and boxed trait objects need to know it.
    fn told(result: Option<&TokenStream>) -> Option<TokenStream> {
        let unit = quote!(());
        let result = result::of_a_variable(result.unwrap_or(&unit))?;
        let never = Ident::new("never", Span::mixed_site());
        Some(quote! {
            #[allow(unreachable_code, clippy::all, clippy::pedantic, clippy::restriction)]
            if false {
                let #never: #result = loop {};
                return #never;
            }
        })
    }
}
