//! Structs whose last field may be unsized: their inline bytes are one leaf of `size_of_val` bytes.

use crate::ast::Field;
use crate::expand::{Locals, owns_nothing};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn methods(fields: &[Field<'_>], locals: &Locals) -> TokenStream {
    let positioned: Vec<&Field<'_>> = fields.iter().filter(|field| field.is_positioned()).collect();
    if positioned.is_empty() {
        return owns_nothing(locals);
    }
    let entries = positioned.iter().map(|field| field.lump_entry(None));
    let statements = positioned.iter().enumerate().map(|(index, field)| {
        let member = &field.member;
        field.single_visit(&quote!(&self.#member), index, locals)
    });
    let Locals { walk, at, fields, .. } = locals;
    // `shape()` requires a sized type, so the shape is that of `PhantomData<Self>`, which has the
    // type's name.
    quote! {
        fn owned<'__memprof>(
            &'__memprof self,
            #walk: &mut __memprof::Walk<'__memprof>,
            #at: __memprof::Position,
        ) {
            let #fields = #walk.fields(#at, const {
                &__memprof::Shape::lump::<__memprof::PhantomData<Self>>(const { &[#(#entries),*] })
            });
            #(#statements)*
        }
    }
}
