//! Functions that are not `async` and end in a future: `async move { … }`, alone or in
//! `Box::pin(…)`.
//!
//! Macros generate such functions from an `async fn` in a trait. Programs older than `async fn`
//! contain them too. A guard would count the creation of such a future instead of its work.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::Parser;
use syn::{Block, Expr, ExprCall, Stmt};

/// Returns the body with its final future replaced, if it ends in one.
pub(crate) fn replace_future(
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
