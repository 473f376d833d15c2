//! The impl of a valid item, as code.
//!
//! The expansion only names fields. It contains no formatting, no closures and no unsafe code, and
//! one statement per field that can own memory. Everything else is in the runtime, which is
//! compiled once.

mod enums;
mod field;
mod remote;
mod structs;

use crate::ast::{Data, Input};
use crate::bound;
use field::{FieldVisit, Flat};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use structs::Struct;

/// Returns the impl.
pub(crate) fn expand(input: &Input<'_>) -> TokenStream {
    let locals = Locals::new(input.shareable);
    let ident = &input.original.ident;
    let (impl_generics, ty_generics, _) = input.original.generics.split_for_impl();
    let where_clause = bound::where_clause(input);
    let allowed = quote!(#[allow(deprecated, non_camel_case_types, non_upper_case_globals)]);
    if let Some(remote) = &input.remote {
        let function = remote::function(input, remote, &locals);
        return in_scope(
            input,
            &quote! {
                #[automatically_derived]
                #allowed
                impl #impl_generics #ident #ty_generics #where_clause { #function }
            },
        );
    }
    let Struct { methods, shape, has_tail } = match &input.data {
        Data::Struct(fields) => structs::expand(fields, input, &locals),
        Data::Enum(variants) => {
            let methods = enums::methods(variants, ident, &locals);
            Struct { methods, shape: None, has_tail: false }
        }
        Data::Union(_) => unreachable!("validation rejects unions"),
    };
    let tail = has_tail.then(|| {
        quote! {
            #[allow(unused_imports)]
            use __memprof::TailOfAnySize as _;
        }
    });
    let type_name = input.rename.as_ref().map(|name| {
        quote! {
            fn type_name(&self) -> &'static __memprof::str { #name }
        }
    });
    let shape = shape.map(|shape| {
        quote! {
            #[automatically_derived]
            #allowed
            impl #impl_generics __memprof::Shaped for #ident #ty_generics #where_clause { #shape }
        }
    });
    in_scope(
        input,
        &quote! {
            #tail
            #shape
            #[automatically_derived]
            #allowed
            impl #impl_generics __memprof::MemoryProfile for #ident #ty_generics #where_clause {
                #methods
                #type_name
            }
        },
    )
}

