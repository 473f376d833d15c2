//! Structs of a known size: their inline bytes are split over their fields.

use crate::ast::Field;
use crate::expand::field::FieldVisit;
use crate::expand::{Locals, is_flat, owned, owns_nothing, pointee};
use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

pub(super) fn methods(fields: &[Field<'_>], input: &DeriveInput, locals: &Locals) -> TokenStream {
    let is_flat = is_flat(fields.iter().map(Field::split_flat), locals);
    let shape = (!fields.is_empty()).then(|| shape(fields));
    let pointee = (!fields.is_empty()).then(|| pointee(locals));
    let value = &locals.value;
    let is_link = |field: &Field<'_>| !locals.shareable && field.is_link(input);
    let visited = fields.iter().enumerate().filter(|(_, field)| field.is_visited());
    let visited: Vec<_> = visited.collect();
    let visits: Vec<FieldVisit> = visited
        .iter()
        .map(|&(index, field)| {
            let member = &field.member;
            if is_link(field) {
                link_visit(field, index, locals)
            } else {
                field.visit(&quote!(&#value.#member), index, locals)
            }
        })
        .collect();
    let last_link = visited.iter().rposition(|(_, field)| is_link(field));
    let boxed_chain = last_link.map(|place| {
        let (index, field) = visited[place];
        let others = visits.iter().enumerate().filter(|other| other.0 != place);
        boxed_chain(field, index, others.map(|other| &other.1.single), locals)
    });
    let owned = if visits.is_empty() {
        owns_nothing(locals)
    } else {
        owned(locals, &visits, false, |positions, statements| quote!(#positions #(#statements)*))
    };
    quote!(#is_flat #shape #owned #boxed_chain #pointee)
}

/// Returns the visit of a field that leads to the next value of a list or tree.
fn link_visit(field: &Field<'_>, index: usize, locals: &Locals) -> FieldVisit {
    let Locals { walk, fields, value, .. } = locals;
    let (member, entry) = (&field.member, entry(index));
    let single = quote!(__memprof::Link(&#value.#member).add(#walk, #fields.at(#entry)););
    FieldVisit { before: None, statement: single.clone(), single, after: None }
}

/// Returns the method `boxed_chain`, which uses a loop to visit the values that `last_link` leads
/// to.
///
/// A call for each value takes three times as long.
fn boxed_chain<'s>(
    last_link: &Field<'_>,
    index: usize,
    others: impl Iterator<Item = &'s TokenStream>,
    locals: &Locals,
) -> TokenStream {
    let Locals { walk, at, fields, value, .. } = locals;
    let (member, entry) = (&last_link.member, entry(index));
    let link = quote!(__memprof::Link(&#value.#member));
    quote! {
        fn boxed_chain<'__memprof>(
            &'__memprof self,
            #walk: &mut __memprof::Walk<'__memprof>,
            #at: __memprof::Position,
        ) {
            #walk.chain(
                self,
                #at,
                #entry,
                |#value: &'__memprof Self| #link.next(),
                |
                    #value: &'__memprof Self,
                    #walk: &mut __memprof::Walk<'__memprof>,
                    #fields: __memprof::Fields,
                | {
                    #(#others)*
                    #link.add_without_next(#walk, #fields.at(#entry));
                },
            );
        }
    }
}

/// Returns the index of a field in the shape.
fn entry(index: usize) -> u32 {
    u32::try_from(index).expect("a type has fewer than 2^32 fields")
}

fn shape(fields: &[Field<'_>]) -> TokenStream {
    let entries = fields.iter().map(Field::split_entry);
    quote! {
        fn shape() -> &'static __memprof::Shape {
            const { &__memprof::Shape::of::<Self>(const { &[#(#entries),*] }) }
        }
    }
}
