//! The expansion of a function, whose body runs in an operation.
//!
//! A function that is not `async` may end in a future: `async move { … }`, alone or in `Box::pin(…)`.
//! Macros generate such functions from an `async fn` in a trait, and programs older than `async fn`
//! contain them. A guard would count the creation of the future instead of its work.

use super::function::{self, Function};
use crate::attribute::{CRATE, Entry, NAME, find};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::visit_mut::{VisitMut, visit_type_mut};
use syn::{Block, Expr, ExprCall, LitStr, Stmt, Type, parse_quote};

pub(crate) fn expand(function: &Function, entries: &[Entry]) -> TokenStream {
    let operation = Operation::new(function, entries);
    let body = &function.body;
    let tracked = if function.signature.asyncness.is_some() {
        operation.with_await(body, function::result(&function.signature))
    } else {
        replace_future(body, |future| operation.track(future))
            .unwrap_or_else(|| operation.with_guard(body))
    };
    function.with_body(&tracked)
}

/// The operation, and the path of memprof.
struct Operation {
    name: LitStr,
    krate: TokenStream,
}

impl Operation {
    fn new(function: &Function, entries: &[Entry]) -> Self {
        let name = find(entries, &NAME).and_then(Entry::text).cloned().unwrap_or_else(|| {
            LitStr::new(&function.name().unraw().to_string(), function.name().span())
        });
        let krate = find(entries, &CRATE).and_then(Entry::path);
        let krate = krate.map_or_else(|| quote!(::memprof), ToTokens::to_token_stream);
        Self { name, krate: quote!(#krate::__private) }
    }

    /// Returns a `static` that only the expression after it can name.
    fn site(&self) -> TokenStream {
        let Self { name, krate } = self;
        quote! {
            static OPERATION: #krate::OperationSite =
                #krate::OperationSite::new(#name, ::core::file!(), ::core::line!());
        }
    }

    /// Returns the body with a guard before it.
    fn with_guard(&self, body: &TokenStream) -> TokenStream {
        let site = self.site();
        let guard = Ident::new("_operation", Span::mixed_site());
        quote! {
            let #guard = {
                #site
                OPERATION.enter()
            };
            #body
        }
    }

    fn with_await(&self, body: &TokenStream, result: Option<&Type>) -> TokenStream {
        let result = Self::result_hint(result);
        let future = self.track(&quote! {
            async move {
                #result
                #body
            }
        });
        quote!(#future.await)
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

    /// Returns a `return` that never runs. It sets the result type of the async block, for which
    /// Rust has no syntax. `?` and boxed trait objects need that type.
    fn result_hint(result: Option<&Type>) -> Option<TokenStream> {
        let result = as_variable_type(result)?;
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

/// Returns the type with `_` in place of each `impl Trait`, or `None` for `!`, which no variable
/// can have.
fn as_variable_type(result: Option<&Type>) -> Option<Type> {
    let mut result = result.cloned().unwrap_or_else(|| parse_quote!(()));
    ReplaceImplTrait.visit_type_mut(&mut result);
    (!matches!(result, Type::Never(_))).then_some(result)
}

struct ReplaceImplTrait;

impl VisitMut for ReplaceImplTrait {
    fn visit_type_mut(&mut self, of: &mut Type) {
        if matches!(of, Type::ImplTrait(_)) {
            *of = parse_quote!(_);
        } else {
            visit_type_mut(self, of);
        }
    }
}

/// Returns the body with its final future replaced, if it ends in one.
fn replace_future(
    body: &TokenStream,
    replacement: impl FnOnce(&TokenStream) -> TokenStream,
) -> Option<TokenStream> {
    // The end of a body is unknown if syn cannot parse the body.
    let mut statements = Block::parse_within.parse2(body.clone()).ok()?;
    let Some(Stmt::Expr(last, None)) = statements.last_mut() else { return None };
    let future = future(last)?;
    *future = Expr::Verbatim(replacement(&future.to_token_stream()));
    Some(statements.iter().map(ToTokens::to_token_stream).collect())
}

/// Returns the `async` block that an expression evaluates to, alone or in `Box::pin`.
fn future(expression: &mut Expr) -> Option<&mut Expr> {
    match expression {
        Expr::Async(_) => Some(expression),
        Expr::Return(returned) => future(returned.expr.as_deref_mut()?),
        Expr::Call(call) if is_box_pin(call) => {
            call.args.first_mut().filter(|argument| matches!(argument, Expr::Async(_)))
        }
        _ => None,
    }
}

fn is_box_pin(call: &ExprCall) -> bool {
    let Expr::Path(function) = &*call.func else { return false };
    let mut names = function.path.segments.iter().rev().map(|segment| &segment.ident);
    call.args.len() == 1
        && names.next().is_some_and(|name| name == "pin")
        && names.next().is_some_and(|name| name == "Box")
}
