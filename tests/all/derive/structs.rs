//! Structs: named, tuple, unit, newtype.

use super::check;
use expect_test::expect;
use memprof::{MemoryProfile, total_bytes};

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
fn raw_identifiers_lose_their_mark() {
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
