//! Types whose values own memory, recognized by their tokens alone.

use syn::{Type, TypePath};

const OWNERS: [&str; 14] = [
    "String",
    "OsString",
    "PathBuf",
    "Vec",
    "VecDeque",
    "BinaryHeap",
    "LinkedList",
    "Box",
    "Rc",
    "Arc",
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
];

/// Returns whether the type has the name of an std type that owns memory, whatever it contains.
///
/// If a type has such a field, the expansion need not call `is_flat` of the other fields. One call
/// per field took one thirtieth of the compiler's time before code generation. A wrong result only
/// costs visits that find nothing.
pub(crate) fn is_owner(ty: &Type) -> bool {
    let Type::Path(TypePath { qself: None, path, .. }) = ty else { return false };
    path.segments.last().is_some_and(|last| OWNERS.iter().any(|owner| last.ident == owner))
}

#[cfg(test)]
mod tests {
    use super::is_owner;
    use syn::parse_quote;

    #[test]
    fn text_collections_and_pointers_are_owners() {
        assert!(is_owner(&parse_quote!(String)));
        assert!(is_owner(&parse_quote!(std::collections::HashMap<u8, u8>)));
    }

    #[test]
    fn types_that_may_own_nothing_are_not_owners() {
        assert!(!is_owner(&parse_quote!(Option<u8>)));
        assert!(!is_owner(&parse_quote!([String; 0])));
        assert!(!is_owner(&parse_quote!(<u8 as Held>::String)));
    }
}
