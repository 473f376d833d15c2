//! Types whose values own memory, told from their tokens alone.

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

/// Whether the type is named like one of std that owns memory, whatever it holds.
///
/// A type with such a field need not ask the others whether they are flat: one question a field
/// took a thirtieth of the compiler's time before code generation. A wrong answer costs visits that
/// find nothing.
pub(crate) fn is_owner(ty: &Type) -> bool {
    let Type::Path(TypePath { qself: None, path, .. }) = ty else { return false };
    path.segments.last().is_some_and(|last| OWNERS.iter().any(|owner| last.ident == owner))
}

#[cfg(test)]
mod tests {
    use super::is_owner;
    use syn::parse_quote;

    #[test]
    fn text_collections_and_pointers_own() {
        assert!(is_owner(&parse_quote!(String)));
        assert!(is_owner(&parse_quote!(std::collections::HashMap<u8, u8>)));
    }

    #[test]
    fn what_may_own_nothing_is_asked() {
        assert!(!is_owner(&parse_quote!(Option<u8>)));
        assert!(!is_owner(&parse_quote!([String; 0])));
        assert!(!is_owner(&parse_quote!(<u8 as Held>::String)));
    }
}
