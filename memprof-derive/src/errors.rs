//! A collection of errors, which reports everything wrong with an item at once.

use core::fmt::Display;
use proc_macro2::Span;
use quote::ToTokens;

/// A collection of errors. Dropping it without a call of [`check`](Self::check) panics, because the
/// errors would be lost.
#[derive(Debug)]
pub(crate) struct Errors {
    found: Vec<syn::Error>,
    checked: bool,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Self { found: Vec::new(), checked: false }
    }

    pub(crate) fn at(&mut self, span: Span, message: impl Display) {
        self.add(syn::Error::new(span, message));
    }

    pub(crate) fn on(&mut self, tokens: &impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(tokens, message));
    }

    pub(crate) fn add(&mut self, error: syn::Error) {
        self.found.push(error);
    }

    /// Returns all errors as one, if there are any.
    pub(crate) fn check(mut self) -> syn::Result<()> {
        self.checked = true;
        let mut all = core::mem::take(&mut self.found).into_iter();
        match all.next() {
            None => Ok(()),
            Some(mut first) => {
                first.extend(all);
                Err(first)
            }
        }
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        assert!(self.checked || std::thread::panicking(), "the errors were never checked");
    }
}
