//! One field: its entry in the shape, its statement, and its part of `is_flat`.

use crate::ast::{Field, Role, Visit};
use crate::expand::Locals;
use crate::types;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

impl Field<'_> {
    /// Returns the span for errors about the field's type.
    fn type_span(&self) -> Span {
        self.ty.span().resolved_at(Span::mixed_site())
    }

    /// Returns whether a struct's statements visit the field. The shape handles skipped fields.
    pub(super) fn is_visited(&self) -> bool {
        !self.is_scalar() && !matches!(self.visit, Visit::Skip)
    }

    /// Returns the entry in the shape of a struct, whose inline bytes are split over its fields.
    pub(super) fn split_entry(&self) -> TokenStream {
        let (ty, name) = (self.ty, &self.name);
        let entry = match self.visit {
            Visit::Trait if types::is_pointer(self.ty) => quote!(__memprof::pointer::<#ty>(#name)),
            Visit::Trait if self.is_scalar() => {
                quote_spanned!(self.type_span()=> __memprof::scalar::<#ty>(#name))
            }
            // The path names a method of the trait, so that all errors about a missing impl have
            // the same text. The compiler then reports only the first one.
            Visit::Trait => quote_spanned! {self.type_span()=>
                __memprof::field::<#ty>(#name, <#ty as __memprof::MemoryProfile>::shape)
            },
            Visit::Skip => quote!(__memprof::Field::skipped::<#ty>(#name)),
            Visit::With(_) | Visit::Each(_) | Visit::Keyed(_) | Visit::Follow => {
                quote!(__memprof::Field::lump::<#ty>(#name))
            }
        };
        self.framed(&decorated(&entry, self.role, self.leaf))
    }

    /// Returns the same entry for a last field that may have no size.
    pub(super) fn tail_entry(&self) -> TokenStream {
        let (ty, name) = (self.ty, &self.name);
        let entry = match self.visit {
            Visit::Trait => quote!(FIELD),
            Visit::Skip => quote!(SKIPPED),
            Visit::With(_) | Visit::Each(_) | Visit::Keyed(_) | Visit::Follow => quote!(LUMP),
        };
        let entry = quote!(__memprof::named(__memprof::Tail::<#ty>::#entry, #name));
        self.framed(&decorated(&entry, self.role, self.leaf))
    }

    /// Returns the entry without a frame if the field needs none.
    fn framed(&self, entry: &TokenStream) -> TokenStream {
        let without = self.frameless.then(|| quote!(.without_frame()));
        quote!(#entry #without)
    }

    /// Returns the entry in a shape whose inline bytes are one leaf, below the variant's entry if
    /// there is one.
    pub(super) fn lump_entry(&self, variant: Option<u16>) -> TokenStream {
        let name = &self.name;
        let entry = decorated(&quote!(__memprof::Field::frame(#name)), self.role, self.leaf);
        let entry = self.framed(&entry);
        let below = variant.map(|index| quote!(.below(#index)));
        quote!(#entry #below)
    }

    /// Returns the visit of the field in a loop over values. `reference` is a reference to the
    /// field, and `index` is its entry.
    pub(super) fn visit(
        &self,
        reference: &TokenStream,
        index: usize,
        locals: &Locals,
    ) -> FieldVisit {
        let (walk, at) = (&locals.walk, entry_at(index, locals));
        if !matches!(self.visit, Visit::Trait) || !types::benefits_from_tally(self.ty) {
            return self.visit_without_tally(reference, index, locals);
        }
        let single = self.statement_at(reference, &at, locals);
        let tally = format_ident!("tally{index}", span = Span::mixed_site());
        let trait_of_field = self.trait_of_field();
        FieldVisit {
            before: Some(quote!(let mut #tally = __memprof::Tally::new();)),
            statement: quote!(#trait_of_field::tally(#reference, &mut #tally, #walk, #at);),
            single,
            after: Some(quote!(#trait_of_field::settle(#tally, #walk, #at);)),
        }
    }

    /// Returns the visit of the field in a loop over values that adds to the tree for each value.
    pub(super) fn visit_without_tally(
        &self,
        reference: &TokenStream,
        index: usize,
        locals: &Locals,
    ) -> FieldVisit {
        let single = self.single_visit(reference, index, locals);
        FieldVisit { before: None, statement: single.clone(), single, after: None }
    }

    /// Returns the visit of a skipped field, which marks the field if the struct has no size.
    pub(super) fn skipped_visit(&self, index: usize, locals: &Locals) -> FieldVisit {
        let (ty, walk, at) = (self.ty, &locals.walk, entry_at(index, locals));
        let single = quote!(__memprof::Tail::<Self>::mark_skipped::<#ty>(#walk, #at););
        FieldVisit { before: None, statement: single.clone(), single, after: None }
    }

    /// Returns the code that visits the field of a single value. `reference` is a reference to the field,
    /// and `index` is its entry.
    pub(super) fn single_visit(
        &self,
        reference: &TokenStream,
        index: usize,
        locals: &Locals,
    ) -> TokenStream {
        self.statement_at(reference, &entry_at(index, locals), locals)
    }

    /// Returns the field's type as an implementor of the trait. Because of the span, the error
    /// about a missing impl is at the field's type.
    fn trait_of_field(&self) -> TokenStream {
        let ty = self.ty;
        quote_spanned!(self.type_span()=> <#ty as __memprof::MemoryProfile>)
    }

    /// Returns the statement that adds what the field owns at a position. `reference` is a
    /// reference to the field.
    pub(super) fn statement_at(
        &self,
        reference: &TokenStream,
        at: &TokenStream,
        locals: &Locals,
    ) -> TokenStream {
        let (ty, walk) = (self.ty, &locals.walk);
        match &self.visit {
            Visit::Trait => quote_spanned! {self.type_span()=>
                <#ty as __memprof::MemoryProfile>::owned(#reference, #walk, #at);
            },
            Visit::Skip => quote!(__memprof::skipped::<#ty>(#walk, #at);),
            Visit::With(path) => quote_spanned! {path.span().resolved_at(Span::mixed_site())=>
                #path(#reference, #walk, #at);
            },
            Visit::Each(path) => {
                // Because of the path's span, the error about a function of the wrong type is at
                // the path.
                let path = quote_spanned!(path.span().resolved_at(Span::mixed_site())=> #path);
                quote_spanned! {self.type_span()=>
                    <#ty as __memprof::Each>::each(#reference, #path, #walk, #at);
                }
            }
            Visit::Keyed(cap) => quote_spanned! {self.type_span()=>
                <#ty as __memprof::Keyed>::keyed(#reference, #cap, #walk, #at);
            },
            Visit::Follow => quote_spanned! {self.type_span()=>
                __memprof::follow::<#ty>(#reference, #walk, #at);
            },
        }
    }

    /// Returns the condition under which a struct's field owns nothing.
    pub(super) fn split_flat(&self) -> Flat {
        match self.visit {
            Visit::Skip => Flat::Always,
            _ => self.lump_flat(),
        }
    }

    /// Returns the same condition as [`split_flat`](Self::split_flat), for a last field that may
    /// have no size.
    pub(super) fn tail_flat(&self) -> Flat {
        let ty = self.ty;
        match self.visit {
            Visit::Trait => Flat::If(quote!(__memprof::Tail::<#ty>::is_flat())),
            _ => self.split_flat(),
        }
    }

    /// Returns the same condition as [`split_flat`](Self::split_flat), for a type whose shape
    /// cannot mark skipped fields.
    pub(super) fn lump_flat(&self) -> Flat {
        let ty = self.ty;
        match self.visit {
            Visit::Trait if self.is_scalar() => Flat::Always,
            Visit::Trait if types::is_owner(ty) => Flat::Never,
            Visit::Trait => Flat::If(quote_spanned! {self.type_span()=>
                <#ty as __memprof::MemoryProfile>::is_flat()
            }),
            Visit::Skip => Flat::If(quote!(!__memprof::needs_drop::<#ty>())),
            Visit::With(_) | Visit::Each(_) | Visit::Keyed(_) | Visit::Follow => Flat::Never,
        }
    }
}

/// The condition under which a field's values own nothing.
pub(super) enum Flat {
    Always,
    Never,
    If(TokenStream),
}

/// The way in which a loop over values visits one of their fields.
///
/// Buffers are counted in a tally on the stack, which is added to the tree once, after the loop.
pub(super) struct FieldVisit {
    pub(super) before: Option<TokenStream>,
    pub(super) statement: TokenStream,
    /// The statement for a single value.
    pub(super) single: TokenStream,
    pub(super) after: Option<TokenStream>,
}

/// Returns the position of an entry of the shape.
fn entry_at(index: usize, locals: &Locals) -> TokenStream {
    let fields = &locals.fields;
    let entry = u32::try_from(index).expect("a type has fewer than 2^32 fields");
    quote!(#fields.at(#entry))
}

/// Adds the role to an entry, and collapses it to one leaf if `leaf` is true.
pub(super) fn decorated(entry: &TokenStream, role: Option<Role>, leaf: bool) -> TokenStream {
    let role = role.map(|role| quote!(.role(#role)));
    let leaf = leaf.then(|| quote!(.leaf()));
    quote!(#entry #role #leaf)
}

impl ToTokens for Role {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Data => quote!(__memprof::Role::Data),
            Self::Metadata => quote!(__memprof::Role::Metadata),
            Self::Auxiliary => quote!(__memprof::Role::Auxiliary),
        });
    }
}
