//! The README shows exactly what its examples print.

use memprof::{MemoryProfile, Profile};
use std::collections::HashMap;

const README: &str = include_str!("../../README.md");

#[derive(MemoryProfile)]
struct Model {
    variables: Vec<Variable>,
    weights: Vec<f64>,
    index: HashMap<String, u32>,
}

#[derive(MemoryProfile)]
#[expect(dead_code, reason = "only the tree shows the bounds")]
struct Variable {
    name: String,
    bounds: (f64, f64),
}

fn assert_shown(output: &str) {
    let output = output.trim_end();
    assert!(README.contains(&format!("```text\n{output}\n```")), "README.md lacks\n{output}");
}

#[test]
fn the_readme_shows_the_tree_of_its_model() {
    let variables: Vec<Variable> =
        (0..1000).map(|i| Variable { name: format!("x{i}"), bounds: (0.0, 1.0) }).collect();
    let index = (0..).zip(&variables).map(|(i, v)| (v.name.clone(), i)).collect();
    let model = Model { variables, weights: Vec::with_capacity(4096), index };
    assert_shown(&Profile::of(&model).to_string());
}

#[test]
fn the_readme_shows_the_report_of_its_weights() {
    let weights = vec![0.0_f64; 4096];
    let profile = Profile::of(&weights);
    assert_shown(&profile.report().to_string());
}
