//! Expected expansions, and what must hold of others.
#![expect(clippy::too_many_lines, reason = "goldens are as long as the expansions")]

use expect_test::{Expect, expect};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse_quote;

/// Compares the formatted expansion of an item with the expected one.
#[expect(clippy::needless_pass_by_value, reason = "a call can contain the item and its expansion")]
fn check(item: syn::DeriveInput, expected: Expect) {
    let file = syn::parse2(crate::derive::derive(&item)).expect("an expansion is Rust");
    expected.assert_eq(&prettyplease::unparse(&file));
}

/// Returns the impl in the expansion of an item.
#[expect(clippy::needless_pass_by_value, reason = "a call can contain the item")]
fn implementation(item: syn::DeriveInput) -> syn::ItemImpl {
    let file: syn::File = syn::parse2(crate::derive::derive(&item)).expect("an expansion is Rust");
    let Some(syn::Item::Const(scope)) = file.items.last() else { panic!("no scope: {file:?}") };
    let syn::Expr::Block(scope) = &*scope.expr else { panic!("no block: {scope:?}") };
    let statement = scope.block.stmts.last().expect("the scope has an impl");
    let syn::Stmt::Item(syn::Item::Impl(implementation)) = statement else {
        panic!("no impl: {statement:?}")
    };
    implementation.clone()
}

/// Returns the names of the functions that an impl writes itself.
fn functions(implementation: &syn::ItemImpl) -> Vec<String> {
    let functions = implementation.items.iter().filter_map(|item| match item {
        syn::ImplItem::Fn(function) => Some(function.sig.ident.to_string()),
        _ => None,
    });
    functions.collect()
}

/// Returns whether an impl contains some tokens.
fn contains(implementation: &syn::ItemImpl, part: TokenStream) -> bool {
    let text = |tokens: TokenStream| tokens.to_string().replace(' ', "");
    text(implementation.to_token_stream()).contains(&text(part))
}

#[test]
fn a_struct_names_its_fields_and_visits_those_that_own() {
    check(
        parse_quote! {
            struct Model {
                id: u64,
                name: String,
                #[profile(leaf, role = "metadata")]
                index: Index,
                #[profile(skip)]
                scratch: Scratch,
                #[profile(with = profile_bitmap)]
                bitmap: Bitmap,
                #[profile(each = profile_layer)]
                layers: Vec<Layer>,
                #[profile(keyed(cap = 5))]
                entries: HashMap<String, Entry>,
            }
        },
        expect![[r#"
            const _: () = {
                use ::memprof::__private as __memprof;
                #[automatically_derived]
                #[allow(deprecated, non_camel_case_types, non_upper_case_globals)]
                impl __memprof::MemoryProfile for Model {
                    fn is_flat() -> __memprof::bool {
                        false
                    }
                    fn shape() -> &'static __memprof::Shape {
                        const {
                            &__memprof::Shape::of::<
                                Self,
                            >(const {
                                &[
                                    __memprof::scalar::<u64>("id"),
                                    __memprof::field::<
                                        String,
                                    >("name", <String as __memprof::MemoryProfile>::shape),
                                    __memprof::field::<
                                        Index,
                                    >("index", <Index as __memprof::MemoryProfile>::shape)
                                        .role(__memprof::Role::Metadata)
                                        .leaf(),
                                    __memprof::Field::skipped::<Scratch>("scratch"),
                                    __memprof::Field::lump::<Bitmap>("bitmap"),
                                    __memprof::Field::lump::<Vec<Layer>>("layers"),
                                    __memprof::Field::lump::<HashMap<String, Entry>>("entries"),
                                ]
                            })
                        }
                    }
                    fn owned<'__memprof>(
                        &'__memprof self,
                        walk: &mut __memprof::Walk<'__memprof>,
                        at: __memprof::Position,
                    ) {
                        let value = self;
                        let fields = walk.fields(at, <Self as __memprof::MemoryProfile>::shape());
                        <String as __memprof::MemoryProfile>::owned(
                            &value.name,
                            walk,
                            fields.at(1u32),
                        );
                        <Index as __memprof::MemoryProfile>::owned(
                            &value.index,
                            walk,
                            fields.at(2u32),
                        );
                        profile_bitmap(&value.bitmap, walk, fields.at(4u32));
                        <Vec<
                            Layer,
                        > as __memprof::Each>::each(
                            &value.layers,
                            profile_layer,
                            walk,
                            fields.at(5u32),
                        );
                        <HashMap<
                            String,
                            Entry,
                        > as __memprof::Keyed>::keyed(&value.entries, 5usize, walk, fields.at(6u32));
                    }
                    #[inline]
                    fn owned_each<'__memprof>(
                        values: impl __memprof::Iterator<Item = &'__memprof Self>,
                        walk: &mut __memprof::Walk<'__memprof>,
                        at: __memprof::Position,
                    )
                    where
                        Self: '__memprof,
                    {
                        let fields = walk.fields(at, <Self as __memprof::MemoryProfile>::shape());
                        let mut tally1 = __memprof::Tally::new();
                        for value in values {
                            <String as __memprof::MemoryProfile>::tally(
                                &value.name,
                                &mut tally1,
                                walk,
                                fields.at(1u32),
                            );
                            <Index as __memprof::MemoryProfile>::owned(
                                &value.index,
                                walk,
                                fields.at(2u32),
                            );
                            profile_bitmap(&value.bitmap, walk, fields.at(4u32));
                            <Vec<
                                Layer,
                            > as __memprof::Each>::each(
                                &value.layers,
                                profile_layer,
                                walk,
                                fields.at(5u32),
                            );
                            <HashMap<
                                String,
                                Entry,
                            > as __memprof::Keyed>::keyed(
                                &value.entries,
                                5usize,
                                walk,
                                fields.at(6u32),
                            );
                        }
                        <String as __memprof::MemoryProfile>::settle(tally1, walk, fields.at(1u32));
                    }
                    fn pointee<'__memprof>(
                        &'__memprof self,
                        walk: &mut __memprof::Walk<'__memprof>,
                        at: __memprof::Position,
                    ) {
                        walk.inline(at, <Self as __memprof::MemoryProfile>::shape(), 1);
                        <Self as __memprof::MemoryProfile>::owned(self, walk, at);
                    }
                }
            };
        "#]],
    );
}

