//! Derived code in a module with nothing in scope and with strict lints.

#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, clippy::pedantic)]
#![deny(
    absolute_paths_not_starting_with_crate,
    deprecated_in_future,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    missing_docs,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unreachable_pub,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    clippy::arithmetic_side_effects,
    clippy::exhaustive_structs,
    clippy::missing_inline_in_public_items,
    clippy::missing_trait_methods,
    clippy::pattern_type_mismatch,
    clippy::single_char_lifetime_names,
    clippy::str_to_string,
    clippy::wildcard_enum_match_arm
)]
#![expect(missing_docs, reason = "of tests")]

use ::memprof::{MemoryProfile, track};

// Names that the expansion must not confuse with the usual ones.
mod core {}
mod std {}
mod memprof {}
#[expect(dead_code, non_camel_case_types, reason = "only collides with names in the expansion")]
struct bool;
#[expect(dead_code, non_camel_case_types, reason = "only collides with names in the expansion")]
struct str;
#[expect(dead_code, non_camel_case_types, reason = "only collides with names in the expansion")]
struct usize;
#[expect(dead_code, reason = "only collides with names in the expansion")]
const WALK: u8 = 0;

type Text = ::std::string::String;
type List<T> = ::std::vec::Vec<T>;

#[derive(MemoryProfile)]
#[expect(clippy::exhaustive_structs, missing_debug_implementations, reason = "of a test")]
pub struct Public<'list, T: 'list> {
    pub walk: List<T>,
    pub at: Text,
    pub values: List<u8>,
    pub value: u32,
    pub fields: List<List<u8>>,
    pub count: u64,
    #[profile(skip)]
    pub skipped: List<u8>,
    #[profile(leaf, role = "metadata", rename = "renamed")]
    pub leaf: List<u8>,
    #[profile(follow)]
    pub followed: &'list List<u8>,
    #[profile(with = profile_list)]
    pub with: List<u8>,
    pub r#type: u8,
}

fn profile_list<'walked>(
    list: &'walked List<u8>,
    walk: &mut ::memprof::walk::Walk<'walked>,
    at: ::memprof::walk::Position,
) {
    list.owned(walk, at);
}

#[derive(MemoryProfile)]
#[deprecated = "on purpose"]
struct Old {
    #[deprecated = "on purpose"]
    text: Text,
}

#[derive(MemoryProfile)]
enum Choice {
    #[deprecated = "on purpose"]
    Text(Text),
    Lists {
        walk: List<u8>,
        #[deprecated = "on purpose"]
        at: List<u8>,
    },
    Skipped(#[profile(skip)] List<u8>),
    Number(u8),
    Nothing,
}

#[derive(MemoryProfile)]
struct Transparent(Text);

#[derive(MemoryProfile)]
#[profile(rename = "Named")]
struct Tail<T: ?::core::marker::Sized> {
    head: Text,
    tail: T,
}

#[derive(MemoryProfile)]
enum Empty {}

#[derive(MemoryProfile)]
struct Unit;

#[track]
#[must_use]
#[inline]
pub fn load<'list>(list: &'list List<u8>, _text: &Text) -> &'list List<u8> {
    list
}

#[track(name = "fetch all")]
async fn fetch(operation: Text) -> ::core::result::Result<Text, ::core::num::ParseIntError> {
    let number = ::core::str::FromStr::from_str(&operation)?;
    let number = Number(number);
    let _text = number.text().await;
    ::core::result::Result::Ok(operation)
}

#[track]
async fn nothing() {
    never().await;
}

#[track]
async fn never() -> ! {
    loop {
        ::core::future::pending::<()>().await;
    }
}

struct Number(u8);

impl Number {
    #[track]
    async fn text(&self) -> impl ::core::fmt::Display + '_ + ::core::marker::Send {
        ::core::future::ready(self.0).await
    }
}

