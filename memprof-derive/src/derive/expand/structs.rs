//! Structs: their inline bytes are split over their fields, and those of a struct without a size are
//! one leaf. A tuple struct with one field is transparent, because its only field needs no name.
//!
//! If the last field's type is only a name, such as `Path`, the tokens do not show whether it has a
//! size. The expansion then names `Tail<Type>` instead of the type. Its inherent items are for types
//! with a size. Where they do not apply, the compiler selects those of the trait `TailOfAnySize`. The
//! methods that need a size are then never called, but compile.

use super::{
    FieldVisit, Items, Layout, Owned, entry_at, is_flat, method, of_one_value, owns_nothing,
};
use crate::derive::types::{self, Size};
use crate::derive::{Field, Input};
use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::spanned::Spanned;

pub(super) fn expand(fields: &[Field<'_>], input: &Input<'_>) -> Items {
    let generics = &input.original.generics;
    let size = fields.last().map_or(Size::Known, |last| types::size(last.ty, generics));
    let (methods, shape) = match fields {
        [] => {
            let (is_flat, owned) = (is_flat([].into_iter(), input), owns_nothing(input));
            (code!(#is_flat #owned), None)
        }
        [field] if is_transparent(field) => (newtype(field, size, input), None),
        fields => of_fields(fields, size, input),
    };
    Items { methods, shape, has_tail: size != Size::Known }
}

/// Also returns the function `shape` of an impl of `Shaped` if the struct may have no size.
fn of_fields(
    fields: &[Field<'_>],
    size: Size,
    input: &Input<'_>,
) -> (TokenStream, Option<TokenStream>) {
    let has_size = size == Size::Known;
    let layout = |index: usize| {
        if !has_size && index + 1 == fields.len() { Layout::Tail } else { Layout::Split }
    };
    let indexed = || fields.iter().enumerate();
    let entries = indexed().map(|(index, field)| field.entry(layout(index)));
    let entries = code!(const { &[#(#entries),*] });
    let (of, whole) = if has_size {
        (code!(MemoryProfile), code!(__memprof::Shape::of::<Self>(#entries)))
    } else {
        let size = code!(__memprof::Tail::<Self>::SIZE);
        (code!(Shaped), code!(__memprof::shape_of_any_size::<Self>(#size, #entries)))
    };
    let table = code! {
        fn shape() -> &'static __memprof::Shape { const { &#whole } }
    };
    let shape = code!(<Self as __memprof::#of>::shape());

    let visits = indexed().filter_map(|(index, field)| {
        let (ty, member) = (field.ty, &field.member);
        if field.is_visited() {
            Some(field.visit(&code!(&value.#member), index))
        } else if has_size || field.is_scalar() {
            // The shape of a struct with a size marks skipped fields.
            None
        } else {
            let at = entry_at(index);
            let mark = code!(__memprof::Tail::<Self>::mark_skipped::<#ty>(walk, #at););
            Some(FieldVisit::without_tally(mark))
        }
    });
    let visits: Vec<_> = visits.collect();
    let owned = if visits.is_empty() {
        owns_nothing(input)
    } else {
        let (shape, is_sized) = (shape.clone(), size != Size::OfParam);
        Owned { input, shape, visits, is_recursive: false, is_sized }
            .methods(|positions, statements| code!(#positions #(#statements)*))
    };
    let inline = if has_size {
        code!(walk.inline(at, #shape, 1);)
    } else {
        code!(__memprof::Tail::<Self>::inline(self, walk, at);)
    };
    let pointee = code!(#inline <Self as __memprof::MemoryProfile>::owned(self, walk, at););
    let pointee = method("pointee", &pointee);
    let is_flat = is_flat(indexed().map(|(index, field)| field.flat(layout(index))), input);
    match size {
        Size::Known => (code!(#is_flat #table #owned #pointee), None),
        Size::Unknown | Size::None => {
            let own = code! {
                fn shape() -> &'static __memprof::Shape { #shape }
            };
            (code!(#is_flat #own #owned #pointee), Some(table))
        }
        // The other methods need `Self: Sized`.
        Size::OfParam => (code!(#owned #pointee), Some(table)),
    }
}

/// Returns whether a struct is the same as this, its only field. There is no impl for a pointer.
fn is_transparent(field: &Field<'_>) -> bool {
    field.frameless && field.entries.is_empty() && !types::is_pointer(field.ty)
}

fn newtype(field: &Field<'_>, size: Size, input: &Input<'_>) -> TokenStream {
    let (ty, has_size) = (field.ty, size == Size::Known);
    let of_trait = quote_spanned!(ty.span()=> <#ty as __memprof::MemoryProfile>);
    let statement = field.statement_at(&code!(&self.0), &code!(at));
    let owned = if field.is_visited() {
        method("owned", &of_one_value(statement, input))
    } else {
        owns_nothing(input)
    };
    let own = code!(<Self as __memprof::MemoryProfile>);
    let around = input.is_padded && !has_size;
    let around = around.then(|| code!(__memprof::padding_around(self, &self.0, walk, at);));
    let pointee = if has_size {
        code!(walk.inline(at, #own::shape(), 1); #own::owned(self, walk, at);)
    } else if input.shareable {
        let inline = code!(__memprof::Tail::<#ty>::inline(&self.0, walk, at););
        code!(#inline #around #own::owned(self, walk, at);)
    } else {
        code!(#of_trait::pointee(&self.0, walk, at); #around)
    };
    let pointee = method("pointee", &pointee);
    if size == Size::OfParam {
        // The other methods need `Self: Sized`.
        return code!(#owned #pointee);
    }
    let (inner, layout) = if has_size {
        (of_trait, Layout::Split)
    } else {
        (code!(__memprof::Tail::<#ty>), Layout::Tail)
    };
    let is_flat = is_flat([field.flat(layout)].into_iter(), input);
    // With these methods, a loop over newtypes of buffers adds to the tree only once.
    let tally = (field.is_visited() && !input.shareable).then(|| {
        code! {
            #[inline]
            fn tally<'__memprof>(
                &'__memprof self,
                tally: &mut __memprof::Tally,
                walk: &mut __memprof::Walk<'__memprof>,
                at: __memprof::Position,
            ) {
                #inner::tally(&self.0, tally, walk, at);
            }
            #[inline]
            fn settle(
                tally: __memprof::Tally,
                walk: &mut __memprof::Walk<'_>,
                at: __memprof::Position,
            ) {
                #inner::settle(tally, walk, at);
            }
        }
    });
    code! {
        #is_flat
        fn shape() -> &'static __memprof::Shape {
            const { &__memprof::newtype::<Self>(__memprof::Tail::<Self>::SIZE, #inner::shape) }
        }
        #owned
        #tally
        #pointee
    }
}
