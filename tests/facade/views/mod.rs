//! The views of a derived model, as a user of the crate sees them.

#![expect(dead_code, reason = "some fields are only measured")]

use expect_test::{expect, expect_file};
use memprof::tree::{Path, Visitor};
use memprof::{MemoryProfile, Profile};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A model without locks and hash tables, so that all sizes are equal on all 64-bit systems.
#[derive(MemoryProfile)]
struct Model {
    variables: BTreeMap<u64, Variable>,
    matrix: CsrMatrix,
    #[profile(leaf)]
    names: BTreeMap<String, u32>,
    #[profile(skip)]
    scratch: Vec<u8>,
    #[profile(role = "metadata")]
    units: Vec<Arc<Unit>>,
    cache: RefCell<Vec<f64>>,
}

#[derive(MemoryProfile)]
struct Variable {
    name: String,
    lower: f64,
    upper: f64,
    integer: bool,
}

#[derive(MemoryProfile)]
struct CsrMatrix {
    values: Vec<f64>,
    col_idx: Vec<u32>,
    row_ptr: Vec<u32>,
}

#[derive(MemoryProfile)]
struct Unit {
    symbol: String,
    factor: f64,
}

fn variable(index: u64) -> (u64, Variable) {
    let name = format!("production_{index:05}");
    (index, Variable { name, lower: 0.0, upper: f64::MAX, integer: false })
}

fn model() -> Model {
    let mut row_ptr = Vec::with_capacity(4096);
    row_ptr.extend(0..=3000);
    let unit = Arc::new(Unit { symbol: String::from("kWh"), factor: 3.6e6 });
    Model {
        variables: (0..1000).map(variable).collect(),
        matrix: CsrMatrix { values: vec![0.0; 8000], col_idx: vec![0; 8000], row_ptr },
        names: (0..100).map(|index| (format!("row_{index:03}"), index)).collect(),
        scratch: vec![0; 512],
        units: vec![unit; 1000],
        cache: RefCell::new(vec![0.0; 64]),
    }
}

#[test]
fn a_derived_model_is_drawn_with_its_own_names() {
    let model = model();
    let _held = model.cache.borrow_mut();
    let profile = Profile::of(&model);
    expect_file!["../../data/tree/derived.txt"].assert_eq(&format!("{profile}\n"));
    expect_file!["../../data/folded/derived.txt"].assert_eq(&profile.to_folded());
    assert!(!profile.is_exact(), "something is skipped, something borrowed");
}

#[test]
fn the_largest_paths_of_a_derived_model_are_fields() {
    let model = model();
    expect![[r#"
          62.5 KiB  31.1 %  Model;matrix;values
          44.9 KiB  22.3 %  Model;variables;name
          31.3 KiB  15.5 %  Model;matrix;col_idx
        ≥ 62.6 KiB  31.1 %  …11 more"#]]
    .assert_eq(&Profile::of(&model).top(3).to_string());
}

/// Adds up the bytes of each kind.
#[derive(Default)]
struct Kinds(BTreeMap<String, u64>);

impl Visitor for Kinds {
    fn leaf(&mut self, path: &Path<'_>, bytes: u64) {
        *self.0.entry(path.name().to_owned()).or_default() += bytes;
    }
}

#[test]
fn a_custom_visitor_sees_every_byte() {
    let profile = Profile::of(&model());
    let mut kinds = Kinds::default();
    profile.visit(&mut kinds);
    assert_eq!(kinds.0.values().sum::<u64>(), profile.total_bytes());
    assert_eq!(kinds.0["[skipped]"], 24);
    assert!(kinds.0.contains_key("[nodes]"), "{kinds:?}", kinds = kinds.0);
}

#[test]
fn a_derived_model_round_trips_through_json() {
    let profile = Profile::of(&model());
    let json = profile.to_json().expect("names nest a few levels");
    assert_eq!(Profile::from_json(&json).expect("it was just written"), profile);
}