#[test]
fn tracked_functions_compile_without_a_prelude() {
    let list = ::std::vec![1, 2, 3];
    ::std::assert_eq!(load(&list, &Text::new()).len(), 3);
    let mut fetched = ::std::pin::pin!(fetch(::std::borrow::ToOwned::to_owned("12")));
    let mut context = ::core::task::Context::from_waker(::core::task::Waker::noop());
    let polled = ::core::future::Future::poll(fetched.as_mut(), &mut context);
    ::std::assert!(polled.is_ready());
    let mut nothing = ::std::pin::pin!(nothing());
    let polled = ::core::future::Future::poll(nothing.as_mut(), &mut context);
    ::std::assert!(polled.is_pending());
    let _operation = ::memprof::operation!("by hand");
}

#[derive(MemoryProfile)]
#[profile(remote = "Transparent")]
struct TransparentMirror(Text);

#[derive(MemoryProfile)]
#[profile(remote = "Choice")]
#[non_exhaustive]
enum ChoiceMirror {
    Text(Text),
    Lists {
        #[profile(each = u8::owned)]
        walk: List<u8>,
        #[profile(with = profile_list)]
        at: List<u8>,
    },
    Skipped(#[profile(skip)] List<u8>),
    Number(u8),
    Nothing,
}

// Nothing but a name shows whether these have a size.
type Letters = [u8];

#[derive(MemoryProfile)]
struct Named {
    walk: List<u8>,
    at: Letters,
}

#[derive(MemoryProfile)]
struct Alias(Letters);

#[test]
#[should_panic(expected = "static ALLOC: memprof::Allocator")]
fn assertions_compile_without_a_prelude() {
    ::memprof::assert_exact!(Unit);
}

#[test]
fn derived_code_compiles_without_a_prelude() {
    #[derive(MemoryProfile)]
    struct Holder(#[profile(with = TransparentMirror::owned)] Transparent);

    #[derive(MemoryProfile)]
    struct Choices {
        #[profile(each = ChoiceMirror::owned)]
        all: [Choice; 1],
    }

    let text = || ::std::borrow::ToOwned::to_owned("text");
    let list = || ::std::vec![1, 2, 3];
    let public = Public {
        walk: ::std::vec![text()],
        at: text(),
        values: list(),
        value: 1,
        fields: ::std::vec![list()],
        count: 1,
        skipped: list(),
        leaf: list(),
        followed: &list(),
        with: list(),
        r#type: 1,
    };
    let own = ::core::mem::size_of_val(&public) as u64;
    let owned = (24 + 4) + 4 + 3 + (24 + 3) + 3 + (24 + 3) + 3;
    ::std::assert_eq!(::memprof::total_bytes(&public), own + owned);

    #[expect(deprecated, reason = "to make values of it")]
    let old =
        (Old { text: text() }, Choice::Text(text()), Choice::Lists { walk: list(), at: list() });
    ::std::assert_eq!(::memprof::total_bytes(&old.0), 24 + 4);
    let size = ::core::mem::size_of_val(&old.1) as u64;
    ::std::assert_eq!(::memprof::total_bytes(&old.1), size + 4);
    ::std::assert_eq!(::memprof::total_bytes(&old.2), size + 6);
    ::std::assert_eq!(::memprof::total_bytes(&Choice::Skipped(list())), size);
    ::std::assert_eq!(::memprof::total_bytes(&Choice::Number(1)), size);
    ::std::assert_eq!(::memprof::total_bytes(&Choice::Nothing), size);
    ::std::assert_eq!(::memprof::total_bytes(&Tail { head: text(), tail: list() }), 48 + 4 + 3);
    ::std::assert_eq!(::memprof::total_bytes(&Holder(Transparent(text()))), 24 + 4);
    let lists = Choices { all: [Choice::Lists { walk: list(), at: list() }] };
    ::std::assert_eq!(::memprof::total_bytes(&lists), size + 6);
    ::std::assert_eq!(::memprof::total_bytes(&Unit), 0);
    let _ = |named: &Named, alias: &Alias| {
        [::memprof::total_bytes(named), ::memprof::total_bytes(alias)]
    };
    ::std::assert!(<Empty as MemoryProfile>::is_flat());
}
