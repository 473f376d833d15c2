//! Field and container attributes.

use super::check;
use expect_test::expect;
use memprof::tree::Role;
use memprof::walk::{Position, Walk};
use memprof::{MemoryProfile, Profile, total_bytes};
use std::collections::BTreeMap;

struct NoImpl(Vec<u8>);

#[test]
fn a_skipped_field_needs_no_impl_and_is_marked() {
    #[derive(MemoryProfile)]
    struct Engine {
        name: String,
        #[profile(skip)]
        scratch: NoImpl,
        #[profile(skip)]
        number: u64,
    }
    let engine = Engine { name: String::from("e"), scratch: NoImpl(vec![1; 99]), number: 1 };
    let _ = (&engine.scratch.0, engine.number);
    check(
        &engine,
        &expect![[r#"
        Engine;name 25
        Engine;number 8
        Engine;scratch 24
    "#]],
    );
    assert!(!Profile::of(&engine).is_exact());
}

#[test]
fn a_skipped_field_that_owns_nothing_leaves_the_profile_exact() {
    #[derive(MemoryProfile)]
    struct Counter {
        #[profile(skip)]
        count: core::sync::atomic::AtomicU32,
    }
    let counter = Counter { count: 1.into() };
    let _ = &counter.count;
    assert!(Counter::is_flat());
    assert!(Profile::of(&counter).is_exact());
}

#[test]
fn a_leaf_is_added_up() {
    #[derive(MemoryProfile)]
    struct Index {
        #[profile(leaf)]
        names: BTreeMap<String, Vec<u8>>,
    }
    let names = BTreeMap::from([(String::from("a"), vec![1; 10])]);
    check(
        &Index { names },
        &expect![[r#"
        Index;names 579
    "#]],
    );
}

#[test]
fn names_can_be_given() {
    #[derive(MemoryProfile)]
    #[profile(rename = "Renamed")]
    struct Original {
        #[profile(rename = "the text")]
        text: String,
    }
    #[derive(MemoryProfile)]
    struct Wrapper(#[profile(rename = "inner")] Original);
    let original = || Original { text: String::from("t") };
    check(
        &original(),
        &expect![[r#"
        Renamed;the_text 25
    "#]],
    );
    check(
        &Wrapper(original()),
        &expect![[r#"
        Wrapper;inner;the_text 25
    "#]],
    );
}

#[test]
fn roles_are_inherited() {
    #[derive(MemoryProfile)]
    struct Array {
        values: Vec<f64>,
        #[profile(role = "metadata")]
        unit: Unit,
        #[profile(role = "auxiliary", leaf)]
        errors: Option<Vec<f64>>,
    }
    #[derive(MemoryProfile)]
    struct Unit {
        name: String,
        #[profile(role = "data")]
        factor: Vec<f64>,
    }
    let unit = Unit { name: String::from("kg"), factor: vec![1.0] };
    let array = Array { values: vec![1.0], unit, errors: Some(vec![0.1]) };
    let profile = Profile::of(&array);
    let roles: Vec<(String, Role)> =
        profile.leaves().map(|(path, leaf)| (path.to_string(), leaf.role())).collect();
    let expected = [
        ("Array;errors;[data]", Role::Auxiliary),
        ("Array;unit;factor;[inline]", Role::Data),
        ("Array;unit;factor;[data]", Role::Data),
        ("Array;unit;name;[inline]", Role::Metadata),
        ("Array;unit;name;[data]", Role::Metadata),
        ("Array;values;[inline]", Role::Data),
        ("Array;values;[data]", Role::Data),
    ];
    assert_eq!(roles, expected.map(|(path, role)| (path.to_owned(), role)));
}

#[test]
fn the_derive_takes_all_roles() {
    #[derive(MemoryProfile)]
    struct Each {
        #[profile(role = "data", leaf)]
        a: Box<u8>,
        #[profile(role = "metadata", leaf)]
        b: Box<u8>,
        #[profile(role = "auxiliary", leaf)]
        c: Box<u8>,
    }
    let profile = Profile::of(&Each { a: Box::new(1), b: Box::new(2), c: Box::new(3) });
    let roles: Vec<Role> = profile.leaves().map(|(_, leaf)| leaf.role()).collect();
    assert_eq!(roles, Role::ALL);
}

#[test]
fn a_function_can_replace_the_trait() {
    fn profile_bytes<'a>(hidden: &'a NoImpl, walk: &mut Walk<'a>, at: Position) {
        hidden.0.owned(walk, at);
    }
    fn profile_slice<'a>(bytes: &'a [u8], walk: &mut Walk<'a>, at: Position) {
        walk.allocation(at, bytes.len(), bytes.len());
    }
    #[derive(MemoryProfile)]
    struct Holder {
        #[profile(with = profile_bytes)]
        hidden: NoImpl,
        #[profile(with = profile_slice, rename = "bytes", leaf)]
        slice: Box<[u8]>,
    }
    let holder = Holder { hidden: NoImpl(vec![1; 7]), slice: Box::new([1; 5]) };
    assert!(!Holder::is_flat());
    check(
        &holder,
        &expect![[r#"
        Holder;bytes 21
        Holder;hidden 31
    "#]],
    );
}

#[test]
fn words_may_be_in_one_list_or_in_several() {
    #[derive(MemoryProfile)]
    struct Both {
        #[profile(leaf, rename = "one", role = "metadata")]
        first: Vec<u8>,
        #[profile(leaf)]
        #[profile(rename = "two")]
        #[profile(role = "metadata")]
        second: Vec<u8>,
    }
    assert_eq!(total_bytes(&Both { first: vec![1], second: vec![2] }), 50);
}

#[test]
fn a_type_may_have_the_name_of_a_scalar_if_it_is_copy() {
    #[expect(non_camel_case_types, reason = "the point of the test")]
    #[derive(Clone, Copy)]
    struct u8([u16; 4]);
    impl MemoryProfile for u8 {
        fn owned<'a>(&'a self, _: &mut Walk<'a>, _: Position) {}
    }
    #[derive(MemoryProfile)]
    struct Odd {
        byte: u8,
    }
    let odd = Odd { byte: u8([0; 4]) };
    let _ = odd.byte.0;
    assert_eq!(total_bytes(&odd), 8);
}
