//! Enums: their inline bytes are one leaf, and what the active variants own is below it.

use super::field::{FieldVisit, decorated};
use super::{Locals, Owned, is_flat, owns_nothing};
use crate::ast::{Field, Variant};
use crate::{attribute, types};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Member;

pub(super) fn methods(variants: &[Variant<'_>], name: &Ident, locals: &Locals) -> TokenStream {
    let fields = || variants.iter().flat_map(|variant| &variant.fields);
    let is_flat = is_flat(fields().map(Field::lump_flat), locals);
    // Slices of values of a recursive enum are usually short: in a JSON document they have about four
    // values. Three tallies for each slice would take longer than adding each value to the sums of the
    // walk.
    let is_recursive = fields().any(|field| {
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
            if field.has(&attribute::SKIP) { quote!(#member: _) } else { quote!(#member: #binding) }
        });
        let ident = variant.ident;
        arms.push((quote!(Self::#ident { #(#bindings,)* .. }), positions.len()));
        visits.extend(positions.iter().map(|positioned| positioned.visit(is_recursive, locals)));
    }
    if arms.is_empty() {
        let owned = owns_nothing(locals);
        return quote!(#is_flat #owned);
    }
    let value = &locals.value;
    let others = (arms.len() < variants.len()).then(|| quote!(_ => {}));
    let shape = quote!(<Self as __memprof::MemoryProfile>::shape());
    let owned = Owned { locals, shape, visits, is_recursive, is_sized: true };
    // Values of the other variants need no positions.
    let owned = owned.methods(|positions, mut statements| {
        let arms = arms.iter().map(|(pattern, visits)| {
            let (own, rest) = statements.split_at(*visits);
            statements = rest;
            quote!(#pattern => { #positions #(#own)* })
        });
        quote!(match #value { #(#arms)* #others })
    });
    quote! {
        #is_flat
        fn shape() -> &'static __memprof::Shape {
            const { &__memprof::Shape::lump::<Self>(const { &[#(#entries),*] }) }
        }
        #owned
    }
}

/// A field of a variant that needs a position, and its entry in the shape.
pub(super) struct Positioned<'v, 'a> {
    pub(super) index: usize,
    pub(super) field: &'v Field<'a>,
    pub(super) entry: usize,
}

impl Positioned<'_, '_> {
    fn visit(&self, is_recursive: bool, locals: &Locals) -> FieldVisit {
        let binding = binding(self.index).into_token_stream();
        if is_recursive {
            self.field.visit_without_tally(&binding, self.entry, locals)
        } else {
            self.field.visit(&binding, self.entry, locals)
        }
    }
}

/// Returns the fields of a variant that can own memory, and adds their entries and the variant's.
pub(super) fn positions<'v, 'a>(
    variant: &'v Variant<'a>,
    entries: &mut Vec<TokenStream>,
) -> Vec<Positioned<'v, 'a>> {
    let owners = variant.fields.iter().enumerate().filter(|(_, field)| !field.is_scalar());
    let mut owners = owners.peekable();
    if owners.peek().is_none() {
        return Vec::new();
    }
    let (frame, name) = (entries.len(), &variant.name);
    let entry = quote!(__memprof::Field::frame(#name));
    if let Some(field) = only_field(variant) {
        entries.push(decorated(&entry, field.role.or(variant.role), field.leaf));
        return vec![Positioned { index: 0, field, entry: frame }];
    }
    entries.push(decorated(&entry, variant.role, false));
    let below = u16::try_from(frame).expect("an enum has fewer than 2^16 frames");
    let positioned = owners.map(|(index, field)| {
        entries.push(field.lump_entry(Some(below)));
        Positioned { index, field, entry: entries.len() - 1 }
    });
    positioned.collect()
}

/// Returns the only field of a tuple variant. Such a field has no frame of its own.
fn only_field<'v, 'a>(variant: &'v Variant<'a>) -> Option<&'v Field<'a>> {
    match variant.fields.as_slice() {
        [field] if matches!(field.member, Member::Unnamed(_)) && !field.has(&attribute::RENAME) => {
            Some(field)
        }
        _ => None,
    }
}

/// Returns the variable that a pattern binds to a field.
pub(super) fn binding(index: usize) -> Ident {
    format_ident!("field{index}", span = Span::mixed_site())
}
