//! Fields that lead to the next value of a list or tree, recognized by their tokens alone.

use quote::ToTokens;
use syn::{DeriveInput, GenericArgument, PathArguments, Type, TypePath};

/// Returns whether the type is written as `Option<Box<Self>>`, with `Self` or with the name of the
/// type that is derived.
///
/// A wrong result only costs time, because the expansion works for any type.
pub(crate) fn is_link(ty: &Type, input: &DeriveInput) -> bool {
    let inner = argument(ty, "Option").and_then(|inner| argument(inner, "Box"));
    inner.is_some_and(|inner| {
        let (_, generics, _) = input.generics.split_for_impl();
        let name = format!("{} {}", input.ident, generics.to_token_stream());
        let written = inner.to_token_stream().to_string();
        written == "Self" || written.trim() == name.trim()
    })
}

/// Returns the only generic argument of a type with this name.
fn argument<'t>(ty: &'t Type, name: &str) -> Option<&'t Type> {
    let Type::Path(TypePath { qself: None, path, .. }) = ty else { return None };
    let last = path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match (arguments.args.len(), arguments.args.first()?) {
        (1, GenericArgument::Type(argument)) => Some(argument),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::is_link;
    use syn::{DeriveInput, parse_quote};

    #[test]
    fn a_link_is_an_optional_box_of_the_type_itself() {
        let node: DeriveInput = parse_quote!(
            struct Node<T> {
                value: T,
            }
        );
        assert!(is_link(&parse_quote!(Option<Box<Self>>), &node));
        assert!(is_link(&parse_quote!(std::option::Option<Box<Node<T>>>), &node));
        assert!(!is_link(&parse_quote!(Option<Box<Node<u8>>>), &node));
        assert!(!is_link(&parse_quote!(Option<Box<Other>>), &node));
        assert!(!is_link(&parse_quote!(Box<Self>), &node));
        assert!(!is_link(&parse_quote!(Option<Rc<Self>>), &node));
    }
}
