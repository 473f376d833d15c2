//! The where-predicates of an impl, inferred from the types of its fields.
//!
//! Only type parameters and associated types are bound, the latter as written. Whole field types
//! are not bound, because a recursive type would then require itself.

use super::{Field, Input, Visit, types};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Type, TypePath};

/// Returns the where-clause of the impl: the predicates of the item, and those that the impls of
/// the fields need.
pub(super) fn where_clause(input: &Input<'_>) -> TokenStream {
    let own = input.original.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let added = match &input.bound {
        Some(bound) => bound.iter().map(ToTokens::to_token_stream).collect(),
        None => infer(input),
    };
    quote!(where #(#own,)* #(#added,)*)
}

fn infer(input: &Input<'_>) -> Vec<TokenStream> {
    let params: Vec<&Ident> =
        input.original.generics.type_params().map(|param| &param.ident).collect();
    if params.is_empty() {
        return Vec::new();
    }
    let mut found = BoundTypes { params, types: Vec::new(), follow: false };
    let mut keys = Vec::new();
    for field in input.fields() {
        found.follow = matches!(field.visit, Visit::Follow);
        match field.visit {
            Visit::Skip | Visit::With(_) => {}
            Visit::Each(_) => {
                // The function profiles the values, so only the keys of a map need an impl.
                if let [key_type, _, ..] = type_arguments(field)[..] {
                    found.visit_type(key_type);
                }
            }
            Visit::Keyed(_) => {
                // The first argument of `HashMap<K, V>`.
                let mut key_type = type_arguments(field);
                key_type.truncate(1);
                key_type.retain(|key_type| found.contains_param(key_type.to_token_stream()));
                keys.extend(key_type);
                found.visit_type(field.ty);
            }
            Visit::Trait | Visit::Follow => found.visit_type(field.ty),
        }
    }
    let types = found.types.into_iter().map(|ty| quote!(#ty: __memprof::MemoryProfile));
    let keys = keys.into_iter().map(|key_type| quote!(#key_type: __memprof::Display));
    let hash = input.shareable.then(|| quote!(Self: __memprof::Hash));
    types.chain(keys).chain(hash).collect()
}

/// Returns `K` and `V` of a field of type `HashMap<K, V>`.
fn type_arguments<'a>(field: &Field<'a>) -> Vec<&'a Type> {
    let Type::Path(path) = field.ty else { return Vec::new() };
    path.path.segments.last().into_iter().flat_map(types::arguments).collect()
}

struct BoundTypes<'a> {
    params: Vec<&'a Ident>,
    types: Vec<TokenStream>,
    /// True if the targets of references are visited too.
    follow: bool,
}

impl BoundTypes<'_> {
    fn visit_type(&mut self, ty: &Type) {
        match ty {
            Type::Path(path) => self.visit_path(path),
            Type::Array(array) => self.visit_type(&array.elem),
            Type::Slice(slice) => self.visit_type(&slice.elem),
            Type::Tuple(tuple) => tuple.elems.iter().for_each(|elem| self.visit_type(elem)),
            Type::Paren(inner) => self.visit_type(&inner.elem),
            Type::Group(inner) => self.visit_type(&inner.elem),
            Type::Reference(reference) if self.follow => self.visit_type(&reference.elem),
            // The expansion of a macro is unknown, so bind the parameters that its tokens name.
            Type::Macro(inner) => {
                for param in self.params.clone() {
                    if types::mentions(inner.mac.tokens.clone(), &|name| name == param) {
                        types::add_new(&mut self.types, param.to_token_stream());
                    }
                }
            }
            // Pointers that are not followed own nothing. The parameters of a trait object do not
            // affect its impl.
            _ => {}
        }
    }

    fn visit_path(&mut self, ty: &TypePath) {
        if ty.qself.is_some() {
            if self.contains_param(ty.to_token_stream()) {
                types::add_new(&mut self.types, ty.to_token_stream());
            }
            return;
        }
        let segments = &ty.path.segments;
        if ty.path.leading_colon.is_none() && self.params.contains(&&segments[0].ident) {
            types::add_new(&mut self.types, ty.to_token_stream());
            return;
        }
        if segments.last().is_some_and(|last| last.ident == "PhantomData") {
            return;
        }
        segments.iter().flat_map(types::arguments).for_each(|ty| self.visit_type(ty));
    }

    fn contains_param(&self, tokens: TokenStream) -> bool {
        types::mentions(tokens, &|name| self.params.contains(&name))
    }
}