/// Returns the errors and an impl that does nothing. Without the impl, every use of the type would
/// be another error.
pub(crate) fn stub(input: &Input<'_>, error: &syn::Error) -> TokenStream {
    let errors = error.to_compile_error();
    let ident = &input.original.ident;
    let (impl_generics, ty_generics, where_clause) = input.original.generics.split_for_impl();
    let (of, visibility, parameter, value) = if input.remote.is_some() {
        let visibility = &input.original.vis;
        (None, Some(visibility), Some(quote!(, __T: ?__memprof::Sized)), quote!(_: &'__memprof __T))
    } else {
        (Some(quote!(__memprof::MemoryProfile for)), None, None, quote!(&'__memprof self))
    };
    let stub = in_scope(
        input,
        &quote! {
            #[automatically_derived]
            impl #impl_generics #of #ident #ty_generics #where_clause {
                #visibility fn owned<'__memprof #parameter>(
                    #value,
                    _: &mut __memprof::Walk<'__memprof>,
                    _: __memprof::Position,
                ) {}
            }
        },
    );
    quote!(#errors #stub)
}

/// Returns `item` in a scope where `__memprof` is the module of everything that generated code may
/// name.
fn in_scope(input: &Input<'_>, item: &TokenStream) -> TokenStream {
    let krate = input.krate.as_ref().map_or_else(|| quote!(::memprof), ToTokens::to_token_stream);
    quote! {
        const _: () = {
            use #krate::__private as __memprof;
            #item
        };
    }
}

/// The local variables of generated code, which user code can neither use nor shadow, and a flag.
struct Locals {
    walk: Ident,
    at: Ident,
    fields: Ident,
    values: Ident,
    value: Ident,
    tally: Ident,
    /// True if each value is checked for equality with earlier ones.
    shareable: bool,
}

impl Locals {
    fn new(shareable: bool) -> Self {
        let local = |name| Ident::new(name, Span::mixed_site());
        Self {
            walk: local("walk"),
            at: local("at"),
            fields: local("fields"),
            values: local("values"),
            value: local("value"),
            tally: local("tally"),
            shareable,
        }
    }

    /// Returns a method that takes a value, the walk and a position.
    fn method(&self, name: &str, body: &TokenStream) -> TokenStream {
        let (name, Self { walk, at, .. }) = (Ident::new(name, Span::mixed_site()), self);
        quote! {
            fn #name<'__memprof>(
                &'__memprof self,
                #walk: &mut __memprof::Walk<'__memprof>,
                #at: __memprof::Position,
            ) { #body }
        }
    }
}

/// Returns the method `is_flat` for a type with these fields.
fn is_flat(fields: impl Iterator<Item = Flat>, locals: &Locals) -> TokenStream {
    let mut conditions: Vec<TokenStream> = Vec::new();
    let mut never = locals.shareable;
    for field in fields {
        match field {
            Flat::Always => {}
            Flat::Never => never = true,
            Flat::If(condition) => {
                let written = condition.to_string();
                if conditions.iter().all(|known| known.to_string() != written) {
                    conditions.push(condition);
                }
            }
        }
    }
    let body = match conditions.as_slice() {
        _ if never => quote!(false),
        [] => quote!(true),
        conditions => quote!(#(#conditions)&&*),
    };
    quote! {
        fn is_flat() -> __memprof::bool { #body }
    }
}

/// Returns the method `owned` for a type whose values own nothing.
fn owns_nothing(locals: &Locals) -> TokenStream {
    if locals.shareable {
        return locals.method("owned", &of_one_value(TokenStream::new(), locals));
    }
    quote! {
        fn owned<'__memprof>(
            &'__memprof self,
            _: &mut __memprof::Walk<'__memprof>,
            _: __memprof::Position,
        ) {}
    }
}

/// Returns the code that adds the memory of one value: `statements`, inside a call of `shareable`
/// if the type requests it.
fn of_one_value(statements: TokenStream, locals: &Locals) -> TokenStream {
    let Locals { walk, at, .. } = locals;
    if !locals.shareable {
        return statements;
    }
    let inner = if statements.is_empty() { quote!(_) } else { quote!(#walk) };
    quote!(#walk.shareable(#at, self, |#inner| { #statements });)
}

/// The methods that visit the fields of a type.
struct Owned<'l> {
    locals: &'l Locals,
    /// The shape that has the entries of the visits.
    shape: TokenStream,
    visits: Vec<FieldVisit>,
    /// True if values of the type contain others of the type.
    is_recursive: bool,
    /// True if the type has a size, so that it can be in a slice.
    is_sized: bool,
}

impl Owned<'_> {
    /// Returns the methods `owned` and `owned_each`. `body` combines the statements of all visits into
    /// the code for one value. It gets the statement that looks up the positions of the fields, which
    /// a loop needs only once.
    ///
    /// `owned` adds to the tree directly. With tallies it would need twice the code, and most types
    /// are never in a slice. `owned_each` is marked `#[inline]`, so that it is compiled only where it
    /// is used.
    fn methods(&self, body: impl Fn(&TokenStream, &[&TokenStream]) -> TokenStream) -> TokenStream {
        let Locals { walk, at, fields, values, value, .. } = self.locals;
        let visits = &self.visits;
        let look_up = if self.is_recursive { "fields_of_recursive" } else { "fields" };
        let (look_up, shape) = (Ident::new(look_up, Span::mixed_site()), &self.shape);
        let positions = quote!(let #fields = #walk.#look_up(#at, #shape););
        let of_one: Vec<_> = visits.iter().map(|visit| &visit.single).collect();
        let of_one = body(&positions, &of_one);
        let of_one = of_one_value(quote!(let #value = self; #of_one), self.locals);
        let owned = self.locals.method("owned", &of_one);
        if self.locals.shareable || !self.is_sized {
            // The default loop of the trait calls `owned` for each value.
            return owned;
        }
        let of_each: Vec<_> = visits.iter().map(|visit| &visit.statement).collect();
        let of_each = body(&TokenStream::new(), &of_each);
        let before = visits.iter().filter_map(|visit| visit.before.as_ref());
        let after = visits.iter().filter_map(|visit| visit.after.as_ref());
        quote! {
            #owned
            #[inline]
            fn owned_each<'__memprof>(
                #values: impl __memprof::Iterator<Item = &'__memprof Self>,
                #walk: &mut __memprof::Walk<'__memprof>,
                #at: __memprof::Position,
            ) where Self: '__memprof {
                #positions
                #(#before)*
                for #value in #values {
                    #of_each
                }
                #(#after)*
            }
        }
    }
}
