//! Structs: their inline bytes are split over their fields, and those of a struct without a size are
//! one leaf. A tuple struct with one field is transparent, because its only field needs no name.
//!
//! If the last field's type is only a name, such as `Path`, the tokens do not show whether it has a
//! size. The expansion then names `Tail<Type>` instead of the type. Its inherent items are for types
//! with a size. Where they do not apply, the compiler selects those of the trait `TailOfAnySize`. The
//! methods that need a size are then never called, but compile.

use super::{Locals, Owned, is_flat, of_one_value, owns_nothing};
use crate::ast::{Field, Input};
use crate::types::{self, Size};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

/// The generated items of a struct.
pub(super) struct Struct {
    pub(super) methods: TokenStream,
    /// The function `shape` of an impl of `Shaped`, if the struct may have no size. The function of
    /// the trait `MemoryProfile` needs a size.
    pub(super) shape: Option<TokenStream>,
    /// True if the items name `Tail`.
    pub(super) has_tail: bool,
}

pub(super) fn expand(fields: &[Field<'_>], input: &Input<'_>, locals: &Locals) -> Struct {
    let generics = &input.original.generics;
    let size = fields.last().map_or(Size::Known, |last| types::size(last.ty, generics));
    let (methods, shape) = match fields {
        [] => (nothing(locals), None),
        [field] if is_transparent(field) => (newtype(field, size, input, locals), None),
        fields => of_fields(fields, size, locals),
    };
    Struct { methods, shape, has_tail: size != Size::Known }
}

fn nothing(locals: &Locals) -> TokenStream {
    let (is_flat, owned) = (is_flat([].into_iter(), locals), owns_nothing(locals));
    quote!(#is_flat #owned)
}

fn of_fields(
    fields: &[Field<'_>],
    size: Size,
    locals: &Locals,
) -> (TokenStream, Option<TokenStream>) {
    let Locals { walk, at, value, .. } = locals;
    let has_size = size == Size::Known;
    let is_tail = |index: usize| !has_size && index + 1 == fields.len();
    let entries = fields.iter().enumerate().map(|(index, field)| {
        if is_tail(index) { field.tail_entry() } else { field.split_entry() }
    });
    let whole = if has_size {
        quote!(__memprof::Shape::of::<Self>(const { &[#(#entries),*] }))
    } else {
        quote! {
            __memprof::shape_of_any_size::<Self>(
                __memprof::Tail::<Self>::SIZE,
                const { &[#(#entries),*] },
            )
        }
    };
    let table = quote! {
        fn shape() -> &'static __memprof::Shape { const { &#whole } }
    };
    let of = if has_size { quote!(MemoryProfile) } else { quote!(Shaped) };
    let shape = quote!(<Self as __memprof::#of>::shape());

    let visited = fields.iter().enumerate().filter(|(_, field)| {
        // The shape of a struct with a size marks skipped fields.
        field.is_visited() || !has_size && !field.is_scalar()
    });
    let visits = visited.map(|(index, field)| {
        let member = &field.member;
        if field.is_visited() {
            field.visit(&quote!(&#value.#member), index, locals)
        } else {
            field.skipped_visit(index, locals)
        }
    });
    let visits: Vec<_> = visits.collect();
    let owned = if visits.is_empty() {
        owns_nothing(locals)
    } else {
        let (shape, is_sized) = (shape.clone(), size != Size::OfParam);
        Owned { locals, shape, visits, is_recursive: false, is_sized }
            .methods(|positions, statements| quote!(#positions #(#statements)*))
    };
    let inline = if has_size {
        quote!(#walk.inline(#at, #shape, 1);)
    } else {
        quote!(__memprof::Tail::<Self>::inline(self, #walk, #at);)
    };
    let pointee = quote!(#inline <Self as __memprof::MemoryProfile>::owned(self, #walk, #at););
    let pointee = locals.method("pointee", &pointee);
    let flat = fields
        .iter()
        .enumerate()
        .map(|(index, field)| if is_tail(index) { field.tail_flat() } else { field.split_flat() });
    let is_flat = is_flat(flat, locals);
    match size {
        Size::Known => (quote!(#is_flat #table #owned #pointee), None),
        Size::Unknown => {
            let own = quote! {
                fn shape() -> &'static __memprof::Shape { #shape }
            };
            (quote!(#is_flat #own #owned #pointee), Some(table))
        }
        // The other methods need `Self: Sized`.
        Size::OfParam => (quote!(#owned #pointee), Some(table)),
    }
}

/// Returns whether a struct is the same as this, its only field. There is no impl for a pointer.
fn is_transparent(field: &Field<'_>) -> bool {
    field.frameless && field.entries.is_empty() && !types::is_pointer(field.ty)
}

/// Returns the methods of a transparent struct.
fn newtype(field: &Field<'_>, size: Size, input: &Input<'_>, locals: &Locals) -> TokenStream {
    let Locals { walk, at, tally, .. } = locals;
    let (ty, has_size) = (field.ty, size == Size::Known);
    let of_trait = quote_spanned!(ty.span()=> <#ty as __memprof::MemoryProfile>);
    let statement = field.statement_at(&quote!(&self.0), &quote!(#at), locals);
    let owned = if field.is_visited() {
        locals.method("owned", &of_one_value(statement, locals))
    } else {
        owns_nothing(locals)
    };
    let own = quote!(<Self as __memprof::MemoryProfile>);
    let around = input.repr.align && !has_size;
    let around = around.then(|| quote!(__memprof::padding_around(self, &self.0, #walk, #at);));
    let pointee = if has_size {
        quote!(#walk.inline(#at, #own::shape(), 1); #own::owned(self, #walk, #at);)
    } else if locals.shareable {
        let inline = quote!(__memprof::Tail::<#ty>::inline(&self.0, #walk, #at););
        quote!(#inline #around #own::owned(self, #walk, #at);)
    } else {
        quote!(#of_trait::pointee(&self.0, #walk, #at); #around)
    };
    let pointee = locals.method("pointee", &pointee);
    if size == Size::OfParam {
        // The other methods need `Self: Sized`.
        return quote!(#owned #pointee);
    }
    let inner = if has_size { of_trait } else { quote!(__memprof::Tail::<#ty>) };
    let flat = if has_size { field.split_flat() } else { field.tail_flat() };
    let is_flat = is_flat([flat].into_iter(), locals);
    // With these methods, a loop over newtypes of buffers adds to the tree only once.
    let tally = (field.is_visited() && !locals.shareable).then(|| {
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
            fn settle(
                #tally: __memprof::Tally,
                #walk: &mut __memprof::Walk<'_>,
                #at: __memprof::Position,
            ) {
                #inner::settle(#tally, #walk, #at);
            }
        }
    });
    quote! {
        #is_flat
        fn shape() -> &'static __memprof::Shape {
            const { &__memprof::newtype::<Self>(__memprof::Tail::<Self>::SIZE, #inner::shape) }
        }
        #owned
        #tally
        #pointee
    }
}
