//! The contents of a line of each section, before any name is looked up.

use super::error::Problem;
use crate::model::{Goal, Relation, VariableKind};

/// A line of COLUMNS.
#[derive(Debug, PartialEq)]
pub(crate) enum ColumnEntry<'l> {
    /// The coefficients of one column in one or two rows.
    Coefficients(&'l str, Vec<(&'l str, f64)>),
    /// A marker. The columns from here to the next marker are integers if the value is `true`.
    Integers(bool),
}

/// A line of RHS or RANGES: values for one or two rows, in a set that may have a name.
#[derive(Debug, PartialEq)]
pub(crate) struct RowValues<'l> {
    pub(crate) set: Option<&'l str>,
    pub(crate) values: Vec<(&'l str, f64)>,
}

/// A line of BOUNDS: a bound of one column, in a set that may have a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bound<'l> {
    pub(crate) set: Option<&'l str>,
    pub(crate) column: &'l str,
    pub(crate) lower: Option<f64>,
    pub(crate) upper: Option<f64>,
    pub(crate) kind: Option<VariableKind>,
}

/// Parses a goal: `MAX`.
pub(crate) fn goal(fields: &[&str]) -> Result<Goal, Problem> {
    match fields {
        ["MIN" | "MINIMIZE" | "MINIMISE"] => Ok(Goal::Minimize),
        ["MAX" | "MAXIMIZE" | "MAXIMISE"] => Ok(Goal::Maximize),
        _ => Err(wrong("MIN or MAX", fields)),
    }
}

/// Parses a row: `L  LIMIT`.
pub(crate) fn row<'l>(fields: &[&'l str]) -> Result<(Relation, &'l str), Problem> {
    let [kind, name] = fields else { return Err(wrong("a kind of row and its name", fields)) };
    let relation = match *kind {
        "N" => Relation::Free,
        "L" => Relation::AtMost,
        "G" => Relation::AtLeast,
        "E" => Relation::Equal,
        _ => return Err(wrong("N, L, G or E before the name of a row", &[kind])),
    };
    Ok((relation, name))
}

/// Parses an entry of COLUMNS: `X  LIMIT  1.0  COST  2.0` or `M1  'MARKER'  'INTORG'`.
pub(crate) fn column<'l>(fields: &[&'l str]) -> Result<ColumnEntry<'l>, Problem> {
    match fields {
        [_, "'MARKER'", "'INTORG'"] => Ok(ColumnEntry::Integers(true)),
        [_, "'MARKER'", "'INTEND'"] => Ok(ColumnEntry::Integers(false)),
        [_, "'MARKER'", other @ ..] => Err(wrong("'INTORG' or 'INTEND' after 'MARKER'", other)),
        [column, values @ ..] if matches!(values.len(), 2 | 4) => {
            Ok(ColumnEntry::Coefficients(column, pairs(values)?))
        }
        _ => Err(wrong("a column, then a row and a number once or twice", fields)),
    }
}

/// Parses values of rows: `RHS  LIMIT  4.0  COST  -1.0`, or the same without the name of the set.
pub(crate) fn row_values<'l>(fields: &[&'l str]) -> Result<RowValues<'l>, Problem> {
    let (set, values) = match fields {
        [_, _] | [_, _, _, _] => (None, fields),
        [set, values @ ..] if matches!(values.len(), 2 | 4) => (Some(*set), values),
        _ => return Err(wrong("a row and a number once or twice", fields)),
    };
    Ok(RowValues { set, values: pairs(values)? })
}

/// Parses a bound: `UP  BND  X  4.0`, or the same without the name of the set.
pub(crate) fn bound<'l>(fields: &[&'l str]) -> Result<Bound<'l>, Problem> {
    let (kind, set, column, value) = match fields {
        [kind @ ("FR" | "MI" | "PL" | "BV"), column] => (*kind, None, *column, 0.0),
        [kind @ ("FR" | "MI" | "PL" | "BV"), set, column] => (*kind, Some(*set), *column, 0.0),
        [kind, column, value] => (*kind, None, *column, number(value)?),
        [kind, set, column, value] => (*kind, Some(*set), *column, number(value)?),
        _ => return Err(wrong("a kind of bound, a column and a number", fields)),
    };
    let (lower, upper, kind) = bound_kind(kind, value)?;
    Ok(Bound { set, column, lower, upper, kind })
}

/// The lower bound, the upper bound and the kind of variable that a line names.
type Named = (Option<f64>, Option<f64>, Option<VariableKind>);

fn bound_kind(kind: &str, value: f64) -> Result<Named, Problem> {
    // In a file, a semi-continuous variable without an upper bound has the upper bound 0.
    let semi = if value == 0.0 { f64::INFINITY } else { value };
    Ok(match kind {
        "LO" => (Some(value), None, None),
        "UP" => (None, Some(value), None),
        "FX" => (Some(value), Some(value), None),
        "FR" => (Some(f64::NEG_INFINITY), Some(f64::INFINITY), None),
        "MI" => (Some(f64::NEG_INFINITY), None, None),
        "PL" => (None, Some(f64::INFINITY), None),
        "BV" => (Some(0.0), Some(1.0), Some(VariableKind::Binary)),
        "LI" => (Some(value), None, Some(VariableKind::Integer)),
        "UI" => (None, Some(value), Some(VariableKind::Integer)),
        "SC" => (None, Some(semi), Some(VariableKind::SemiContinuous)),
        "SI" => (None, Some(semi), Some(VariableKind::SemiInteger)),
        _ => return Err(wrong("a kind of bound such as LO or UP", &[kind])),
    })
}

/// Parses a product: `X  Y  1.0`.
pub(crate) fn product<'l>(fields: &[&'l str]) -> Result<(&'l str, &'l str, f64), Problem> {
    let [first, second, value] = fields else {
        return Err(wrong("two columns and a number", fields));
    };
    Ok((first, second, finite(value)?))
}

fn pairs<'l>(fields: &[&'l str]) -> Result<Vec<(&'l str, f64)>, Problem> {
    fields.chunks_exact(2).map(|pair| Ok((pair[0], finite(pair[1])?))).collect()
}

/// Parses a number, which may be infinite or in Fortran's form `1.0D3`.
fn number(text: &str) -> Result<f64, Problem> {
    let number = text.parse().or_else(|cause| {
        let exponent = text.replace(['d', 'D'], "e");
        exponent.parse().map_err(|_| Problem::NotANumber { found: text.to_owned(), cause })
    });
    number.and_then(|number: f64| {
        if number.is_nan() { Err(Problem::NotFinite(text.to_owned())) } else { Ok(number) }
    })
}

fn finite(text: &str) -> Result<f64, Problem> {
    let number = number(text)?;
    if number.is_finite() { Ok(number) } else { Err(Problem::NotFinite(text.to_owned())) }
}

fn wrong(expected: &'static str, found: &[&str]) -> Problem {
    Problem::WrongFields { expected, found: found.join(" ") }
}
