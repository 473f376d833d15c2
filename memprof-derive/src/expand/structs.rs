//! Structs of a known size: their inline bytes are split over their fields.

use crate::ast::Field;
use crate::expand::field::FieldVisit;
use crate::expand::{Locals, is_flat, owned, owns_nothing, pointee};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn methods(fields: &[Field<'_>], locals: &Locals) -> TokenStream {
    let is_flat = is_flat(fields.iter().map(Field::split_flat), locals);
    let shape = (!fields.is_empty()).then(|| shape(fields));
    let pointee = (!fields.is_empty()).then(|| pointee(locals));
    let value = &locals.value;
    let visited = fields.iter().enumerate().filter(|(_, field)| field.is_visited());
    let visits: Vec<FieldVisit> = visited
        .map(|(index, field)| {
            let member = &field.member;
            field.visit(&quote!(&#value.#member), index, locals)
        })
        .collect();
    let owned = if visits.is_empty() {
        owns_nothing(locals)
    } else {
        owned(locals, &visits, false, |positions, statements| quote!(#positions #(#statements)*))
    };
    quote!(#is_flat #shape #owned #pointee)
}

fn shape(fields: &[Field<'_>]) -> TokenStream {
    let entries = fields.iter().map(Field::split_entry);
    quote! {
        fn shape() -> &'static __memprof::Shape {
            const { &__memprof::Shape::of::<Self>(const { &[#(#entries),*] }) }
        }
    }
}
