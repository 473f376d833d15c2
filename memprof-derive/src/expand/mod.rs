//! The impl of a valid item, as code.
//!
//! The expansion only names fields. It contains no formatting, no closures and no unsafe code, and
//! one statement per field that can own memory. Everything else is in the runtime, which is
//! compiled once.

mod enums;
mod field;
mod newtype;
mod structs;
mod unsized_structs;

use crate::ast::{Data, Input};
use crate::expand::field::FieldVisit;
use crate::{bound, tail};
use field::Flat;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

/// Returns the impl.
pub(crate) fn expand(input: &Input<'_>) -> TokenStream {
    let locals = Locals::new(input.shareable.is_some());
    let methods = match &input.data {
        Data::Struct(fields) => {
            let tail = fields.last().map(|field| field.ty);
            let sized = !tail.is_some_and(|ty| tail::may_be_unsized(ty, &input.original.generics));
            match (newtype::transparent(fields), sized) {
                (Some(field), true) => newtype::methods(field, &locals),
                (Some(field), false) => newtype::unsized_methods(field, input.repr, &locals),
                (None, true) => structs::methods(fields, &locals),
                (None, false) => unsized_structs::methods(fields, &locals),
            }
        }
        Data::Enum(variants) => enums::methods(variants, &input.original.ident, &locals),
        Data::Union(_) => unreachable!("validation rejects unions"),
    };
    let type_name = input.rename.as_ref().map(|name| {
        quote! {
            fn type_name(&self) -> &'static __memprof::str { #name }
        }
    });
    let ident = &input.original.ident;
    let (impl_generics, ty_generics, _) = input.original.generics.split_for_impl();
    let where_clause = bound::where_clause(input);
    in_scope(
        input,
        &quote! {
            #[automatically_derived]
            #[allow(deprecated, non_camel_case_types, non_upper_case_globals)]
            impl #impl_generics __memprof::MemoryProfile for #ident #ty_generics #where_clause {
                #methods
                #type_name
            }
        },
    )
}

/// Returns `item` in a scope where `__memprof` is the module of everything that generated code may
/// name.
pub(crate) fn in_scope(input: &Input<'_>, item: &TokenStream) -> TokenStream {
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
    let Locals { walk, at, .. } = locals;
    if locals.shareable {
        return quote! {
            fn owned<'__memprof>(
                &'__memprof self,
                #walk: &mut __memprof::Walk<'__memprof>,
                #at: __memprof::Position,
            ) {
                #walk.shareable(#at, self, |_| {});
            }
        };
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
    if locals.shareable {
        quote!(#walk.shareable(#at, self, |#walk| { #statements });)
    } else {
        statements
    }
}

/// Returns the methods `owned` and `owned_each`. `body` combines the statements of all visits into
/// the code for one value. It gets the statement that looks up the positions of the fields, which a
/// loop needs only once. `is_recursive` is true if values of the type contain others of the type.
///
/// `owned` adds to the tree directly. With tallies it would need twice the code, and most types are
/// never in a slice. `owned_each` is marked `#[inline]`, so that it is compiled only where it is
/// used.
fn owned(
    locals: &Locals,
    visits: &[FieldVisit],
    is_recursive: bool,
    body: impl Fn(&TokenStream, &[&TokenStream]) -> TokenStream,
) -> TokenStream {
    let Locals { walk, at, fields, values, value, .. } = locals;
    let before = visits.iter().filter_map(|visit| visit.before.as_ref());
    let after = visits.iter().filter_map(|visit| visit.after.as_ref());
    let look_up = if is_recursive { quote!(fields_of_recursive) } else { quote!(fields) };
    let positions = quote! {
        let #fields = #walk.#look_up(#at, <Self as __memprof::MemoryProfile>::shape());
    };
    let of_one: Vec<_> = visits.iter().map(|visit| &visit.single).collect();
    let of_one = body(&positions, &of_one);
    let of_each: Vec<_> = visits.iter().map(|visit| &visit.statement).collect();
    let of_each = body(&TokenStream::new(), &of_each);
    let of_one = of_one_value(quote!(let #value = self; #of_one), locals);
    let owned = quote! {
        fn owned<'__memprof>(
            &'__memprof self,
            #walk: &mut __memprof::Walk<'__memprof>,
            #at: __memprof::Position,
        ) {
            #of_one
        }
    };
    if locals.shareable {
        // The default loop of the trait calls `owned` for each value.
        return owned;
    }
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

/// Returns the method `pointee` for a sized type whose inline bytes are not one leaf.
fn pointee(locals: &Locals) -> TokenStream {
    let Locals { walk, at, .. } = locals;
    quote! {
        fn pointee<'__memprof>(
            &'__memprof self,
            #walk: &mut __memprof::Walk<'__memprof>,
            #at: __memprof::Position,
        ) {
            #walk.inline(#at, <Self as __memprof::MemoryProfile>::shape(), 1);
            <Self as __memprof::MemoryProfile>::owned(self, #walk, #at);
        }
    }
}
