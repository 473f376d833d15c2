//! Values taken apart by `match`: those of enums, and those of types of other crates with a mirror.
//!
//! The inline bytes of an enum are one leaf, and what the active variant owns is below it.
//!
//! The function of a mirror matches the value with the mirror's variants and fields, and compares the
//! types of the fields. So a field that the mirror lacks, or that has another type, is an error. The
//! inline bytes of the value count where it is a field.

use super::{FieldVisit, Layout, Owned, decorated, is_flat, owns_nothing};
use crate::attribute::SKIP;
use crate::derive::{Data, Field, Input, Remote, Variant, types};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::spanned::Spanned;

struct Positioned<'v, 'a> {
    index: usize,
    field: &'v Field<'a>,
    entry: usize,
}

pub(super) fn methods(variants: &[Variant<'_>], input: &Input<'_>) -> TokenStream {
    let is_flat = is_flat(input.fields().map(|field| field.flat(Layout::Lump(None))), input);
    // Slices of values of a recursive enum are usually short: in a JSON document they have about four
    // values. Three tallies for each slice would take longer than adding each value to the sums of the
    // walk.
    let name = &input.original.ident;
    let is_recursive = input.fields().any(|field| {
        types::mentions(field.ty.to_token_stream(), &|word| word == name || word == "Self")
    });
    let mut entries = Vec::new();
    let mut visits = Vec::new();
    // The patterns of the arms, each with its number of visits.
    let mut arms = Vec::new();
    for variant in variants {
        let positions = positions(variant, &mut entries);
        if positions.is_empty() {
            continue;
        }
        let bindings = positions.iter().map(|&Positioned { index, field, .. }| {
            let (member, binding) = (&field.member, binding(index));
            // For a skipped field the type alone is enough, so the pattern does not bind the field.
            if field.entries.has(&SKIP) { code!(#member: _) } else { code!(#member: #binding) }
        });
        let ident = variant.ident;
        arms.push((code!(Self::#ident { #(#bindings,)* .. }), positions.len()));
        visits.extend(positions.iter().map(|&Positioned { index, field, entry }| {
            let binding = binding(index).into_token_stream();
            if is_recursive {
                FieldVisit::without_tally(field.single_visit(&binding, entry))
            } else {
                field.visit(&binding, entry)
            }
        }));
    }
    if arms.is_empty() {
        let owned = owns_nothing(input);
        return code!(#is_flat #owned);
    }
    let others = (arms.len() < variants.len()).then(|| code!(_ => {}));
    let shape = code!(<Self as __memprof::MemoryProfile>::shape());
    let owned = Owned { input, shape, visits, is_recursive, is_sized: true };
    // Values of the other variants need no positions.
    let owned = owned.methods(|positions, mut statements| {
        let arms = arms.iter().map(|(pattern, visits)| {
            let (own, rest) = statements.split_at(*visits);
            statements = rest;
            code!(#pattern => { #positions #(#own)* })
        });
        code!(match value { #(#arms)* #others })
    });
    code! {
        #is_flat
        fn shape() -> &'static __memprof::Shape {
            const { &__memprof::Shape::lump::<Self>(const { &[#(#entries),*] }) }
        }
        #owned
    }
}

/// Returns the fields of a variant that can own memory, and adds their entries and the variant's.
fn positions<'v, 'a>(
    variant: &'v Variant<'a>,
    entries: &mut Vec<TokenStream>,
) -> Vec<Positioned<'v, 'a>> {
    if variant.fields.iter().all(Field::is_scalar) {
        return Vec::new();
    }
    let (frame, name) = (entries.len(), &variant.name);
    let entry = code!(__memprof::Field::frame(#name));
    if let Some(field) = variant.fields.first().filter(|field| field.frameless) {
        let role = field.role.as_ref().or(variant.role.as_ref());
        entries.push(decorated(&entry, role, field.leaf));
        return vec![Positioned { index: 0, field, entry: frame }];
    }
    entries.push(decorated(&entry, variant.role.as_ref(), false));
    let below = u16::try_from(frame).expect("an enum has fewer than 2^16 frames");
    positions_of_fields(&variant.fields, Some(below), entries)
}

/// Returns the fields that can own memory, and adds their entries, below this one if there is one.
fn positions_of_fields<'v, 'a>(
    fields: &'v [Field<'a>],
    below: Option<u16>,
    entries: &mut Vec<TokenStream>,
) -> Vec<Positioned<'v, 'a>> {
    let owners = fields.iter().enumerate().filter(|(_, field)| !field.is_scalar());
    let positioned = owners.map(|(index, field)| {
        entries.push(field.entry(Layout::Lump(below)));
        Positioned { index, field, entry: entries.len() - 1 }
    });
    positioned.collect()
}

fn binding(index: usize) -> Ident {
    format_ident!("field{index}", span = Span::mixed_site())
}

pub(super) fn of_mirror(input: &Input<'_>, remote: &Remote) -> TokenStream {
    let mut entries = Vec::new();
    let mut arms = Vec::new();
    let mut uses = Vec::new();
    match &input.data {
        Data::Struct(fields) => {
            let positions = positions_of_fields(fields, None, &mut entries);
            arms.push(arm(remote, None, fields, remote.is_partial, &positions));
            uses.push(use_of_mirror(None, fields));
        }
        Data::Enum(variants) => {
            for variant in variants {
                let positions = positions(variant, &mut entries);
                let Variant { ident, fields, is_partial, .. } = variant;
                arms.push(arm(remote, Some(ident), fields, *is_partial, &positions));
                uses.push(use_of_mirror(Some(ident), fields));
            }
            if remote.is_partial {
                arms.push(code!(_ => __memprof::hidden(value, walk, at),));
            }
        }
    }
    let (ty, visibility) = (&remote.ty, &input.original.vis);
    // Because of this span, the error about a variant that the mirror lacks is at the path.
    let span = remote.span.resolved_at(Span::mixed_site());
    let matched = quote_spanned!(span=> *value);
    let positions = (!entries.is_empty()).then(|| {
        let shape = code!(&__memprof::Shape::lump::<#ty>(const { &[#(#entries),*] }));
        code!(let fields = walk.fields(at, const { #shape });)
    });
    code! {
        /// Adds what a value of the mirrored type owns.
        #[allow(unreachable_patterns, unused_variables)]
        #visibility fn owned<'__memprof>(
            value: &'__memprof #ty,
            walk: &mut __memprof::Walk<'__memprof>,
            at: __memprof::Position,
        ) {
            // Without this use, the compiler would report the mirror as dead code.
            let _ = |value: Self| match value { #(#uses)* };
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
) -> TokenStream {
    let path = &remote.path;
    let variant = variant.map(|name| code!(::#name));
    let bindings = fields.iter().enumerate().map(|(index, field)| {
        let (member, binding) = (&field.member, binding(index));
        code!(#member: ref #binding,)
    });
    let others = is_partial.then(|| code!(..));
    let mark = is_partial.then(|| code!(__memprof::hidden(value, walk, at);));
    // Because of this span, the error about a field that the mirror lacks is at the path.
    let pattern = quote_spanned!(remote.span=> #path #variant { #(#bindings)* #others });
    let checks = fields.iter().enumerate().map(|(index, field)| {
        let (ty, binding) = (field.ty, binding(index));
        let span = ty.span().resolved_at(Span::mixed_site());
        quote_spanned!(span=> __memprof::is_of_type::<#ty, _>(#binding);)
    });
    let visits = positions.iter().map(|&Positioned { index, field, entry }| {
        let binding = binding(index);
        field.single_visit(&code!(#binding), entry)
    });
    code!(#pattern => { #(#checks)* #(#visits)* #mark })
}

/// Returns the arm that takes a variant of the mirror apart, and makes it again.
fn use_of_mirror(variant: Option<&Ident>, fields: &[Field<'_>]) -> TokenStream {
    let variant = variant.map(|name| code!(::#name));
    let fields = fields.iter().enumerate().map(|(index, field)| {
        let (member, binding) = (&field.member, binding(index));
        code!(#member: #binding)
    });
    let value = code!(Self #variant { #(#fields),* });
    code!(#value => #value,)
}
