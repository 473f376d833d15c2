//! Trait objects: their values are below the frame of the concrete type.

use super::check;
use expect_test::expect;
use memprof::{MemoryProfile, Profile, total_bytes};
use std::cell::RefCell;
use std::error::Error;
use std::rc::Rc;
use std::sync::Arc;

trait Shape: MemoryProfile {}

#[derive(MemoryProfile)]
struct Circle {
    points: Vec<f64>,
}

#[derive(MemoryProfile)]
#[profile(rename = "Square")]
struct SquareV2 {
    points: Vec<u8>,
}

#[derive(MemoryProfile)]
struct Group {
    shapes: Vec<Box<dyn Shape>>,
    other: Option<Rc<dyn Shape + 'static>>,
}

/// A type without a frame of its own for its field.
#[derive(MemoryProfile)]
struct Layer(Vec<Box<dyn Shape>>);

#[derive(MemoryProfile)]
struct Generic<T>(T);

impl Shape for Circle {}
impl Shape for SquareV2 {}
impl Shape for Group {}
impl Shape for Layer {}
impl<T: MemoryProfile> Shape for Generic<T> {}

fn circle(len: usize) -> Box<dyn Shape> {
    Box::new(Circle { points: vec![0.0; len] })
}

fn square(len: usize) -> Box<dyn Shape> {
    Box::new(SquareV2 { points: vec![0; len] })
}

#[test]
fn each_concrete_type_has_a_frame() {
    #[derive(MemoryProfile)]
    struct Scene {
        shapes: Vec<Box<dyn Shape>>,
        shared: Arc<dyn Shape>,
        cell: Rc<RefCell<dyn Shape>>,
    }
    let scene = Scene {
        shapes: vec![circle(1), square(2), circle(2), Box::new(Generic(vec![1_u8]))],
        shared: Arc::new(SquareV2 { points: vec![1; 3] }),
        cell: Rc::new(RefCell::new(Circle { points: vec![1.0] })),
    };
    check(
        &scene,
        &expect![[r#"
        Scene;cell 40
        Scene;cell;Circle;points 32
        Scene;shapes 88
        Scene;shapes;Circle;points 72
        Scene;shapes;Generic 25
        Scene;shapes;Square;points 26
        Scene;shared 32
        Scene;shared;Square;points 27
    "#]],
    );
}

#[test]
fn types_that_contain_themselves_fold() {
    let group = |shapes, other| Group { shapes, other };
    let inner = group(vec![circle(1), square(1)], None);
    let outer = group(vec![Box::new(inner), circle(1)], Some(Rc::new(group(vec![], None))));
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(outer)];
    check(
        &shapes,
        &expect![[r#"
        Vec 40
        Vec;Group;other 64
        Vec;Group;shapes 136
        Vec;Group;shapes;Circle;points 64
        Vec;Group;shapes;Square;points 25
    "#]],
    );
    let mut layers: Box<dyn Shape> = Box::new(Layer(vec![]));
    for _ in 0..100 {
        layers = Box::new(Layer(vec![layers, circle(1)]));
    }
    let layers = vec![layers];
    check(
        &layers,
        &expect![[r#"
        Vec 40
        Vec;Layer 5624
        Vec;Layer;Circle;points 3200
    "#]],
    );
}

#[test]
fn a_root_is_its_concrete_type() {
    let root = circle(1);
    let expected = expect![[r#"
        Circle 16
        Circle;points 32
    "#]];
    check(&root, &expected);
    let group: Box<dyn Shape> = Box::new(Group { shapes: vec![circle(1)], other: None });
    let profile = Profile::of(&group);
    assert_eq!(profile.bytes_at("shapes;Circle;points"), Some(32), "{profile}");
    assert!(profile.root().child("Group").is_none(), "{profile}");
}

#[test]
fn an_object_that_does_not_know_its_type_has_no_frame() {
    let error: Box<dyn Error> = "message".into();
    let texts: Vec<Box<str>> = vec![Box::from("abc")];
    let values = (vec![error], texts);
    let profile = Profile::of(&values);
    let names: Vec<&str> = profile.root().subtree().map(memprof::tree::Branch::name).collect();
    assert_eq!(names, ["tuple", "0", "1"]);
}

#[test]
fn objects_below_the_entries_of_a_keyed_map_have_frames() {
    #[derive(MemoryProfile)]
    struct Scenes {
        #[profile(keyed)]
        scenes: std::collections::BTreeMap<u8, Box<dyn Shape>>,
    }
    let scenes = Scenes { scenes: [(1, circle(1)), (2, square(1))].into() };
    let profile = Profile::of(&scenes);
    assert_eq!(profile.bytes_at("scenes;1;Circle;points"), Some(32), "{profile}");
    assert_eq!(profile.bytes_at("scenes;2;Square;points"), Some(25), "{profile}");
}

#[test]
fn a_keyed_map_in_an_object_names_its_entries() {
    #[derive(MemoryProfile)]
    struct Named {
        #[profile(keyed)]
        values: std::collections::BTreeMap<u8, Vec<u8>>,
    }
    impl Shape for Named {}
    let named: Box<dyn Shape> = Box::new(Named { values: [(7, vec![1])].into() });
    let profile = Profile::of(&vec![named]);
    assert_eq!(profile.bytes_at("Named;values;7"), Some(25), "{profile}");
}

#[test]
fn a_total_does_not_depend_on_the_frames() {
    let shapes = vec![circle(1), square(2)];
    assert_eq!(total_bytes(&shapes), Profile::of(&shapes).total_bytes());
}
