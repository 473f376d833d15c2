//! Expected expansions of `#[track]`, and what must hold of others.

use expect_test::expect;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// Returns the function that a tracked one expands to.
fn expand(function: &TokenStream) -> syn::ItemFn {
    syn::parse2(super::track(quote!(), function)).expect("an expansion is a function")
}

/// Returns the expression in which the operation `fetch` tracks a future.
fn tracked(future: &TokenStream) -> String {
    let operation = quote! {
        ::memprof::__private::TrackFuture::track(#future, {
            static OPERATION: ::memprof::__private::OperationSite =
                ::memprof::__private::OperationSite::new("fetch", ::core::file!(), ::core::line!());
            &OPERATION
        })
    };
    operation.to_string()
}

#[test]
fn a_function_holds_a_guard_named_after_it() {
    let function = quote! {
        pub(crate) fn r#load<F: Fn(u8) -> Option<u8>>(of: F) -> impl Iterator<Item = u8>
        where
            F: Clone,
        {
            #![allow(unused)]
            of(1).into_iter()
        }
    };
    let mut expanded = expand(&function);
    let guard = expanded.block.stmts.remove(0).to_token_stream().to_string();
    assert!(guard.starts_with("let _operation ="), "{guard}");
    assert!(guard.contains("OperationSite :: new (\"load\" ,"), "{guard}");
    // The rest is the function as it was.
    assert_eq!(expanded, syn::parse2(function).expect("a function"));
}

#[test]
fn an_async_function_tracks_its_body_and_names_its_result() {
    let words = quote!(name = "fetch all", crate = crate::telemetry);
    let function = quote! {
        async unsafe fn fetch(&self) -> Result<(impl Fn(u8) -> u8 + '_, u8), Box<dyn Error>> {
            self.get()?.await
        }
    };
    let file = syn::parse2(super::track(words, &function)).expect("an expansion is Rust");
    let expected = expect![[r#"
        async unsafe fn fetch(&self) -> Result<(impl Fn(u8) -> u8 + '_, u8), Box<dyn Error>> {
            crate::telemetry::__private::TrackFuture::track(
                    async move {
                        #[allow(
                            unreachable_code,
                            clippy::all,
                            clippy::pedantic,
                            clippy::restriction
                        )]
                        if false {
                            let never: Result<(_, u8), Box<dyn Error>> = loop {};
                            return never;
                        }
                        self.get()?.await
                    },
                    {
                        static OPERATION: crate::telemetry::__private::OperationSite = crate::telemetry::__private::OperationSite::new(
                            "fetch all",
                            ::core::file!(),
                            ::core::line!(),
                        );
                        &OPERATION
                    },
                )
                .await
        }
    "#]];
    expected.assert_eq(&prettyplease::unparse(&file));
}

#[test]
fn a_function_that_ends_in_a_future_tracks_the_future() {
    let boxed = expand(&quote! {
        fn fetch(&self) -> Pin<Box<dyn Future<Output = ()> + '_>> {
            Box::pin(async move { self.get().await })
        }
    });
    let future = tracked(&quote!(async move { self.get().await }));
    assert_eq!(boxed.block.to_token_stream().to_string(), format!("{{ Box :: pin ({future}) }}"));

    let opaque = expand(&quote! {
        fn fetch() -> impl Future<Output = ()> {
            let url = url();
            async move { get(url).await }
        }
    });
    let [url, future] = &opaque.block.stmts[..] else { panic!("{opaque:?}") };
    assert_eq!(url.to_token_stream().to_string(), "let url = url () ;");
    let expected = tracked(&quote!(async move { get(url).await }));
    assert_eq!(future.to_token_stream().to_string(), expected);
}

#[test]
fn an_invalid_function_stays_unchanged() {
    let wrong = quote! {
        const fn a() {}
    };
    let expanded = super::track(quote!(nam = "a"), &wrong).to_string();
    assert!(expanded.contains("unknown attribute `nam`"), "{expanded}");
    assert!(expanded.contains("a `const fn` cannot be tracked"), "{expanded}");
    assert!(expanded.ends_with("const fn a () { }"), "{expanded}");
}
