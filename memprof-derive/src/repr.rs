//! The parts of `#[repr(...)]` that the expansion depends on.

use syn::Attribute;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Repr {
    /// True if fields may be unaligned, so that they cannot be borrowed.
    pub(crate) packed: bool,
    /// True if the type may be larger than its fields need.
    pub(crate) align: bool,
}

impl Repr {
    pub(crate) fn read(attributes: &[Attribute]) -> Self {
        let mut repr = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("repr")) {
            // The compiler reports errors in `repr` itself.
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
