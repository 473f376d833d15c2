//! An optimisation model: named variables with bounds, and polynomials over them with limits.
//!
//! A solver minimises or maximises the objective, with `lower <= polynomial <= upper` for each
//! constraint.

use crate::matrix::{CscMatrix, CsrMatrix};
use memprof::MemoryProfile;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// A linear, mixed-integer or quadratic model, laid out as in programs that build and solve one.
#[derive(Clone, Debug, Default, MemoryProfile)]
pub(crate) struct Model {
    #[profile(role = "metadata")]
    pub(crate) name: String,
    pub(crate) objective: Objective,
    pub(crate) variables: Vec<Variable>,
    pub(crate) constraints: Vec<Constraint>,
    /// The linear coefficients of all constraints again, for code that goes row by row.
    pub(crate) rows: CsrMatrix,
    /// The same coefficients, for code that goes column by column.
    #[profile(role = "auxiliary")]
    pub(crate) columns: CscMatrix,
    /// The position of a variable, by its name.
    #[profile(role = "metadata")]
    pub(crate) index: HashMap<String, u32>,
    /// The positions of the variables whose names differ in digits only, such as `X01` and `X02`.
    #[profile(role = "metadata")]
    pub(crate) families: BTreeMap<String, Vec<u32>>,
}

/// The polynomial to minimise or maximise.
#[derive(Clone, Debug, Default, MemoryProfile)]
pub(crate) struct Objective {
    #[profile(role = "metadata")]
    pub(crate) name: String,
    pub(crate) goal: Goal,
    /// A constant that is added to the polynomial.
    pub(crate) offset: f64,
    pub(crate) polynomial: Polynomial,
}

/// The direction of the optimisation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, MemoryProfile)]
pub(crate) enum Goal {
    #[default]
    Minimize,
    Maximize,
}

/// An unknown and the interval of its values. A bound may be infinite.
#[derive(Clone, Debug, PartialEq, MemoryProfile)]
pub(crate) struct Variable {
    #[profile(role = "metadata")]
    pub(crate) name: String,
    pub(crate) kind: VariableKind,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

/// The values that a variable takes between its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, MemoryProfile)]
pub(crate) enum VariableKind {
    Continuous,
    Integer,
    /// 0 or 1.
    Binary,
    /// 0, or a real number between the bounds.
    SemiContinuous,
    /// 0, or an integer between the bounds.
    SemiInteger,
}

/// A polynomial that must lie between two limits. A limit may be infinite.
#[derive(Clone, Debug, PartialEq, MemoryProfile)]
pub(crate) struct Constraint {
    #[profile(role = "metadata")]
    pub(crate) name: String,
    pub(crate) relation: Relation,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) polynomial: Polynomial,
}

/// The way in which a constraint was written. A range gives an inequality a second limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, MemoryProfile)]
pub(crate) enum Relation {
    AtMost,
    AtLeast,
    Equal,
    /// No limit: the polynomial is only computed.
    Free,
}

/// A sum of terms of degree one and two.
#[derive(Clone, Debug, Default, PartialEq, MemoryProfile)]
pub(crate) struct Polynomial {
    pub(crate) linear: Vec<Term>,
    pub(crate) quadratic: Vec<QuadraticTerm>,
}

/// `coefficient * variable`.
#[derive(Clone, Copy, Debug, PartialEq, MemoryProfile)]
pub(crate) struct Term {
    pub(crate) variable: u32,
    pub(crate) coefficient: f64,
}

/// `coefficient * first * second`, where `first <= second`.
#[derive(Clone, Copy, Debug, PartialEq, MemoryProfile)]
pub(crate) struct QuadraticTerm {
    pub(crate) first: u32,
    pub(crate) second: u32,
    pub(crate) coefficient: f64,
}

impl Model {
    /// Frees the excess capacity of growing collections.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.objective.polynomial.shrink_to_fit();
        self.variables.shrink_to_fit();
        self.constraints.shrink_to_fit();
        self.constraints.iter_mut().for_each(|constraint| constraint.polynomial.shrink_to_fit());
        self.rows.shrink_to_fit();
        self.columns.shrink_to_fit();
        self.index.shrink_to_fit();
        self.families.values_mut().for_each(Vec::shrink_to_fit);
    }
}

/// Prints the name and the size on one line.
impl fmt::Display for Model {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.name.is_empty() { "a model without a name" } else { &self.name };
        write!(
            out,
            "{name}: {} variables, {} constraints, {} coefficients",
            self.variables.len(),
            self.constraints.len(),
            self.rows.values.len(),
        )?;
        let rows = self.constraints.iter().map(|constraint| &constraint.polynomial);
        let polynomials = rows.chain([&self.objective.polynomial]);
        match polynomials.map(|polynomial| polynomial.quadratic.len()).sum::<usize>() {
            0 => Ok(()),
            products => write!(out, ", {products} products of two variables"),
        }
    }
}

impl Polynomial {
    fn shrink_to_fit(&mut self) {
        self.linear.shrink_to_fit();
        self.quadratic.shrink_to_fit();
    }
}
