//! Functions that aren't `async` and end in a future: `async move { … }`, or one in `Box::pin(…)`.
//!
//! That is what macros make of `async fn` in traits, and what was written before there was one. A
//! guard would count how such a future is made, which is nothing.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::Parser;
use syn::{Block, Expr, ExprCall, Stmt};

/// The body with the future that it ends in replaced, if it ends in one.
pub(crate) fn replaced(
    body: &TokenStream,
    replacement: impl FnOnce(&TokenStream) -> TokenStream,
) -> Option<TokenStream> {
    // A body that syn does not know has no end that is known.
    let mut statements = Block::parse_within.parse2(body.clone()).ok()?;
    let Some(Stmt::Expr(last, None)) = statements.last_mut() else { return None };
    let future = future(last)?;
    *future = Expr::Verbatim(replacement(&future.to_token_stream()));
    Some(statements.iter().map(ToTokens::to_token_stream).collect())
}

/// The `async` block that an expression gives back, as it is or in `Box::pin`.
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
