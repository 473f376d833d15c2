//! A model under construction: names become positions, and entries become terms.

use super::entry::{Bound, ColumnEntry, RowValues};
use super::error::{Noun, Problem};
use super::limits;
use crate::model::{Constraint, Goal, Model, Polynomial, QuadraticTerm, Relation, Term};
use crate::model::{Variable, VariableKind};
use std::collections::{BTreeMap, HashMap};

/// The model so far, with the data that is needed to finish it.
#[derive(Default)]
pub(crate) struct Draft {
    model: Model,
    rows: HashMap<String, Row>,
    /// Right-hand side and range of each constraint.
    limits: Vec<(f64, Option<f64>)>,
    /// The bounds that BOUNDS gives each variable.
    bounds: Vec<(Option<f64>, Option<f64>)>,
    between_markers: bool,
    right_hand_sides: FirstSet,
    ranges: FirstSet,
    bound_sets: FirstSet,
}

/// The part of the model that a row of the file describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    Objective,
    Constraint(u32),
}

/// The form in which a section writes `first * second`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Products {
    /// One triangle of a symmetric matrix `Q`. The model contains half of `xᵀQx`.
    HalfTriangle,
    /// A whole symmetric matrix `Q`. The model contains half of `xᵀQx`.
    Half,
    /// A whole symmetric matrix `Q`. The model contains `xᵀQx`.
    Whole,
}

/// The name of the first set of values in a section. A section may hold several sets; only the
/// first counts.
#[derive(Default)]
struct FirstSet(Option<String>);

impl Draft {
    pub(crate) fn set_name(&mut self, name: &str) {
        name.clone_into(&mut self.model.name);
    }

    pub(crate) fn set_goal(&mut self, goal: Goal) {
        self.model.objective.goal = goal;
    }

    /// Declares a row. The first row without a limit is the objective.
    pub(crate) fn add_row(&mut self, (relation, name): (Relation, &str)) -> Result<(), Problem> {
        let has_objective = self.rows.len() > self.model.constraints.len();
        let row = if relation == Relation::Free && !has_objective {
            name.clone_into(&mut self.model.objective.name);
            Row::Objective
        } else {
            self.add_constraint(relation, name)
        };
        match self.rows.insert(name.to_owned(), row) {
            None => Ok(()),
            Some(_) => Err(Problem::Duplicate(Noun::Row, name.to_owned())),
        }
    }

    fn add_constraint(&mut self, relation: Relation, name: &str) -> Row {
        let row = Row::Constraint(self.model.constraints.len() as u32);
        self.model.constraints.push(Constraint {
            name: name.to_owned(),
            relation,
            lower: 0.0,
            upper: 0.0,
            polynomial: Polynomial::default(),
        });
        self.limits.push((0.0, None));
        row
    }

