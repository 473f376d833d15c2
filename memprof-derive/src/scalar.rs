//! Types that own nothing, recognized by their tokens alone.

use syn::{Type, TypePath};

const SCALARS: [&str; 16] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32",
    "f64", "bool", "char",
];

/// Returns whether the type's tokens are those of a `Copy` type, whose values need no visit.
///
/// A user's type may have the name `u8`. So the generated code requires `Copy`, which no type that
/// owns memory implements.
pub(crate) fn is_scalar(ty: &Type) -> bool {
    match ty {
        Type::Path(TypePath { qself: None, path, .. }) => {
            let named =
                path.get_ident().is_some_and(|ident| SCALARS.iter().any(|name| ident == name));
            named || path.segments.last().is_some_and(|last| last.ident == "PhantomData")
        }
        Type::Array(array) => is_scalar(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_scalar),
        Type::Paren(inner) => is_scalar(&inner.elem),
        Type::Group(inner) => is_scalar(&inner.elem),
        Type::Reference(reference) => reference.mutability.is_none(),
        Type::Ptr(_) | Type::FnPtr(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_scalar;
    use syn::parse_quote;

    #[test]
    fn scalars_references_and_tuples_of_them_are_scalars() {
        assert!(is_scalar(&parse_quote!(u64)));
        assert!(is_scalar(&parse_quote!([(f32, bool); 3])));
        assert!(is_scalar(&parse_quote!(&'a mut_free::Type)));
        assert!(is_scalar(&parse_quote!(core::marker::PhantomData<Vec<T>>)));
        assert!(is_scalar(&parse_quote!(())));
    }

    #[test]
    fn other_types_are_not_scalars() {
        assert!(!is_scalar(&parse_quote!(Vec<u64>)));
        assert!(!is_scalar(&parse_quote!(my::u64)));
        assert!(!is_scalar(&parse_quote!((u8, String))));
        assert!(!is_scalar(&parse_quote!(&'a mut u8)));
        assert!(!is_scalar(&parse_quote!(T)));
    }
}
