//! Types whose values are but a buffer, told from their tokens alone.

use crate::scalar;
use syn::{GenericArgument, PathArguments, Type, TypePath};

const TEXTS: [&str; 3] = ["String", "OsString", "PathBuf"];

/// Whether a loop over values of the type gains by adding to the tree once, as for text, vectors of
/// scalars, and options of these.
///
/// A type that is missed here, or taken for a buffer though it is none, is still counted right.
pub(crate) fn is_buffer(ty: &Type) -> bool {
    let Type::Path(TypePath { qself: None, path, .. }) = ty else { return false };
    let Some(last) = path.segments.last() else { return false };
    match &last.arguments {
        PathArguments::None => TEXTS.iter().any(|text| last.ident == text),
        PathArguments::AngleBracketed(arguments) if arguments.args.len() == 1 => {
            let GenericArgument::Type(inner) = &arguments.args[0] else { return false };
            (last.ident == "Vec" && scalar::is_scalar(inner))
                || (last.ident == "Option" && is_buffer(inner))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_buffer;
    use syn::parse_quote;

    #[test]
    fn text_and_vectors_of_scalars_are_buffers() {
        assert!(is_buffer(&parse_quote!(String)));
        assert!(is_buffer(&parse_quote!(std::path::PathBuf)));
        assert!(is_buffer(&parse_quote!(Vec<(u8, f64)>)));
        assert!(is_buffer(&parse_quote!(Option<Vec<u8>>)));
    }

    #[test]
    fn other_types_are_not() {
        assert!(!is_buffer(&parse_quote!(Vec<String>)));
        assert!(!is_buffer(&parse_quote!(Box<str>)));
        assert!(!is_buffer(&parse_quote!(Option<Model>)));
    }
}
