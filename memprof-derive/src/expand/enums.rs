//! Enums: their inline bytes are one leaf, and what the active variants own is below it.

use crate::ast::{Field, Variant};
use crate::expand::field::{FieldVisit, decorated};
use crate::expand::{Locals, is_flat, owned, owns_nothing};
use crate::word;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::Member;

pub(super) fn methods(variants: &[Variant<'_>], name: &Ident, locals: &Locals) -> TokenStream {
    let fields = || variants.iter().flat_map(|variant| &variant.fields);
    let is_flat = is_flat(fields().map(Field::lump_flat), locals);
    let is_recursive = fields().any(|field| mentions(field.ty.to_token_stream(), name));
    let mut visits = Visits { is_recursive, ..Visits::default() };
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
    /// True if a field's type names the enum. Slices of such values are usually short: in a JSON
    /// document they have about four values. Three tallies for each slice would take longer than
    /// adding each value to the sums of the walk.
    is_recursive: bool,
}

impl Visits {
    fn visit(
        &self,
        field: &Field<'_>,
        reference: &Ident,
        index: usize,
        locals: &Locals,
    ) -> FieldVisit {
        let reference = quote!(#reference);
        if self.is_recursive {
            field.visit_without_tally(&reference, index, locals)
        } else {
            field.visit(&reference, index, locals)
        }
    }

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
            visits.push(self.visit(field, &binding(0), frame, locals));
        } else {
            self.entries.push(decorated(&entry, variant.role, false));
            let below = u16::try_from(frame).expect("an enum has fewer than 2^16 frames");
            for (index, field) in positioned.iter().enumerate() {
                visits.push(self.visit(field, &binding(index), self.entries.len(), locals));
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
        // Values of the other variants need no positions.
        let owned = owned(locals, &self.fields, self.is_recursive, |positions, mut statements| {
            let arms = self.arms.iter().map(|(pattern, visits)| {
                let (own, rest) = statements.split_at(*visits);
                statements = rest;
                quote!(#pattern => { #positions #(#own)* })
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

/// Returns whether tokens contain `Self` or a name.
fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name || ident == "Self",
        TokenTree::Group(group) => mentions(group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

fn binding(index: usize) -> Ident {
    format_ident!("field{index}", span = Span::mixed_site())
}
