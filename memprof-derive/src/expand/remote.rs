//! Mirrors of types of other crates: a function that profiles a value of the mirrored type.
//!
//! The function matches the value with the mirror's variants and fields, and compares the types of
//! the fields. So a field that the mirror lacks, or that has another type, is an error. The inline
//! bytes of the value count where it is a field.

use super::Locals;
use super::enums::{Positioned, binding, positions};
use crate::ast::{Data, Field, Input, Remote, Variant};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

/// Returns the function `owned` of the mirror.
pub(super) fn function(input: &Input<'_>, remote: &Remote, locals: &Locals) -> TokenStream {
    let Locals { walk, at, fields, value, .. } = locals;
    let mut entries = Vec::new();
    let mut arms = Vec::new();
    let mut uses = Vec::new();
    match &input.data {
        Data::Struct(fields) => {
            let owners = fields.iter().enumerate().filter(|(_, field)| !field.is_scalar());
            let positions = owners.map(|(index, field)| {
                entries.push(field.lump_entry(None));
                Positioned { index, field, entry: entries.len() - 1 }
            });
            let positions: Vec<_> = positions.collect();
            arms.push(arm(remote, None, fields, remote.is_partial, &positions, locals));
            uses.push(use_of_mirror(None, fields));
        }
        Data::Enum(variants) => {
            for variant in variants {
                let positions = positions(variant, &mut entries);
                let Variant { ident, fields, is_partial, .. } = variant;
                arms.push(arm(remote, Some(ident), fields, *is_partial, &positions, locals));
                uses.push(use_of_mirror(Some(ident), fields));
            }
            if remote.is_partial {
                arms.push(quote!(_ => __memprof::hidden(#value, #walk, #at),));
            }
        }
        Data::Union(_) => unreachable!("validation rejects unions"),
    }
    let (ty, visibility) = (&remote.ty, &input.original.vis);
    // Because of this span, the error about a variant that the mirror lacks is at the path.
    let mut matched = value.clone();
    matched.set_span(remote.span.resolved_at(Span::mixed_site()));
    let matched = quote_spanned!(remote.span=> *#matched);
    let positions = (!entries.is_empty()).then(|| {
        let shape = quote!(&__memprof::Shape::lump::<#ty>(const { &[#(#entries),*] }));
        quote!(let #fields = #walk.fields(#at, const { #shape });)
    });
    quote! {
        /// Adds what a value of the mirrored type owns.
        #[allow(unreachable_patterns, unused_variables)]
        #visibility fn owned<'__memprof>(
            #value: &'__memprof #ty,
            #walk: &mut __memprof::Walk<'__memprof>,
            #at: __memprof::Position,
        ) {
            // Without this use, the compiler would report the mirror as dead code.
            let _ = |#value: Self| match #value { #(#uses)* };
            #positions
            match #matched { #(#arms)* }
        }
    }
}

/// Returns the arm that visits a variant of the mirrored type, or the struct.
fn arm(
    remote: &Remote,
    variant: Option<&Ident>,
    fields: &[Field<'_>],
    is_partial: bool,
    positions: &[Positioned<'_, '_>],
    locals: &Locals,
) -> TokenStream {
    let Locals { walk, at, value, .. } = locals;
    let path = &remote.path;
    let variant = variant.map(|name| quote!(::#name));
    let bindings = fields.iter().enumerate().map(|(index, field)| {
        let (member, binding) = (&field.member, binding(index));
        quote!(#member: ref #binding,)
    });
    let (others, mark) = if is_partial {
        (Some(quote!(..)), Some(quote!(__memprof::hidden(#value, #walk, #at);)))
    } else {
        (None, None)
    };
    // Because of this span, the error about a field that the mirror lacks is at the path.
    let pattern = quote_spanned!(remote.span=> #path #variant { #(#bindings)* #others });
    let checks = fields.iter().enumerate().map(|(index, field)| {
        let (ty, binding) = (field.ty, binding(index));
        let span = ty.span().resolved_at(Span::mixed_site());
        quote_spanned!(span=> __memprof::is_of_type::<#ty, _>(#binding);)
    });
    let visits = positions.iter().map(|&Positioned { index, field, entry }| {
        let binding = binding(index);
        field.single_visit(&quote!(#binding), entry, locals)
    });
    quote!(#pattern => { #(#checks)* #(#visits)* #mark })
}

/// Returns the arm that takes a variant of the mirror apart, and makes it again.
fn use_of_mirror(variant: Option<&Ident>, fields: &[Field<'_>]) -> TokenStream {
    let variant = variant.map(|name| quote!(::#name));
    let fields = fields.iter().enumerate().map(|(index, field)| {
        let (member, binding) = (&field.member, binding(index));
        quote!(#member: #binding)
    });
    let value = quote!(Self #variant { #(#fields),* });
    quote!(#value => #value,)
}