#[test]
fn an_enum_matches_the_variants_that_own() {
    check(
        parse_quote! {
            #[profile(rename = "Layer")]
            enum LayerV2<'a, T> {
                Identity,
                Scale(f64),
                #[profile(role = "auxiliary")]
                Lookup(Vec<T>),
                Dense {
                    size: usize,
                    weights: Vec<T>,
                    #[profile(follow)]
                    name: &'a str,
                    #[profile(skip)]
                    scratch: T,
                },
            }
        },
        expect![[r#"
            const _: () = {
                use ::memprof::__private as __memprof;
                #[automatically_derived]
                #[allow(deprecated, non_camel_case_types, non_upper_case_globals)]
                impl<'a, T> __memprof::MemoryProfile for LayerV2<'a, T>
                where
                    T: __memprof::MemoryProfile,
                {
                    fn is_flat() -> __memprof::bool {
                        false
                    }
                    fn shape() -> &'static __memprof::Shape {
                        const {
                            &__memprof::Shape::lump::<
                                Self,
                            >(const {
                                &[
                                    __memprof::Field::frame("Lookup")
                                        .role(__memprof::Role::Auxiliary),
                                    __memprof::Field::frame("Dense"),
                                    __memprof::Field::frame("weights").below(1u16),
                                    __memprof::Field::frame("name").below(1u16),
                                    __memprof::Field::frame("scratch").below(1u16),
                                ]
                            })
                        }
                    }
                    fn owned<'__memprof>(
                        &'__memprof self,
                        walk: &mut __memprof::Walk<'__memprof>,
                        at: __memprof::Position,
                    ) {
                        let value = self;
                        match value {
                            Self::Lookup { 0: field0, .. } => {
                                let fields = walk
                                    .fields(at, <Self as __memprof::MemoryProfile>::shape());
                                <Vec<
                                    T,
                                > as __memprof::MemoryProfile>::owned(field0, walk, fields.at(0u32));
                            }
                            Self::Dense { weights: field1, name: field2, scratch: _, .. } => {
                                let fields = walk
                                    .fields(at, <Self as __memprof::MemoryProfile>::shape());
                                <Vec<
                                    T,
                                > as __memprof::MemoryProfile>::owned(field1, walk, fields.at(2u32));
                                __memprof::follow::<&'a str>(field2, walk, fields.at(3u32));
                                __memprof::skipped::<T>(walk, fields.at(4u32));
                            }
                            _ => {}
                        }
                    }
                    #[inline]
                    fn owned_each<'__memprof>(
                        values: impl __memprof::Iterator<Item = &'__memprof Self>,
                        walk: &mut __memprof::Walk<'__memprof>,
                        at: __memprof::Position,
                    )
                    where
                        Self: '__memprof,
                    {
                        let fields = walk.fields(at, <Self as __memprof::MemoryProfile>::shape());
                        let mut tally0 = __memprof::Tally::new();
                        let mut tally2 = __memprof::Tally::new();
                        for value in values {
                            match value {
                                Self::Lookup { 0: field0, .. } => {
                                    <Vec<
                                        T,
                                    > as __memprof::MemoryProfile>::tally(
                                        field0,
                                        &mut tally0,
                                        walk,
                                        fields.at(0u32),
                                    );
                                }
                                Self::Dense { weights: field1, name: field2, scratch: _, .. } => {
                                    <Vec<
                                        T,
                                    > as __memprof::MemoryProfile>::tally(
                                        field1,
                                        &mut tally2,
                                        walk,
                                        fields.at(2u32),
                                    );
                                    __memprof::follow::<&'a str>(field2, walk, fields.at(3u32));
                                    __memprof::skipped::<T>(walk, fields.at(4u32));
                                }
                                _ => {}
                            }
                        }
                        <Vec<T> as __memprof::MemoryProfile>::settle(tally0, walk, fields.at(0u32));
                        <Vec<T> as __memprof::MemoryProfile>::settle(tally2, walk, fields.at(2u32));
                    }
                    fn type_name(&self) -> &'static __memprof::str {
                        "Layer"
                    }
                }
            };
        "#]],
    );
}

