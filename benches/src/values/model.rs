//! An optimisation model: variables, constraints, the matrix by rows and by columns, and an index.

use crate::{Bar, Large, Subject, Workload, hand, peers, xorshift::Xorshift};
use allocative::Allocative;
use datasize::DataSize;
use deepsize::DeepSizeOf;
use get_size2::GetSize;
use mem_dbg::MemSize;
use memprof::MemoryProfile;
use std::collections::HashMap;

/// A [`Model`] of a million variables.
pub const WORKLOAD: Workload = Workload {
    name: "optimisation model",
    bar: Bar::OverHand(1.1),
    beats_allocative: true,
    size: 1_000_000,
    large: Large::Gibibyte,
    build: |size| Subject::new(|| build(size), exact, peers::all()),
};

/// A linear model.
#[derive(Debug, MemoryProfile, MemSize, GetSize, DeepSizeOf, DataSize, Allocative)]
#[mem_size(rec)]
pub struct Model {
    /// The decisions.
    pub variables: Vec<Variable>,
    /// The conditions.
    pub constraints: Vec<Constraint>,
    /// The coefficients, by constraint.
    pub rows: Matrix,
    /// The coefficients, by variable.
    pub columns: Matrix,
    /// The variables, by name.
    pub index: HashMap<String, u32>,
}

/// A decision variable.
#[derive(Debug, MemoryProfile, MemSize, GetSize, DeepSizeOf, DataSize, Allocative)]
#[mem_size(rec)]
pub struct Variable {
    /// The name of the variable.
    pub name: String,
    /// Smallest value.
    pub lower: f64,
    /// Largest value.
    pub upper: f64,
    /// The allowed values within the bounds.
    pub kind: Kind,
}

/// The domain of a variable.
#[derive(Clone, Copy, Debug, MemoryProfile, MemSize, GetSize, DeepSizeOf, DataSize, Allocative)]
#[mem_size(flat)]
pub enum Kind {
    /// Any real.
    Continuous,
    /// Whole numbers.
    Integer,
    /// 0 or 1.
    Binary,
}

/// A linear constraint.
#[derive(Debug, MemoryProfile, MemSize, GetSize, DeepSizeOf, DataSize, Allocative)]
#[mem_size(rec)]
pub struct Constraint {
    /// The name of the constraint.
    pub name: String,
    /// The left side.
    pub terms: Vec<Term>,
    /// The right side.
    pub bound: f64,
}

/// A coefficient times a variable.
#[derive(Clone, Copy, Debug, MemoryProfile, MemSize, GetSize, DeepSizeOf, DataSize, Allocative)]
#[mem_size(flat)]
pub struct Term {
    /// The variable's index.
    pub variable: u32,
    /// The coefficient.
    pub coefficient: f64,
}

/// A sparse matrix in compressed form, by rows or by columns.
#[derive(Debug, Default, MemoryProfile, MemSize, GetSize, DeepSizeOf, DataSize, Allocative)]
#[mem_size(rec)]
pub struct Matrix {
    /// The start of each row or column.
    pub starts: Vec<u32>,
    /// The column or row of each value.
    pub indices: Vec<u32>,
    /// The values.
    pub values: Vec<f64>,
}

/// Returns a model of `size` variables and one constraint for every four variables.
pub fn build(size: usize) -> Model {
    let mut random = Xorshift::new(5);
    let variables: Vec<_> = (0..size).map(|index| variable(&mut random, index)).collect();
    let constraints: Vec<_> =
        (0..size / 4).map(|index| constraint(&mut random, index, size)).collect();
    let index = (0..).zip(&variables).map(|(at, variable)| (variable.name.clone(), at)).collect();
    let (rows, columns) = (by_rows(&constraints), by_columns(&constraints, size));
    Model { variables, constraints, rows, columns, index }
}

fn variable(random: &mut Xorshift, index: usize) -> Variable {
    let kind = match random.below(3) {
        0 => Kind::Continuous,
        1 => Kind::Integer,
        _ => Kind::Binary,
    };
    Variable { name: format!("flow_{index}"), lower: 0.0, upper: random.unit(), kind }
}

fn constraint(random: &mut Xorshift, index: usize, variables: usize) -> Constraint {
    let mut term =
        |_| Term { variable: random.below(variables) as u32, coefficient: random.unit() };
    let terms = (0..2 + index % 7).map(&mut term).collect();
    Constraint { name: format!("balance_{index}"), terms, bound: random.unit() }
}

fn by_rows(constraints: &[Constraint]) -> Matrix {
    let mut matrix = Matrix { starts: vec![0], ..Matrix::default() };
    for constraint in constraints {
        for term in &constraint.terms {
            matrix.indices.push(term.variable);
            matrix.values.push(term.coefficient);
        }
        matrix.starts.push(matrix.indices.len() as u32);
    }
    matrix
}

fn by_columns(constraints: &[Constraint], variables: usize) -> Matrix {
    let mut entries: Vec<_> = (0_u32..)
        .zip(constraints)
        .flat_map(|(row, constraint)| {
            constraint.terms.iter().map(move |term| (term.variable, row, term.coefficient))
        })
        .collect();
    entries.sort_unstable_by_key(|&(column, row, _)| (column, row));
    let starts_at = |column| entries.partition_point(|entry| (entry.0 as usize) < column) as u32;
    Matrix {
        starts: (0..=variables).map(starts_at).collect(),
        indices: entries.iter().map(|entry| entry.1).collect(),
        values: entries.iter().map(|entry| entry.2).collect(),
    }
}

/// Returns the exact bytes.
pub fn exact(model: &Model) -> usize {
    let mut bytes = size_of_val(model);
    bytes += model.variables.capacity() * size_of::<Variable>();
    for variable in &model.variables {
        bytes += variable.name.capacity();
    }
    bytes += model.constraints.capacity() * size_of::<Constraint>();
    for constraint in &model.constraints {
        bytes += constraint.name.capacity() + constraint.terms.capacity() * size_of::<Term>();
    }
    for matrix in [&model.rows, &model.columns] {
        bytes += (matrix.starts.capacity() + matrix.indices.capacity()) * size_of::<u32>();
        bytes += matrix.values.capacity() * size_of::<f64>();
    }
    bytes
        + hand::table_bytes(&model.index)
        + model.index.keys().map(String::capacity).sum::<usize>()
}