    pub(crate) fn add_column_entry(&mut self, entry: ColumnEntry<'_>) -> Result<(), Problem> {
        match entry {
            ColumnEntry::Integers(begin) => self.between_markers = begin,
            ColumnEntry::Coefficients(name, values) => {
                let column = self.last_or_new_column(name)?;
                for (row, coefficient) in values {
                    self.add_coefficient(row, column, coefficient)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the position of a column. The lines of a column are adjacent, so the column is the
    /// last one or a new one.
    fn last_or_new_column(&mut self, name: &str) -> Result<u32, Problem> {
        let column = self.model.variables.len() as u32;
        if self.model.variables.last().is_some_and(|last| last.name == name) {
            return Ok(column - 1);
        }
        if self.model.index.insert(name.to_owned(), column).is_some() {
            return Err(Problem::Duplicate(Noun::Column, name.to_owned()));
        }
        let kind =
            if self.between_markers { VariableKind::Integer } else { VariableKind::Continuous };
        self.model.variables.push(Variable { name: name.to_owned(), kind, lower: 0.0, upper: 0.0 });
        self.model.columns.push_column();
        self.bounds.push((None, None));
        Ok(column)
    }

    fn add_coefficient(
        &mut self,
        row_name: &str,
        variable: u32,
        coefficient: f64,
    ) -> Result<(), Problem> {
        let row = self.row(row_name)?;
        let terms = &mut self.polynomial(row).linear;
        if terms.last().is_some_and(|last| last.variable == variable) {
            let column = self.model.variables[variable as usize].name.clone();
            return Err(Problem::DuplicateEntry { row: row_name.to_owned(), column });
        }
        terms.push(Term { variable, coefficient });
        if let Row::Constraint(row) = row {
            self.model.columns.push(row, coefficient);
        }
        Ok(())
    }

    pub(crate) fn add_right_hand_sides(&mut self, entry: RowValues<'_>) -> Result<(), Problem> {
        let counts = self.right_hand_sides.is(entry.set);
        for (name, value) in entry.values {
            match self.row(name)? {
                _ if !counts => {}
                // The objective's constant is written with the opposite sign.
                Row::Objective => self.model.objective.offset = -value,
                Row::Constraint(row) => self.limits[row as usize].0 = value,
            }
        }
        Ok(())
    }

    pub(crate) fn add_ranges(&mut self, entry: RowValues<'_>) -> Result<(), Problem> {
        let counts = self.ranges.is(entry.set);
        for (name, value) in entry.values {
            match self.row(name)? {
                Row::Constraint(row) if counts => self.limits[row as usize].1 = Some(value),
                _ => {}
            }
        }
        Ok(())
    }

    pub(crate) fn add_bound(&mut self, bound: Bound<'_>) -> Result<(), Problem> {
        let column = self.column(bound.column)? as usize;
        if self.bound_sets.is(bound.set) {
            let (lower, upper) = &mut self.bounds[column];
            *lower = bound.lower.or(*lower);
            *upper = bound.upper.or(*upper);
            let variable = &mut self.model.variables[column];
            variable.kind = match (variable.kind, bound.kind) {
                (VariableKind::Integer, Some(VariableKind::SemiContinuous)) => {
                    VariableKind::SemiInteger
                }
                (known, said) => said.unwrap_or(known),
            };
        }
        Ok(())
    }

    pub(crate) fn add_product(
        &mut self,
        row: Row,
        products: Products,
        (first, second, value): (&str, &str, f64),
    ) -> Result<(), Problem> {
        let (first, second) = (self.column(first)?, self.column(second)?);
        let coefficient = match products {
            Products::HalfTriangle if first != second => value,
            Products::HalfTriangle | Products::Half => value / 2.0,
            Products::Whole => value,
        };
        let (first, second) = (first.min(second), first.max(second));
        self.polynomial(row).quadratic.push(QuadraticTerm { first, second, coefficient });
        Ok(())
    }

    pub(crate) fn row(&self, name: &str) -> Result<Row, Problem> {
        let row = self.rows.get(name).copied();
        row.ok_or_else(|| Problem::Undeclared(Noun::Row, name.to_owned()))
    }

    fn column(&self, name: &str) -> Result<u32, Problem> {
        let column = self.model.index.get(name).copied();
        column.ok_or_else(|| Problem::Undeclared(Noun::Column, name.to_owned()))
    }

    fn polynomial(&mut self, row: Row) -> &mut Polynomial {
        match row {
            Row::Objective => &mut self.model.objective.polynomial,
            Row::Constraint(row) => &mut self.model.constraints[row as usize].polynomial,
        }
    }

    /// Applies the data of the whole file: limits, sums of like products, rows, families.
    pub(crate) fn finish(self) -> Model {
        let Self { mut model, limits, bounds, .. } = self;
        for (variable, (lower, upper)) in model.variables.iter_mut().zip(bounds) {
            let marked = variable.kind == VariableKind::Integer;
            (variable.lower, variable.upper) = limits::of_column(marked, lower, upper);
        }
        for (constraint, (right, range)) in model.constraints.iter_mut().zip(limits) {
            (constraint.lower, constraint.upper) =
                limits::of_row(constraint.relation, right, range);
            sum_like_products(&mut constraint.polynomial.quadratic);
        }
        sum_like_products(&mut model.objective.polynomial.quadratic);
        model.rows = model.columns.to_rows(model.constraints.len());
        model.families = families(&model.variables);
        model
    }
}

impl FirstSet {
    fn is(&mut self, name: Option<&str>) -> bool {
        let name = name.unwrap_or_default();
        self.0.get_or_insert_with(|| name.to_owned()) == name
    }
}

/// Adds up like products, because both halves of a symmetric matrix name the same product.
fn sum_like_products(terms: &mut Vec<QuadraticTerm>) {
    terms.sort_by_key(|term| (term.first, term.second));
    terms.dedup_by(|next, kept| {
        let alike = (next.first, next.second) == (kept.first, kept.second);
        if alike {
            kept.coefficient += next.coefficient;
        }
        alike
    });
}

fn families(variables: &[Variable]) -> BTreeMap<String, Vec<u32>> {
    let mut families = BTreeMap::<_, Vec<u32>>::new();
    for (position, variable) in variables.iter().enumerate() {
        let family = variable.name.replace(|c: char| c.is_ascii_digit(), "");
        families.entry(family).or_default().push(position as u32);
    }
    families
}
