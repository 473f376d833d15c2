//! What `#[repr(...)]` says that matters here.

use syn::Attribute;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Repr {
    /// Fields may be unaligned, so they cannot be borrowed.
    pub(crate) packed: bool,
    /// The type may be larger than its fields need.
    pub(crate) align: bool,
}

impl Repr {
    pub(crate) fn read(attributes: &[Attribute]) -> Self {
        let mut repr = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("repr")) {
            // What is wrong with `repr` itself is for the compiler to say.
            let _ = attribute.parse_nested_meta(|meta| {
                repr.packed |= meta.path.is_ident("packed");
                repr.align |= meta.path.is_ident("align");
                if meta.input.peek(syn::token::Paren) {
                    let content;
                    syn::parenthesized!(content in meta.input);
                    content.parse::<proc_macro2::TokenStream>()?;
                }
                Ok(())
            });
        }
        repr
    }
}
