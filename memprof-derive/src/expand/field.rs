//! One field: its entry in the shape, its statement, its part in `is_flat`.

use crate::ast::{Field, Role, Visit};
use crate::expand::Locals;
use crate::{owner, scalar, tallied};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

impl Field<'_> {
    /// Where errors about the field's type belong.
    fn type_span(&self) -> Span {
        self.ty.span().resolved_at(Span::mixed_site())
    }

    fn is_scalar(&self) -> bool {
        matches!(self.visit, Visit::Trait) && scalar::is_scalar(self.ty)
    }

    /// Whether a struct's statements visit the field; what a struct skips its shape says.
    pub(super) fn is_visited(&self) -> bool {
        !self.is_scalar() && !matches!(self.visit, Visit::Skip)
    }

    /// Whether the visit leads to other values without a pointer's impl that checks the depth.
    pub(super) fn leads_on(&self) -> bool {
        matches!(self.visit, Visit::Follow | Visit::Keyed(_))
    }

    /// Whether the field needs a position where its own bytes are part of a lump.
    pub(super) fn is_positioned(&self) -> bool {
        !self.is_scalar()
    }

    /// The entry in the shape of a struct, whose own bytes split over its fields.
    pub(super) fn split_entry(&self) -> TokenStream {
        let (ty, name) = (self.ty, &self.name);
        let entry = match self.visit {
            Visit::Trait if self.is_scalar() => {
                quote_spanned!(self.type_span()=> __memprof::scalar::<#ty>(#name))
            }
            // Named as a method of the trait, so that an impl that is missing is one error: the
            // compiler drops all but the first of several that read the same.
            Visit::Trait => quote_spanned! {self.type_span()=>
                __memprof::field::<#ty>(#name, <#ty as __memprof::MemoryProfile>::inline)
            },
            Visit::Skip => quote!(__memprof::Field::skipped::<#ty>(#name)),
            Visit::With(_) | Visit::Keyed(_) | Visit::Follow => {
                quote!(__memprof::Field::lump::<#ty>(#name))
            }
        };
        self.framed(&decorated(&entry, self.role, self.leaf))
    }

    /// An entry without a frame, if the field needs none.
    fn framed(&self, entry: &TokenStream) -> TokenStream {
        let without = self.hidden.then(|| quote!(.without_frame()));
        quote!(#entry #without)
    }

    /// The entry in a shape whose own bytes are one lump, below that of a variant if there is one.
    pub(super) fn lump_entry(&self, variant: Option<u16>) -> TokenStream {
        let name = &self.name;
        let entry = decorated(&quote!(__memprof::Field::frame(#name)), self.role, self.leaf);
        let entry = self.framed(&entry);
        let below = variant.map(|index| quote!(.below(#index)));
        quote!(#entry #below)
    }

    /// The visit, in a loop over values, of the field at `place` (a reference) and entry `index`.
    pub(super) fn visit(&self, place: &TokenStream, index: usize, locals: &Locals) -> FieldVisit {
        let (walk, fields) = (&locals.walk, &locals.fields);
        let entry = u32::try_from(index).expect("a type has fewer fields than that");
        let at = quote!(#fields.at(#entry));
        let single = self.statement_at(place, &at, locals);
        if !matches!(self.visit, Visit::Trait) || !tallied::gains_by_tally(self.ty) {
            return FieldVisit { before: None, statement: single.clone(), single, after: None };
        }
        let tally = format_ident!("tally{index}", span = Span::mixed_site());
        let trait_of_field = self.trait_of_field();
        FieldVisit {
            before: Some(quote!(let mut #tally = __memprof::Tally::new();)),
            statement: quote!(#trait_of_field::tally(#place, &mut #tally, #walk, #at);),
            single,
            after: Some(quote!(#trait_of_field::settle(#tally, #walk, #at);)),
        }
    }

    /// The visit of the field at `place` (a reference) and entry `index`, of one value alone.
    pub(super) fn single_visit(
        &self,
        place: &TokenStream,
        index: usize,
        locals: &Locals,
    ) -> TokenStream {
        let fields = &locals.fields;
        let entry = u32::try_from(index).expect("a type has fewer fields than that");
        self.statement_at(place, &quote!(#fields.at(#entry)), locals)
    }

    /// The field's type as an implementor of the trait, spanned so that a missing impl is found there.
    fn trait_of_field(&self) -> TokenStream {
        let ty = self.ty;
        quote_spanned!(self.type_span()=> <#ty as __memprof::MemoryProfile>)
    }

    /// The statement that adds what the field at `place` (a reference) owns, at a position.
    pub(super) fn statement_at(
        &self,
        place: &TokenStream,
        at: &TokenStream,
        locals: &Locals,
    ) -> TokenStream {
        let (ty, walk) = (self.ty, &locals.walk);
        match &self.visit {
            Visit::Trait => quote_spanned! {self.type_span()=>
                <#ty as __memprof::MemoryProfile>::owned(#place, #walk, #at);
            },
            Visit::Skip => quote!(__memprof::skipped::<#ty>(#walk, #at);),
            Visit::With(path) => quote_spanned! {path.span().resolved_at(Span::mixed_site())=>
                #path(#place, #walk, #at);
            },
            Visit::Keyed(cap) => quote_spanned! {self.type_span()=>
                <#ty as __memprof::Keyed>::keyed(#place, #cap, #walk, #at);
            },
            Visit::Follow => quote_spanned! {self.type_span()=>
                __memprof::follow::<#ty>(#place, #walk, #at);
            },
        }
    }

    /// When the field of a struct owns nothing.
    pub(super) fn split_flat(&self) -> Flat {
        match self.visit {
            Visit::Skip => Flat::Always,
            _ => self.lump_flat(),
        }
    }

    /// Like [`split_flat`](Self::split_flat) where the shape cannot say what is skipped.
    pub(super) fn lump_flat(&self) -> Flat {
        let ty = self.ty;
        match self.visit {
            Visit::Trait if self.is_scalar() => Flat::Always,
            Visit::Trait if owner::is_owner(ty) => Flat::Never,
            Visit::Trait => Flat::If(quote_spanned! {self.type_span()=>
                <#ty as __memprof::MemoryProfile>::is_flat()
            }),
            Visit::Skip => Flat::If(quote!(!__memprof::needs_drop::<#ty>())),
            Visit::With(_) | Visit::Keyed(_) | Visit::Follow => Flat::Never,
        }
    }
}

/// When a field's values own nothing.
pub(super) enum Flat {
    Always,
    Never,
    If(TokenStream),
}

/// How a loop over values visits one of their fields.
///
/// Buffers are counted in a tally on the stack, and added to the tree once, after the loop.
pub(super) struct FieldVisit {
    pub(super) before: Option<TokenStream>,
    pub(super) statement: TokenStream,
    /// The statement where there is but one value.
    pub(super) single: TokenStream,
    pub(super) after: Option<TokenStream>,
}

/// An entry with its role, and as one leaf.
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
