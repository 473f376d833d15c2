//! `#[memprof::track]`, with the same three stages as the derive: it reads the words in parentheses
//! and the function, checks both, and writes the new function, whose body runs in an operation.
//!
//! A function that is not `async` may end in a future: `async move { … }`, alone or in `Box::pin(…)`.
//! Macros generate such functions from an `async fn` in a trait, and programs older than `async fn`
//! contain them. A guard would count the creation of the future instead of its work.

#[cfg(test)]
mod golden;

use crate::attribute::{CRATE, Entries, Errors, NAME, Target, name_problem};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::token::Brace;
use syn::visit_mut::{VisitMut, visit_type_mut};
use syn::{
    Attribute, Block, Error, Expr, ExprCall, LitStr, ReturnType, Signature, Stmt, Type, Visibility,
    braced, parse_quote,
};

/// If there are errors, returns them with the function unchanged.
pub(crate) fn track(words: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut entries = Entries::default();
    entries.read_list(words, Target::Function, &mut errors);
    let function = syn::parse2::<Function>(item.clone());
    match &function {
        Ok(function) => check(function, entries.text(&NAME), &mut errors),
        Err(error) => errors.add(error.clone()),
    }
    match errors.check().and(function) {
        Ok(function) => expand(&function, &entries),
        Err(error) => {
            let errors = error.into_compile_error();
            quote!(#errors #item)
        }
    }
}

fn check(function: &Function, name: Option<&LitStr>, errors: &mut Errors) {
    if let Some(constant) = &function.signature.constness {
        errors.on(
            constant,
            "a `const fn` cannot be tracked, because it may run at compile time; remove `const`, or \
             write `let _operation = memprof::operation!(\"name\");` at the call",
        );
    }
    let Some(name) = name else { return };
    let text = name.value();
    if text.is_empty() {
        errors.on(name, "a name cannot be empty; remove `name` to use that of the function");
    } else if let Some(problem) = name_problem(&text, Target::Field) {
        errors.on(name, problem);
    }
}

fn expand(function: &Function, entries: &Entries) -> TokenStream {
    let operation = Operation::new(function, entries);
    let body = &function.body;
    let tracked = if function.signature.asyncness.is_some() {
        operation.with_await(body, &function.signature.output)
    } else {
        replace_future(body, |future| operation.track(future))
            .unwrap_or_else(|| operation.with_guard(body))
    };
    function.with_body(&tracked)
}

/// The operation, as code.
struct Operation {
    /// The path of what generated code may name.
    krate: TokenStream,
    /// A reference to a `static` that only this expression can name.
    site: TokenStream,
}

impl Operation {
    fn new(function: &Function, entries: &Entries) -> Self {
        let name = entries.text(&NAME).cloned().unwrap_or_else(|| {
            let name = &function.signature.ident;
            LitStr::new(&name.unraw().to_string(), name.span())
        });
        let krate = entries.path(&CRATE);
        let krate = krate.map_or_else(|| quote!(::memprof), ToTokens::to_token_stream);
        let krate = quote!(#krate::__private);
        let site = quote! {
            {
                static OPERATION: #krate::OperationSite =
                    #krate::OperationSite::new(#name, ::core::file!(), ::core::line!());
                &OPERATION
            }
        };
        Self { krate, site }
    }

    fn with_guard(&self, body: &TokenStream) -> TokenStream {
        let (site, guard) = (&self.site, Ident::new("_operation", Span::mixed_site()));
        quote! {
            let #guard = #site.enter();
            #body
        }
    }

    fn with_await(&self, body: &TokenStream, result: &ReturnType) -> TokenStream {
        let result = Self::result_hint(result);
        let future = self.track(&quote!(async move { #result #body }));
        quote!(#future.await)
    }

    fn track(&self, future: &TokenStream) -> TokenStream {
        let Self { krate, site } = self;
        quote!(#krate::TrackFuture::track(#future, #site))
    }

    /// Returns a `return` that never runs. It sets the result type of the async block, for which
    /// Rust has no syntax. `?` and boxed trait objects need that type.
    fn result_hint(result: &ReturnType) -> Option<TokenStream> {
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
fn as_variable_type(result: &ReturnType) -> Option<Type> {
    let mut result = match result {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, result) => (**result).clone(),
    };
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

/// A function with a body.
///
/// syn's `ItemFn` would reject a body with syntax that is newer than syn.
struct Function {
    /// The attributes before the function, then those at the start of its body.
    attributes: [Vec<Attribute>; 2],
    visibility: Visibility,
    signature: Signature,
    brace: Brace,
    body: TokenStream,
}

impl Function {
    fn with_body(&self, body: &TokenStream) -> TokenStream {
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
