//! The code emitted instead of an impl if there are errors.

use crate::ast::Input;
use crate::expand;
use proc_macro2::TokenStream;
use quote::quote;

/// Returns the errors and an impl that does nothing. Without the impl, every use of the type would
/// be another error.
pub(crate) fn expand(input: &Input<'_>, error: &syn::Error) -> TokenStream {
    let errors = error.to_compile_error();
    let ident = &input.original.ident;
    let (impl_generics, ty_generics, where_clause) = input.original.generics.split_for_impl();
    let stub = expand::in_scope(
        input,
        &quote! {
            #[automatically_derived]
            impl #impl_generics __memprof::MemoryProfile for #ident #ty_generics #where_clause {
                fn owned<'__memprof>(
                    &'__memprof self,
                    _: &mut __memprof::Walk<'__memprof>,
                    _: __memprof::Position,
                ) {}
            }
        },
    );
    quote!(#errors #stub)
}