#[test]
fn a_mirror_matches_every_field_and_compares_its_type() {
    check(
        parse_quote! {
            #[profile(remote = "geo::Segment")]
            pub(crate) struct Segment<T> {
                id: u64,
                points: Vec<T>,
            }
        },
        expect![[r#"
            const _: () = {
                use ::memprof::__private as __memprof;
                #[automatically_derived]
                #[allow(deprecated, non_camel_case_types, non_upper_case_globals)]
                impl<T> Segment<T>
                where
                    T: __memprof::MemoryProfile,
                {
                    /// Adds what a value of the mirrored type owns.
                    #[allow(unreachable_patterns, unused_variables)]
                    pub(crate) fn owned<'__memprof>(
                        value: &'__memprof geo::Segment<T>,
                        walk: &mut __memprof::Walk<'__memprof>,
                        at: __memprof::Position,
                    ) {
                        let _ = |value: Self| match value {
                            Self { id: field0, points: field1 } => {
                                Self { id: field0, points: field1 }
                            }
                        };
                        let fields = walk
                            .fields(
                                at,
                                const {
                                    &__memprof::Shape::lump::<
                                        geo::Segment<T>,
                                    >(const { &[__memprof::Field::frame("points")] })
                                },
                            );
                        match *value {
                            geo::Segment { id: ref field0, points: ref field1 } => {
                                __memprof::is_of_type::<u64, _>(field0);
                                __memprof::is_of_type::<Vec<T>, _>(field1);
                                <Vec<
                                    T,
                                > as __memprof::MemoryProfile>::owned(field1, walk, fields.at(0u32));
                            }
                        }
                    }
                }
            };
        "#]],
    );
}

#[test]
fn a_recursive_enum_adds_each_value_without_a_tally() {
    let json = implementation(parse_quote! {
        enum Json {
            Null,
            Text(String),
            Array(Vec<Self>),
        }
    });
    assert_eq!(functions(&json), ["is_flat", "shape", "owned", "owned_each"]);
    assert!(contains(&json, quote!(walk.fields_of_recursive)));
    assert!(!contains(&json, quote!(__memprof::Tally)));
    assert!(!contains(&json, quote!(Self::Null)));
}

#[test]
fn bounds_are_of_parameters_and_projections() {
    let generic = implementation(parse_quote! {
        struct Generic<'a, T, U: Iterator, V = u8, const N: usize = 1>
        where
            T: Clone,
        {
            values: [Vec<T>; N],
            items: Option<U::Item>,
            more: <Vec<T> as IntoIterator>::Item,
            phantom: PhantomData<V>,
            borrowed: &'a V,
        }
    });
    let generics = generic.generics;
    let expected = quote!(<'a, T, U: Iterator, V, const N: usize>);
    assert_eq!(generics.to_token_stream().to_string(), expected.to_string());
    let expected = quote! {
        where
            T: Clone,
            T: __memprof::MemoryProfile,
            U::Item: __memprof::MemoryProfile,
            <Vec<T> as IntoIterator>::Item: __memprof::MemoryProfile,
    };
    assert_eq!(generics.where_clause.to_token_stream().to_string(), expected.to_string());
}

#[test]
fn mistakes_give_an_error_and_a_stub() {
    let item = parse_quote! {
        #[profile(crate = renamed)]
        struct Wrong<T>(#[profile(skip, leaf)] T, #[profile(skip, leaf)] T);
    };
    let errors =
        crate::derive::derive(&item).to_string().matches(":: core :: compile_error !").count();
    assert_eq!(errors, 2);
    // Uses of the type are no further errors.
    let stub = implementation(item);
    assert_eq!(functions(&stub), ["owned"]);
    assert!(stub.generics.where_clause.is_none());
    assert!(stub.trait_.is_some());
    let mirror = implementation(parse_quote! {
        #[profile(remote = "geo::Wrong", shareable)]
        struct Wrong(u8);
    });
    assert!(mirror.trait_.is_none());
}

#[test]
fn only_the_path_in_crate_names_the_runtime() {
    let item = parse_quote! {
        #[profile(crate = renamed::memprof)]
        struct Model<T> {
            values: Vec<T>,
            #[profile(follow, role = "data")]
            other: &'static T,
        }
    };
    let expansion = crate::derive::derive(&item).to_string();
    assert!(expansion.contains("use renamed :: memprof :: __private as __memprof"));
    assert_eq!(expansion.matches(" memprof ").count(), 1);
    assert!(!expansion.contains("unsafe"));
}
