//! Expected expansions of `#[track]`.

use expect_test::{Expect, expect};
use proc_macro2::TokenStream;
use quote::quote;

#[expect(clippy::needless_pass_by_value, reason = "a call can contain the item and its expansion")]
fn check(words: TokenStream, item: TokenStream, expected: Expect) {
    let file = syn::parse2(super::track(words, &item)).expect("an expansion is Rust");
    expected.assert_eq(&prettyplease::unparse(&file));
}

#[test]
fn a_function_holds_a_guard_named_after_it() {
    check(
        quote!(),
        quote! {
            pub(crate) fn r#load<F: Fn(u8) -> Option<u8>>(of: F) -> impl Iterator<Item = u8>
            where
                F: Clone,
            {
                #![allow(unused)]
                of(1).into_iter()
            }
        },
        expect![[r#"
            pub(crate) fn r#load<F: Fn(u8) -> Option<u8>>(of: F) -> impl Iterator<Item = u8>
            where
                F: Clone,
            {
                #![allow(unused)]
                let _operation = {
                    static OPERATION: ::memprof::__private::OperationSite = ::memprof::__private::OperationSite::new(
                        "load",
                        ::core::file!(),
                        ::core::line!(),
                    );
                    OPERATION.enter()
                };
                of(1).into_iter()
            }
        "#]],
    );
}

#[test]
fn an_async_function_tracks_its_body_and_names_its_result() {
    check(
        quote!(name = "fetch all", crate = crate::telemetry),
        quote! {
            async unsafe fn fetch(&self) -> Result<(impl Fn(u8) -> u8 + '_, u8), Box<dyn Error>> {
                self.get()?.await
            }
        },
        expect![[r#"
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
        "#]],
    );
}

#[test]
fn a_function_that_ends_in_a_future_tracks_the_future() {
    check(
        quote!(),
        quote! {
            fn fetch(&self) -> Pin<Box<dyn Future<Output = ()> + '_>> {
                Box::pin(async move { self.get().await })
            }
        },
        expect![[r#"
            fn fetch(&self) -> Pin<Box<dyn Future<Output = ()> + '_>> {
                Box::pin(
                    ::memprof::__private::TrackFuture::track(
                        async move { self.get().await },
                        {
                            static OPERATION: ::memprof::__private::OperationSite = ::memprof::__private::OperationSite::new(
                                "fetch",
                                ::core::file!(),
                                ::core::line!(),
                            );
                            &OPERATION
                        },
                    ),
                )
            }
        "#]],
    );
    check(
        quote!(),
        quote! {
            fn fetch() -> impl Future<Output = ()> {
                let url = url();
                async move { get(url).await }
            }
        },
        expect![[r#"
            fn fetch() -> impl Future<Output = ()> {
                let url = url();
                ::memprof::__private::TrackFuture::track(
                    async move { get(url).await },
                    {
                        static OPERATION: ::memprof::__private::OperationSite = ::memprof::__private::OperationSite::new(
                            "fetch",
                            ::core::file!(),
                            ::core::line!(),
                        );
                        &OPERATION
                    },
                )
            }
        "#]],
    );
}

#[test]
fn an_invalid_function_stays_unchanged() {
    let wrong = quote! {
        const fn a() {}
    };
    let expanded = super::track(quote!(nam = "a"), &wrong).to_string();
    assert!(expanded.contains("unknown word `nam`"), "{expanded}");
    assert!(expanded.contains("a `const fn` can't be tracked"), "{expanded}");
    assert!(expanded.ends_with("const fn a () { }"), "{expanded}");
}
