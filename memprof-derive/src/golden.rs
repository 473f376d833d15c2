//! Expected expansions.
#![expect(
    clippy::too_many_lines,
    clippy::needless_raw_string_hashes,
    reason = "goldens are as long as the expansions, and updates write raw strings with hashes"
)]

use expect_test::{Expect, expect};
use syn::parse_quote;

/// Compares the formatted expansion of an item with the expected one.
#[expect(clippy::needless_pass_by_value, reason = "a call can contain the item and its expansion")]
fn check(item: syn::DeriveInput, expected: Expect) {
    let file = syn::parse2(crate::derive(&item)).expect("an expansion is Rust");
    expected.assert_eq(&prettyplease::unparse(&file));
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
                                    >("name", <String as __memprof::MemoryProfile>::inline),
                                    __memprof::field::<
                                        Index,
                                    >("index", <Index as __memprof::MemoryProfile>::inline)
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
                        <Self as __memprof::MemoryProfile>::inline(walk, at, 1);
                        <Self as __memprof::MemoryProfile>::owned(self, walk, at);
                    }
                }
            };
        "#]],
    );
}

#[test]
fn a_flat_struct_visits_nothing() {
    check(
        parse_quote!(
            struct Point {
                x: f64,
                y: f64,
            }
        ),
        expect![[r#"
        const _: () = {
            use ::memprof::__private as __memprof;
            #[automatically_derived]
            #[allow(deprecated, non_camel_case_types, non_upper_case_globals)]
            impl __memprof::MemoryProfile for Point {
                fn is_flat() -> __memprof::bool {
                    true
                }
                fn shape() -> &'static __memprof::Shape {
                    const {
                        &__memprof::Shape::of::<
                            Self,
                        >(const {
                            &[__memprof::scalar::<f64>("x"), __memprof::scalar::<f64>("y")]
                        })
                    }
                }
                fn owned<'__memprof>(
                    &'__memprof self,
                    _: &mut __memprof::Walk<'__memprof>,
                    _: __memprof::Position,
                ) {}
                fn pointee<'__memprof>(
                    &'__memprof self,
                    walk: &mut __memprof::Walk<'__memprof>,
                    at: __memprof::Position,
                ) {
                    <Self as __memprof::MemoryProfile>::inline(walk, at, 1);
                    <Self as __memprof::MemoryProfile>::owned(self, walk, at);
                }
            }
        };
    "#]],
    );
}

