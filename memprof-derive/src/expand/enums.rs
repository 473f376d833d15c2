//! Enums: their inline bytes are one leaf, and what the active variants own is below it.

use crate::ast::{Field, Variant};
use crate::expand::field::{FieldVisit, decorated};
use crate::expand::{Locals, is_flat, owned, owns_nothing};
use crate::word;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::Member;

pub(super) fn methods(variants: &[Variant<'_>], locals: &Locals) -> TokenStream {
    let fields = variants.iter().flat_map(|variant| &variant.fields);
    let is_flat = is_flat(fields.map(Field::lump_flat), locals);
    let mut visits = Visits::default();
    for variant in variants {
        visits.add(variant, locals);
    }
    let owned = if visits.arms.is_empty() {
        owns_nothing(locals)
    } else {
        visits.methods(variants.len(), locals)
    };
    quote!(#is_flat #owned)
}

/// The shape's entries and the match arms of the variants that can own memory.
#[derive(Default)]
struct Visits {
    entries: Vec<TokenStream>,
    /// The patterns of the arms, each with its number of visits.
    arms: Vec<(TokenStream, usize)>,
    fields: Vec<FieldVisit>,
}

impl Visits {
    fn add(&mut self, variant: &Variant<'_>, locals: &Locals) {
        let positioned: Vec<&Field<'_>> =
            variant.fields.iter().filter(|field| field.is_positioned()).collect();
        if positioned.is_empty() {
            return;
        }
        let frame = self.entries.len();
        let name = &variant.name;
        let entry = quote!(__memprof::Field::frame(#name));
        let mut visits = Vec::new();
        if let Some(field) = only_field(variant) {
            self.entries.push(decorated(&entry, field.role.or(variant.role), field.leaf));
            let reference = binding(0);
            visits.push(field.visit(&quote!(#reference), frame, locals));
        } else {
            self.entries.push(decorated(&entry, variant.role, false));
            let below = u16::try_from(frame).expect("an enum has fewer than 2^16 frames");
            for (index, field) in positioned.iter().enumerate() {
                let reference = binding(index);
                visits.push(field.visit(&quote!(#reference), self.entries.len(), locals));
                self.entries.push(field.lump_entry(Some(below)));
            }
        }
        let ident = variant.ident;
        let patterns = positioned.iter().enumerate().map(|(index, field)| {
            let (member, binding) = (&field.member, binding(index));
            // For a skipped field the type alone is enough, so the pattern does not bind the field.
            if field.has(&word::SKIP) { quote!(#member: _) } else { quote!(#member: #binding) }
        });
        self.arms.push((quote!(Self::#ident { #(#patterns,)* .. }), visits.len()));
        self.fields.extend(visits);
    }

    fn methods(&self, variants: usize, locals: &Locals) -> TokenStream {
        let (entries, value) = (&self.entries, &locals.value);
        let others = (self.arms.len() < variants).then(|| quote!(_ => {}));
        let owned = owned(locals, &self.fields, |mut statements| {
            let arms = self.arms.iter().map(|(pattern, visits)| {
                let (own, rest) = statements.split_at(*visits);
                statements = rest;
                quote!(#pattern => { #(#own)* })
            });
            quote!(match #value { #(#arms)* #others })
        });
        quote! {
            fn shape() -> &'static __memprof::Shape {
                const { &__memprof::Shape::lump::<Self>(const { &[#(#entries),*] }) }
            }
            #owned
        }
    }
}

/// Returns the only field of a tuple variant. Such a field has no frame of its own.
fn only_field<'v, 'a>(variant: &'v Variant<'a>) -> Option<&'v Field<'a>> {
    match variant.fields.as_slice() {
        [field] if matches!(field.member, Member::Unnamed(_)) && !field.has(&word::RENAME) => {
            Some(field)
        }
        _ => None,
    }
}

fn binding(index: usize) -> Ident {
    format_ident!("field{index}", span = Span::mixed_site())
}
