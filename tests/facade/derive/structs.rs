//! Structs: named, tuple, unit, newtype.

use super::check;
use expect_test::expect;
use memprof::report::Statistics;
use memprof::tree::OpaqueReason;
use memprof::walk::{Position, Walk};
use memprof::{MemoryProfile, Profile, total_bytes};
use std::collections::BTreeMap;

#[test]
fn named_fields_become_frames() {
    #[derive(MemoryProfile)]
    struct Sensor {
        id: u64,
        name: String,
        samples: Vec<f32>,
    }
    let sensor = Sensor { id: 7, name: String::from("north"), samples: vec![0.0; 100] };
    let _ = sensor.id;
    check(
        &sensor,
        &expect![[r#"
        Sensor;id 8
        Sensor;name 29
        Sensor;samples 424
    "#]],
    );
}

#[test]
fn fields_of_a_tuple_struct_are_numbered() {
    #[derive(MemoryProfile)]
    struct Pair(Vec<u8>, String);
    check(
        &Pair(vec![1; 10], String::from("abc")),
        &expect![[r#"
        Pair;0 34
        Pair;1 27
    "#]],
    );
}

#[test]
fn padding_is_a_leaf_of_its_own() {
    #[derive(MemoryProfile)]
    struct Padded {
        flag: bool,
        word: u64,
    }
    let padded = Padded { flag: true, word: 1 };
    let _ = (padded.flag, padded.word);
    check(
        &padded,
        &expect![[r#"
        Padded 7
        Padded;flag 1
        Padded;word 8
    "#]],
    );
}

#[test]
fn a_unit_struct_weighs_nothing() {
    #[derive(MemoryProfile)]
    struct Unit;
    #[derive(MemoryProfile)]
    struct Empty {}
    #[derive(MemoryProfile)]
    struct EmptyTuple();
    assert_eq!(total_bytes(&(Unit, Empty {}, EmptyTuple())), 0);
    assert!(Unit::is_flat() && Empty::is_flat() && EmptyTuple::is_flat());
}

#[test]
fn an_aligned_unit_struct_is_all_padding() {
    #[derive(MemoryProfile)]
    #[repr(align(16))]
    struct Line {
        byte: u8,
    }
    let line = Line { byte: 0 };
    let _ = line.byte;
    check(
        &line,
        &expect![[r#"
        Line 15
        Line;byte 1
    "#]],
    );
}

#[test]
fn a_newtype_is_transparent() {
    #[derive(MemoryProfile)]
    struct Name(String);
    #[derive(MemoryProfile)]
    struct User {
        name: Name,
        age: Age,
    }
    #[derive(MemoryProfile)]
    struct Age(u8);
    let user = User { name: Name(String::from("ada")), age: Age(36) };
    let _ = (&user.name.0, user.age.0);
    assert!(Age::is_flat() && !Name::is_flat());
    check(
        &user,
        &expect![[r#"
        User 7
        User;age 1
        User;name 27
    "#]],
    );
    check(
        &user.name,
        &expect![[r#"
        Name 27
    "#]],
    );
}

#[test]
fn a_newtype_with_an_attribute_is_transparent_too() {
    struct Foreign(Vec<u8>);
    fn visit<'a>(foreign: &'a Foreign, walk: &mut Walk<'a>, at: Position) {
        foreign.0.owned(walk, at);
    }
    #[derive(MemoryProfile)]
    struct With(#[profile(with = visit)] Foreign);
    #[derive(MemoryProfile)]
    struct Skipped(#[profile(skip)] Foreign);
    #[derive(MemoryProfile)]
    struct Auxiliary(#[profile(role = "auxiliary")] Vec<f64>);
    #[derive(MemoryProfile)]
    struct OneLine(#[profile(leaf)] Vec<(u8, String)>);
    #[derive(MemoryProfile)]
    struct Keyed(#[profile(keyed)] BTreeMap<u8, String>);
    #[derive(MemoryProfile)]
    struct Renamed(#[profile(rename = "rows")] Vec<u8>);
    #[derive(MemoryProfile)]
    struct All {
        with: Vec<With>,
        skipped: Skipped,
        auxiliary: Auxiliary,
        one_line: OneLine,
        keyed: Keyed,
        renamed: Renamed,
    }
    let all = All {
        with: vec![With(Foreign(vec![1; 10])), With(Foreign(vec![1; 20]))],
        skipped: Skipped(Foreign(vec![1; 10])),
        auxiliary: Auxiliary(vec![0.5; 4]),
        one_line: OneLine(vec![(1, String::from("x"))]),
        keyed: Keyed(BTreeMap::from([(1, String::from("x"))])),
        renamed: Renamed(vec![1; 10]),
    };
    let _ = all.skipped.0.0.len();
    check(
        &all,
        &expect![[r#"
        All;auxiliary 56
        All;keyed 288
        All;keyed;1 25
        All;one_line 57
        All;renamed;rows 34
        All;skipped 24
        All;with 102
    "#]],
    );
    let profile = Profile::of(&all);
    let role = |field| {
        let child = profile.root().child(field).expect("it is a field");
        Statistics::of(child).auxiliary
    };
    assert_eq!((role("auxiliary"), role("with")), (32, 0), "handles are metadata");
    let skipped = profile.root().child("skipped").expect("it is a field");
    assert_eq!(skipped.opaque().collect::<Vec<_>>(), [(OpaqueReason::Skipped, 1)]);
    assert!(profile.to_string().contains("skipped"), "{profile}");
    // Here a `With` value is the root of the profile, so the frame has the name of the type.
    check(
        &all.with[0],
        &expect![[r#"
        With 34
    "#]],
    );
}

#[test]
fn an_aligned_newtype_shows_its_padding() {
    #[derive(MemoryProfile)]
    #[repr(align(64))]
    struct CacheLine(Vec<u32>);
    check(
        &CacheLine(vec![1, 2, 3]),
        &expect![[r#"
        CacheLine 76
    "#]],
    );
    check(
        &vec![CacheLine(vec![1, 2, 3]), CacheLine(vec![])],
        &expect![[r#"
        Vec 164
    "#]],
    );
}

#[test]
fn raw_identifiers_lose_their_prefix() {
    #[derive(MemoryProfile)]
    struct Token {
        r#type: String,
        r#match: Vec<u8>,
    }
    check(
        &Token { r#type: String::from("x"), r#match: vec![0; 2] },
        &expect![[r#"
        Token;match 26
        Token;type 25
    "#]],
    );
}

#[test]
fn structs_nest() {
    #[derive(MemoryProfile)]
    struct Inner {
        values: Vec<u64>,
        flat: Flat,
    }
    #[derive(MemoryProfile)]
    struct Flat {
        x: f64,
        y: f64,
    }
    #[derive(MemoryProfile)]
    struct Outer {
        inner: Inner,
        all: Vec<Inner>,
        flats: Vec<Flat>,
    }
    let inner = |n| Inner { values: vec![0; n], flat: Flat { x: 0.0, y: 0.0 } };
    let _ = (inner(0).flat.x, inner(0).flat.y);
    assert!(Flat::is_flat() && !Inner::is_flat());
    let flats = vec![Flat { x: 1.0, y: 1.0 }];
    check(
        &Outer { inner: inner(1), all: vec![inner(2), inner(3)], flats },
        &expect![[r#"
        Outer;all 24
        Outer;all;flat;x 16
        Outer;all;flat;y 16
        Outer;all;values 88
        Outer;flats 24
        Outer;flats;x 8
        Outer;flats;y 8
        Outer;inner;flat;x 8
        Outer;inner;flat;y 8
        Outer;inner;values 32
    "#]],
    );
}

#[test]
fn packed_structs_are_not_borrowed() {
    #[derive(MemoryProfile)]
    #[repr(C, packed(1))]
    struct Header {
        kind: u8,
        length: u32,
        #[profile(skip)]
        address: core::net::Ipv4Addr,
    }
    #[derive(MemoryProfile)]
    #[repr(Rust, packed)]
    struct Word(u64);
    let header = Header { kind: 1, length: 2, address: core::net::Ipv4Addr::LOCALHOST };
    let _ = (header.kind, { header.length }, { header.address }, { Word(3).0 });
    check(
        &header,
        &expect![[r#"
        Header;address 4
        Header;kind 1
        Header;length 4
    "#]],
    );
    assert_eq!(total_bytes(&Word(3)), 8);
}

#[test]
fn two_types_of_one_name_keep_their_own_paths() {
    let first = {
        #[derive(MemoryProfile)]
        struct Same {
            x: String,
            y: u64,
        }
        let same = Same { x: String::from("11 byte str"), y: 1 };
        let _ = same.y;
        Box::new(same) as Box<dyn MemoryProfile>
    };
    let second = {
        #[derive(MemoryProfile)]
        struct Same {
            x: u64,
            y: String,
        }
        let same = Same { x: 1, y: String::from("11 byte str") };
        let _ = same.x;
        Box::new(same) as Box<dyn MemoryProfile>
    };
    let profile = Profile::of(&[first, second]);
    assert_eq!(profile.bytes_at("Same;x"), Some(24 + 11 + 8));
    assert_eq!(profile.bytes_at("Same;y"), Some(8 + 24 + 11));
}

#[test]
fn pointers_and_functions_of_any_signature_need_no_impl() {
    struct NoImpl;
    #[expect(clippy::type_complexity, reason = "of signatures that no impl covers")]
    #[derive(MemoryProfile)]
    struct Callbacks<'a> {
        two: fn(&u8, &u8) -> bool,
        system: extern "system" fn(u8),
        named: for<'b> fn(&'b NoImpl, &'a NoImpl) -> &'b NoImpl,
        variadic: Option<unsafe extern "C" fn(*const u8, ...)>,
        raw: *const (dyn Fn(NoImpl) + 'a),
        pair: (u8, fn(&mut u8, String)),
        all: [Option<fn(NoImpl) -> NoImpl>; 2],
    }
    #[derive(MemoryProfile)]
    struct Callback(fn(&u8, &u8) -> bool);
    #[derive(MemoryProfile)]
    enum Choice {
        Function(fn(&u8, &mut u8) -> bool),
        Text(String),
    }
    impl Choice {
        fn call(&self) -> bool {
            matches!(self, Self::Function(function) if function(&1, &mut 2))
        }
    }
    extern "system" fn system(_: u8) {}
    let object: &dyn Fn(NoImpl) = &|_| ();
    let callbacks = Callbacks {
        two: |a, b| a == b,
        system,
        named: |value, _| value,
        variadic: None,
        raw: object,
        pair: (1, |_, _| ()),
        all: [None; 2],
    };
    let _ = (callbacks.two, callbacks.system, callbacks.named, callbacks.variadic, callbacks.raw);
    let _ = (callbacks.pair, callbacks.all);
    check(
        &callbacks,
        &expect![[r#"
        Callbacks;all 16
        Callbacks;named 8
        Callbacks;pair 16
        Callbacks;raw 16
        Callbacks;system 8
        Callbacks;two 8
        Callbacks;variadic 8
    "#]],
    );
    assert!(Callbacks::is_flat() && Callback::is_flat());
    let callbacks = [Callback(|a, b| a < b), Callback(|a, b| a > b)];
    assert!((callbacks[0].0)(&1, &2));
    check(
        &callbacks,
        &expect![[r#"
        array 16
    "#]],
    );
    let choices = [Choice::Function(|_, _| true), Choice::Text("ab".into())];
    assert!(choices[0].call());
    assert_eq!(total_bytes(&choices), size_of_val(&choices) as u64 + 2);
}
