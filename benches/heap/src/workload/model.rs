//! `model`: an optimisation model with names and indices is built and dropped.

use super::Work;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasherDefault;
use std::hint::black_box;

/// The number of variables. There is one constraint for every four variables.
const VARIABLES: usize = 1000;

/// A hasher without random keys, so that every run takes the same steps.
type Steady = BuildHasherDefault<DefaultHasher>;

struct Model {
    _variables: Vec<Variable>,
    _by_name: HashMap<String, usize, Steady>,
    _by_group: BTreeMap<u64, Vec<usize>>,
    _constraints: Vec<Vec<(usize, f64)>>,
}

struct Variable {
    name: String,
    _bounds: Option<Box<(f64, f64)>>,
}

pub(super) fn prepare() -> Work {
    Box::new(|times| {
        for _ in 0..times {
            drop(black_box(build(black_box(VARIABLES))));
        }
    })
}

fn build(size: usize) -> Model {
    let variables: Vec<_> = (0..size).map(variable).collect();
    let by_name =
        variables.iter().enumerate().map(|(index, one)| (one.name.clone(), index)).collect();
    let mut by_group = BTreeMap::<u64, Vec<usize>>::new();
    for index in 0..size {
        by_group.entry(index as u64 * 7919 % 251).or_default().push(index);
    }
    let constraints = (0..size / 4).map(|row| constraint(row, size)).collect();
    Model {
        _variables: variables,
        _by_name: by_name,
        _by_group: by_group,
        _constraints: constraints,
    }
}

fn variable(index: usize) -> Variable {
    let name = format!("flow[{},{}]", index % 37, index);
    Variable { name, _bounds: index.is_multiple_of(3).then(|| Box::new((0.0, 1.0))) }
}

/// Returns a vector that grows term by term, because programs build models in this way.
fn constraint(row: usize, size: usize) -> Vec<(usize, f64)> {
    let mut terms = Vec::new();
    for term in 0..2 + row % 9 {
        terms.push(((row + term * 31) % size, 1.0));
    }
    terms
}
