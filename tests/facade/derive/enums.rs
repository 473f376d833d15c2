//! Enums: an enum's own bytes are one leaf, and the memory of its fields is in branches named after
//! the variants.

use super::check;
use expect_test::expect;
use memprof::{MemoryProfile, Profile, total_bytes};

#[derive(MemoryProfile)]
enum Shape {
    Point,
    Circle { radius: f64 },
    Polygon { corners: Vec<(f64, f64)>, name: String, closed: bool },
    Text(String),
    Pair(Vec<u8>, u32, Vec<u16>),
}

fn shapes() -> Vec<Shape> {
    vec![
        Shape::Point,
        Shape::Circle { radius: 1.0 },
        Shape::Polygon { corners: vec![(0.0, 0.0); 3], name: String::from("roof"), closed: true },
        Shape::Text(String::from("hello")),
        Shape::Pair(vec![1], 2, vec![3, 4]),
        Shape::Text(String::from("you")),
    ]
}

#[test]
fn the_active_variant_hangs_below_the_enum() {
    for shape in shapes() {
        if let Shape::Circle { radius } = shape {
            assert!(radius > 0.0);
        } else if let Shape::Polygon { closed, .. } = shape {
            assert!(closed);
        } else if let Shape::Pair(_, number, _) = shape {
            assert!(number > 0);
        }
    }
    check(
        &shapes()[2],
        &expect![[r#"
        Shape 56
        Shape;Polygon;corners;0 24
        Shape;Polygon;corners;1 24
        Shape;Polygon;name 4
    "#]],
    );
    check(
        &shapes(),
        &expect![[r#"
        Vec 360
        Vec;Pair;0 1
        Vec;Pair;2 4
        Vec;Polygon;corners;0 24
        Vec;Polygon;corners;1 24
        Vec;Polygon;name 4
        Vec;Text 8
    "#]],
    );
}

#[test]
fn a_fieldless_enum_is_flat() {
    #[derive(MemoryProfile)]
    enum Color {
        Red,
        Green = 5,
    }
    assert!(Color::is_flat());
    assert_eq!(total_bytes(&[Color::Red, Color::Green]), 2);
}

#[test]
fn an_empty_enum_is_flat() {
    #[derive(MemoryProfile)]
    enum Never {}
    assert!(Never::is_flat());
    let none: Vec<Never> = Vec::new();
    assert_eq!(total_bytes(&none), 24);
}

#[test]
fn an_enum_of_flat_fields_is_flat() {
    #[derive(MemoryProfile)]
    enum Number {
        Integer(i64),
        Float { value: f64, exact: bool },
    }
    let numbers = [Number::Integer(1), Number::Float { value: 0.5, exact: true }];
    for number in &numbers {
        match number {
            Number::Integer(number) => assert!(*number > 0),
            Number::Float { value, exact } => assert!(*value > 0.0 && *exact),
        }
    }
    assert!(Number::is_flat());
    check(
        &numbers,
        &expect![[r#"
            array 32
        "#]],
    );
}

#[test]
fn an_enum_without_flat_variants_needs_no_other_arm() {
    #[derive(MemoryProfile)]
    enum Either {
        Left(Vec<u8>),
        Right { text: String },
    }
    check(
        &[Either::Left(vec![0; 3]), Either::Right { text: String::from("x") }],
        &expect![[r#"
            array 64
            array;Left 3
            array;Right;text 1
        "#]],
    );
}

#[test]
fn variants_take_names_and_roles() {
    #[derive(MemoryProfile)]
    enum Cell {
        #[profile(rename = "int", role = "metadata")]
        Integers(Vec<i64>),
        Text(#[profile(rename = "utf8")] String),
        #[profile(role = "auxiliary")]
        Cache {
            #[profile(leaf)]
            rows: Vec<Vec<u8>>,
            #[profile(role = "data")]
            hits: Vec<u8>,
        },
        Lines(#[profile(leaf)] Vec<String>),
    }
    let cells = [
        Cell::Integers(vec![1]),
        Cell::Text(String::from("a")),
        Cell::Cache { rows: vec![vec![1; 5]], hits: vec![1; 3] },
        Cell::Lines(vec![String::from("abc")]),
    ];
    check(
        &cells,
        &expect![[r#"
            array 192
            array;Cache;hits 3
            array;Cache;rows 29
            array;Lines 27
            array;Text;utf8 1
            array;int 8
        "#]],
    );
}

#[test]
fn a_skipped_field_of_a_variant_is_marked_if_it_can_own() {
    #[derive(MemoryProfile)]
    enum Plain {
        Only(#[profile(skip)] (u8, u16)),
    }
    #[derive(MemoryProfile)]
    enum Job {
        Idle(#[profile(skip)] u64),
        Run {
            #[profile(skip)]
            hidden: Vec<u8>,
            name: String,
        },
    }
    let _ = |job: Job| match job {
        Job::Idle(number) => number,
        Job::Run { hidden, .. } => u64::from(hidden[0]),
    };
    assert!(!Job::is_flat());
    assert!(Profile::of(&Job::Idle(1)).is_exact());
    let run = Job::Run { hidden: vec![0; 9], name: String::from("r") };
    assert!(!Profile::of(&run).is_exact());
    check(
        &run,
        &expect![[r#"
        Job 48
        Job;Run;name 1
    "#]],
    );
    let plain = Plain::Only((1, 2));
    let Plain::Only(pair) = &plain;
    assert_eq!(pair.0, 1);
    assert!(Plain::is_flat() && Profile::of(&plain).is_exact());
}