#[test]
fn a_newtype_is_its_field() {
    check(
        parse_quote!(
            #[repr(align(64))]
            struct Line(Vec<u8>);
        ),
        expect![[r#"
            const _: () = {
                use ::memprof::__private as __memprof;
                #[automatically_derived]
                #[allow(deprecated, non_camel_case_types, non_upper_case_globals)]
                impl __memprof::MemoryProfile for Line {
                    fn is_flat() -> __memprof::bool {
                        false
                    }
                    fn shape() -> &'static __memprof::Shape {
                        <Vec<u8> as __memprof::MemoryProfile>::shape()
                    }
                    fn inline(
                        walk: &mut __memprof::Walk<'_>,
                        at: __memprof::Position,
                        count: __memprof::usize,
                    ) {
                        <Vec<u8> as __memprof::MemoryProfile>::inline(walk, at, count);
                        __memprof::padding::<Self, Vec<u8>>(walk, at, count);
                    }
                    fn owned<'__memprof>(
                        &'__memprof self,
                        walk: &mut __memprof::Walk<'__memprof>,
                        at: __memprof::Position,
                    ) {
                        <Vec<u8> as __memprof::MemoryProfile>::owned(&self.0, walk, at);
                    }
                    #[inline]
                    fn tally<'__memprof>(
                        &'__memprof self,
                        tally: &mut __memprof::Tally,
                        walk: &mut __memprof::Walk<'__memprof>,
                        at: __memprof::Position,
                    ) {
                        <Vec<u8> as __memprof::MemoryProfile>::tally(&self.0, tally, walk, at);
                    }
                    #[inline]
                    fn settle(
                        tally: __memprof::Tally,
                        walk: &mut __memprof::Walk<'_>,
                        at: __memprof::Position,
                    ) {
                        <Vec<u8> as __memprof::MemoryProfile>::settle(tally, walk, at);
                    }
                    fn pointee<'__memprof>(
                        &'__memprof self,
                        walk: &mut __memprof::Walk<'__memprof>,
                        at: __memprof::Position,
                    ) {
                        <Self as __memprof::MemoryProfile>::inline(walk, at, 1);
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
                            Self::Dense { weights: field0, name: field1, scratch: _, .. } => {
                                let fields = walk
                                    .fields(at, <Self as __memprof::MemoryProfile>::shape());
                                <Vec<
                                    T,
                                > as __memprof::MemoryProfile>::owned(field0, walk, fields.at(2u32));
                                __memprof::follow::<&'a str>(field1, walk, fields.at(3u32));
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
                                Self::Dense { weights: field0, name: field1, scratch: _, .. } => {
                                    <Vec<
                                        T,
                                    > as __memprof::MemoryProfile>::tally(
                                        field0,
                                        &mut tally2,
                                        walk,
                                        fields.at(2u32),
                                    );
                                    __memprof::follow::<&'a str>(field1, walk, fields.at(3u32));
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
fn an_unsized_struct_is_one_leaf() {
    check(
        parse_quote!(
            struct Message<T: ?Sized> {
                topic: String,
                body: T,
            }
        ),
        expect![[r#"
        const _: () = {
            use ::memprof::__private as __memprof;
            #[automatically_derived]
            #[allow(deprecated, non_camel_case_types, non_upper_case_globals)]
            impl<T: ?Sized> __memprof::MemoryProfile for Message<T>
            where
                T: __memprof::MemoryProfile,
            {
                fn owned<'__memprof>(
                    &'__memprof self,
                    walk: &mut __memprof::Walk<'__memprof>,
                    at: __memprof::Position,
                ) {
                    let fields = walk
                        .fields(
                            at,
                            const {
                                &__memprof::Shape::lump::<
                                    __memprof::PhantomData<Self>,
                                >(const {
                                    &[
                                        __memprof::Field::frame("topic"),
                                        __memprof::Field::frame("body"),
                                    ]
                                })
                            },
                        );
                    <String as __memprof::MemoryProfile>::owned(
                        &self.topic,
                        walk,
                        fields.at(0u32),
                    );
                    <T as __memprof::MemoryProfile>::owned(&self.body, walk, fields.at(1u32));
                }
            }
        };
    "#]],
    );
}

#[test]
fn a_recursive_enum_adds_each_value_without_a_tally() {
    check(
        parse_quote! {
            enum Json {
                Null,
                Text(String),
                Array(Vec<Self>),
            }
        },
        expect![[r#"
            const _: () = {
                use ::memprof::__private as __memprof;
                #[automatically_derived]
                #[allow(deprecated, non_camel_case_types, non_upper_case_globals)]
                impl __memprof::MemoryProfile for Json {
                    fn is_flat() -> __memprof::bool {
                        false
                    }
                    fn shape() -> &'static __memprof::Shape {
                        const {
                            &__memprof::Shape::lump::<
                                Self,
                            >(const {
                                &[__memprof::Field::frame("Text"), __memprof::Field::frame("Array")]
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
                            Self::Text { 0: field0, .. } => {
                                let fields = walk
                                    .fields_of_recursive(
                                        at,
                                        <Self as __memprof::MemoryProfile>::shape(),
                                    );
                                <String as __memprof::MemoryProfile>::owned(
                                    field0,
                                    walk,
                                    fields.at(0u32),
                                );
                            }
                            Self::Array { 0: field0, .. } => {
                                let fields = walk
                                    .fields_of_recursive(
                                        at,
                                        <Self as __memprof::MemoryProfile>::shape(),
                                    );
                                <Vec<
                                    Self,
                                > as __memprof::MemoryProfile>::owned(field0, walk, fields.at(1u32));
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
                        let fields = walk
                            .fields_of_recursive(at, <Self as __memprof::MemoryProfile>::shape());
                        for value in values {
                            match value {
                                Self::Text { 0: field0, .. } => {
                                    <String as __memprof::MemoryProfile>::owned(
                                        field0,
                                        walk,
                                        fields.at(0u32),
                                    );
                                }
                                Self::Array { 0: field0, .. } => {
                                    <Vec<
                                        Self,
                                    > as __memprof::MemoryProfile>::owned(
                                        field0,
                                        walk,
                                        fields.at(1u32),
                                    );
                                }
                                _ => {}
                            }
                        }
                    }
                }
            };
        "#]],
    );
}

#[test]
fn bounds_are_of_parameters_and_projections() {
    check(
        parse_quote! {
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
        },
        expect![[r#"
            const _: () = {
                use ::memprof::__private as __memprof;
                #[automatically_derived]
                #[allow(deprecated, non_camel_case_types, non_upper_case_globals)]
                impl<'a, T, U: Iterator, V, const N: usize> __memprof::MemoryProfile
                for Generic<'a, T, U, V, N>
                where
                    T: Clone,
                    T: __memprof::MemoryProfile,
                    U::Item: __memprof::MemoryProfile,
                    <Vec<T> as IntoIterator>::Item: __memprof::MemoryProfile,
                {
                    fn is_flat() -> __memprof::bool {
                        <[Vec<T>; N] as __memprof::MemoryProfile>::is_flat()
                            && <Option<U::Item> as __memprof::MemoryProfile>::is_flat()
                            && <<Vec<
                                T,
                            > as IntoIterator>::Item as __memprof::MemoryProfile>::is_flat()
                    }
                    fn shape() -> &'static __memprof::Shape {
                        const {
                            &__memprof::Shape::of::<
                                Self,
                            >(const {
                                &[
                                    __memprof::field::<
                                        [Vec<T>; N],
                                    >("values", <[Vec<T>; N] as __memprof::MemoryProfile>::inline),
                                    __memprof::field::<
                                        Option<U::Item>,
                                    >(
                                        "items",
                                        <Option<U::Item> as __memprof::MemoryProfile>::inline,
                                    ),
                                    __memprof::field::<
                                        <Vec<T> as IntoIterator>::Item,
                                    >(
                                        "more",
                                        <<Vec<
                                            T,
                                        > as IntoIterator>::Item as __memprof::MemoryProfile>::inline,
                                    ),
                                    __memprof::scalar::<PhantomData<V>>("phantom"),
                                    __memprof::scalar::<&'a V>("borrowed"),
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
                        <[Vec<
                            T,
                        >; N] as __memprof::MemoryProfile>::owned(
                            &value.values,
                            walk,
                            fields.at(0u32),
                        );
                        <Option<
                            U::Item,
                        > as __memprof::MemoryProfile>::owned(&value.items, walk, fields.at(1u32));
                        <<Vec<
                            T,
                        > as IntoIterator>::Item as __memprof::MemoryProfile>::owned(
                            &value.more,
                            walk,
                            fields.at(2u32),
                        );
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
                        for value in values {
                            <[Vec<
                                T,
                            >; N] as __memprof::MemoryProfile>::tally(
                                &value.values,
                                &mut tally0,
                                walk,
                                fields.at(0u32),
                            );
                            <Option<
                                U::Item,
                            > as __memprof::MemoryProfile>::owned(
                                &value.items,
                                walk,
                                fields.at(1u32),
                            );
                            <<Vec<
                                T,
                            > as IntoIterator>::Item as __memprof::MemoryProfile>::owned(
                                &value.more,
                                walk,
                                fields.at(2u32),
                            );
                        }
                        <[Vec<
                            T,
                        >; N] as __memprof::MemoryProfile>::settle(tally0, walk, fields.at(0u32));
                    }
                    fn pointee<'__memprof>(
                        &'__memprof self,
                        walk: &mut __memprof::Walk<'__memprof>,
                        at: __memprof::Position,
                    ) {
                        <Self as __memprof::MemoryProfile>::inline(walk, at, 1);
                        <Self as __memprof::MemoryProfile>::owned(self, walk, at);
                    }
                }
            };
        "#]],
    );
}

#[test]
fn mistakes_give_an_error_and_a_stub() {
    check(
        parse_quote! {
            #[profile(crate = renamed)]
            struct Wrong<T>(#[profile(skip, leaf)] T, #[profile(skip, leaf)] T);
        },
        expect![[r#"
            ::core::compile_error! {
                "`leaf` cannot be combined with `skip`, as a skipped field is not visited: remove one of them"
            }
            ::core::compile_error! {
                "`leaf` cannot be combined with `skip`, as a skipped field is not visited: remove one of them"
            }
            const _: () = {
                use renamed::__private as __memprof;
                #[automatically_derived]
                impl<T> __memprof::MemoryProfile for Wrong<T> {
                    fn owned<'__memprof>(
                        &'__memprof self,
                        _: &mut __memprof::Walk<'__memprof>,
                        _: __memprof::Position,
                    ) {}
                }
            };
        "#]],
    );
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
    let expansion = crate::derive(&item).to_string();
    assert!(expansion.contains("use renamed :: memprof :: __private as __memprof"));
    assert_eq!(expansion.matches(" memprof ").count(), 1);
    assert!(!expansion.contains("unsafe"));
}
