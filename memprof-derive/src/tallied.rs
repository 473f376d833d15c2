//! Types that a loop over values counts in a tally, recognized by their tokens alone.

use syn::{GenericArgument, PathArguments, Type, TypeArray, TypePath};

/// Text, vectors, and handles to shared memory, whatever they contain.
const TALLIED: [&str; 6] = ["String", "OsString", "PathBuf", "Vec", "Rc", "Arc"];

/// Returns whether a tally makes a loop over values of the type faster.
///
/// Tallies for all fields would increase the compile time by a fifth. A wrong result only costs
/// time, because the bytes are correct either way.
pub(crate) fn benefits_from_tally(ty: &Type) -> bool {
    let TypePath { qself: None, path, .. } = (match ty {
        Type::Array(TypeArray { elem, .. }) => return benefits_from_tally(elem),
        Type::Path(path) => path,
        _ => return false,
    }) else {
        return false;
    };
    let Some(last) = path.segments.last() else { return false };
    if last.ident == "Option" {
        return of_option(&last.arguments);
    }
    TALLIED.iter().any(|tallied| last.ident == tallied)
}

/// Returns the same as [`benefits_from_tally`], for the type inside an `Option`.
fn of_option(arguments: &PathArguments) -> bool {
    let PathArguments::AngleBracketed(arguments) = arguments else { return false };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) => benefits_from_tally(inner),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::benefits_from_tally;
    use syn::parse_quote;

    #[test]
    fn text_vectors_and_handles_benefit_from_a_tally() {
        assert!(benefits_from_tally(&parse_quote!(String)));
        assert!(benefits_from_tally(&parse_quote!(std::path::PathBuf)));
        assert!(benefits_from_tally(&parse_quote!(Option<Vec<(u8, f64)>>)));
        assert!(benefits_from_tally(&parse_quote!([Arc<Unit>; 4])));
    }

    #[test]
    fn maps_boxes_and_unknown_types_do_not_benefit_from_a_tally() {
        assert!(!benefits_from_tally(&parse_quote!(std::collections::HashMap<u8, u8>)));
        assert!(!benefits_from_tally(&parse_quote!(Option<Box<Self>>)));
        assert!(!benefits_from_tally(&parse_quote!(Model)));
    }
}
