//! Tuple structs with one field. They are transparent because their only field needs no name.

use crate::ast::Field;
use crate::expand::{Locals, is_flat, of_one_value, owns_nothing, pointee};
use crate::repr::Repr;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

/// Returns the only field, if the struct is transparent.
pub(super) fn transparent<'f, 'a>(fields: &'f [Field<'a>]) -> Option<&'f Field<'a>> {
    match fields {
        [field] if field.frameless && field.entries.is_empty() => Some(field),
        _ => None,
    }
}

pub(super) fn methods(field: &Field<'_>, locals: &Locals) -> TokenStream {
    let is_flat = is_flat([field.split_flat()].into_iter(), locals);
    let owned = owned(field, locals);
    let pointee = pointee(locals);
    let tally = (field.is_visited() && !locals.shareable).then(|| tally(field, locals));
    let ty = field.ty;
    let inner = quote_spanned!(ty.span()=> <#ty as __memprof::MemoryProfile>);
    quote! {
        #is_flat
        fn shape() -> &'static __memprof::Shape {
            const { &__memprof::newtype::<Self>(#inner::shape) }
        }
        #owned
        #tally
        #pointee
    }
}

/// Returns the same as [`methods`], for a field that may be unsized.
pub(super) fn unsized_methods(field: &Field<'_>, repr: Repr, locals: &Locals) -> TokenStream {
    let Locals { walk, at, .. } = locals;
    let owned = owned(field, locals);
    let ty = field.ty;
    let padding = repr.align.then(|| quote!(__memprof::padding_around(self, &self.0, #walk, #at);));
    quote! {
        #owned
        fn pointee<'__memprof>(
            &'__memprof self,
            #walk: &mut __memprof::Walk<'__memprof>,
            #at: __memprof::Position,
        ) {
            <#ty as __memprof::MemoryProfile>::pointee(&self.0, #walk, #at);
            #padding
        }
    }
}

fn owned(field: &Field<'_>, locals: &Locals) -> TokenStream {
    if !field.is_visited() {
        return owns_nothing(locals);
    }
    let Locals { walk, at, .. } = locals;
    let statement = field.statement_at(&quote!(&self.0), &quote!(#at), locals);
    let statement = of_one_value(statement, locals);
    quote! {
        fn owned<'__memprof>(
            &'__memprof self,
            #walk: &mut __memprof::Walk<'__memprof>,
            #at: __memprof::Position,
        ) {
            #statement
        }
    }
}

/// Returns the methods `tally` and `settle`. With them, a loop over newtypes of buffers adds to the
/// tree only once.
fn tally(field: &Field<'_>, locals: &Locals) -> TokenStream {
    let Locals { walk, at, tally, .. } = locals;
    let ty = field.ty;
    let inner = quote_spanned!(ty.span()=> <#ty as __memprof::MemoryProfile>);
    quote! {
        #[inline]
        fn tally<'__memprof>(
            &'__memprof self,
            #tally: &mut __memprof::Tally,
            #walk: &mut __memprof::Walk<'__memprof>,
            #at: __memprof::Position,
        ) {
            #inner::tally(&self.0, #tally, #walk, #at);
        }
        #[inline]
        fn settle(#tally: __memprof::Tally, #walk: &mut __memprof::Walk<'_>, #at: __memprof::Position) {
            #inner::settle(#tally, #walk, #at);
        }
    }
}
