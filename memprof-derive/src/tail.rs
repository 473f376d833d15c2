//! The detection of structs whose last field may be unsized.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Generics, Ident, Type, TypeParamBound, WherePredicate};

/// Types that are sized, whatever they point to.
const POINTERS: [&str; 10] =
    ["Box", "Rc", "Arc", "Weak", "Cow", "Pin", "PhantomData", "NonNull", "Vec", "Option"];

/// Returns whether `ty`, the type of a last field, may be unsized.
///
/// A type with an argument that may be unsized counts as unsized too, unless it is one of the known
/// pointers. The code for unsized types is correct for sized types too, but assigns fewer inline
/// bytes to fields.
pub(crate) fn may_be_unsized(ty: &Type, generics: &Generics) -> bool {
    match ty {
        Type::Slice(_) | Type::TraitObject(_) => true,
        Type::Paren(inner) => may_be_unsized(&inner.elem, generics),
        Type::Group(inner) => may_be_unsized(&inner.elem, generics),
        Type::Path(path) => {
            if path.path.is_ident("str") {
                return true;
            }
            let last = path.path.segments.last();
            let pointer = last.is_some_and(|last| POINTERS.iter().any(|name| last.ident == name));
            !pointer && mentions_unsized(ty.to_token_stream(), &unsized_params(generics))
        }
        _ => false,
    }
}

fn unsized_params(generics: &Generics) -> Vec<&Ident> {
    let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let in_clause: Vec<&Ident> = predicates
        .filter_map(|predicate| match predicate {
            WherePredicate::Type(predicate) if predicate.bounds.iter().any(is_relaxed_bound) => {
                if let Type::Path(path) = &predicate.bounded_ty {
                    path.path.get_ident()
                } else {
                    None
                }
            }
            _ => None,
        })
        .collect();
    let params = generics.type_params();
    params
        .filter(|param| {
            param.bounds.iter().any(is_relaxed_bound) || in_clause.contains(&&param.ident)
        })
        .map(|param| &param.ident)
        .collect()
}

fn is_relaxed_bound(bound: &TypeParamBound) -> bool {
    // `?` is the first token of every `?Sized`, and of no other bound.
    let first = bound.to_token_stream().into_iter().next();
    matches!(first, Some(TokenTree::Punct(mark)) if mark.as_char() == '?')
}

/// Returns whether `tokens` contain one of `params`, or `dyn` or `str`.
fn mentions_unsized(tokens: TokenStream, params: &[&Ident]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => {
            ident == "dyn" || ident == "str" || params.iter().any(|param| **param == ident)
        }
        TokenTree::Group(group) => mentions_unsized(group.stream(), params),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::may_be_unsized;
    use syn::{ItemStruct, parse_quote};

    fn last_may_be_unsized(item: &ItemStruct) -> bool {
        let last = item.fields.iter().next_back().expect("the struct has fields");
        may_be_unsized(&last.ty, &item.generics)
    }

    #[test]
    fn a_bare_unsized_parameter_is_unsized() {
        assert!(last_may_be_unsized(&parse_quote!(
            struct S<T: ?Sized>(u8, T);
        )));
        assert!(last_may_be_unsized(&parse_quote!(
            struct S<T>(u8, T)
            where
                T: ?Sized;
        )));
        assert!(last_may_be_unsized(&parse_quote!(
            struct S<T: ?Sized>(Mutex<T>);
        )));
        assert!(last_may_be_unsized(&parse_quote!(
            struct S(u8, [u8]);
        )));
    }

    #[test]
    fn a_pointer_to_an_unsized_parameter_is_sized() {
        assert!(!last_may_be_unsized(&parse_quote!(
            struct S<T: ?Sized>(u8, Box<T>);
        )));
        assert!(!last_may_be_unsized(&parse_quote!(
            struct S<T>(u8, Mutex<T>);
        )));
        assert!(!last_may_be_unsized(&parse_quote!(
            struct S<T: ?Sized>(u8, &'static T);
        )));
    }
}
