//! The rules that turn the values of a file, and missing values, into lower and upper limits.

use crate::model::Relation;

/// The value from which solvers treat a number as infinite.
const INFINITE: f64 = 1e20;

/// Returns the limits of a row, from its right-hand side and its range.
///
/// A range gives an inequality a limit on the other side. It turns an equality into an interval,
/// above the right-hand side if the range is positive, otherwise below.
pub(crate) fn of_row(relation: Relation, right: f64, range: Option<f64>) -> (f64, f64) {
    let (lower, upper) = match (relation, range) {
        (Relation::Free, _) => (f64::NEG_INFINITY, f64::INFINITY),
        (Relation::AtMost, None) => (f64::NEG_INFINITY, right),
        (Relation::AtLeast, None) => (right, f64::INFINITY),
        (Relation::Equal, None) => (right, right),
        (Relation::AtMost, Some(range)) => (right - range.abs(), right),
        (Relation::AtLeast, Some(range)) => (right, right + range.abs()),
        (Relation::Equal, Some(range)) => (right + range.min(0.0), right + range.max(0.0)),
    };
    (infinite(lower), infinite(upper))
}

/// Returns the bounds of a column, from its bounds in BOUNDS.
///
/// By default, the lower bound of a column is 0. Two old conventions apply too. A negative upper
/// bound alone removes the lower bound. A column between integer markers is binary if it has no
/// bound.
pub(crate) fn of_column(marked: bool, lower: Option<f64>, upper: Option<f64>) -> (f64, f64) {
    let (lower, upper) = match (lower, upper) {
        (None, None) if marked => (0.0, 1.0),
        (None, Some(upper)) if upper < 0.0 => (f64::NEG_INFINITY, upper),
        (lower, upper) => (lower.unwrap_or(0.0), upper.unwrap_or(f64::INFINITY)),
    };
    (infinite(lower), infinite(upper))
}

fn infinite(limit: f64) -> f64 {
    if limit.abs() < INFINITE { limit } else { f64::INFINITY.copysign(limit) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INF: f64 = f64::INFINITY;

    #[test]
    fn a_range_widens_a_row_by_the_rule_of_its_kind() {
        let cases = [
            (Relation::AtMost, 5.0, None, (-INF, 5.0)),
            (Relation::AtLeast, 5.0, None, (5.0, INF)),
            (Relation::Equal, 5.0, None, (5.0, 5.0)),
            (Relation::Free, 5.0, Some(2.0), (-INF, INF)),
            (Relation::AtMost, 5.0, Some(2.0), (3.0, 5.0)),
            (Relation::AtMost, 5.0, Some(-2.0), (3.0, 5.0)),
            (Relation::AtLeast, 5.0, Some(2.0), (5.0, 7.0)),
            (Relation::AtLeast, 5.0, Some(-2.0), (5.0, 7.0)),
            (Relation::Equal, 5.0, Some(2.0), (5.0, 7.0)),
            (Relation::Equal, 5.0, Some(-2.0), (3.0, 5.0)),
            (Relation::Equal, 5.0, Some(0.0), (5.0, 5.0)),
            (Relation::AtMost, 1e30, None, (-INF, INF)),
        ];
        for (relation, right, range, expected) in cases {
            assert_eq!(of_row(relation, right, range), expected, "{relation:?} {right} {range:?}");
        }
    }

    #[test]
    fn an_absent_bound_follows_from_the_other() {
        let cases = [
            (false, None, None, (0.0, INF)),
            (true, None, None, (0.0, 1.0)),
            (true, Some(0.0), None, (0.0, INF)),
            (true, None, Some(9.0), (0.0, 9.0)),
            (false, None, Some(0.0), (0.0, 0.0)),
            (false, None, Some(-1.0), (-INF, -1.0)),
            (false, Some(0.0), Some(-1.0), (0.0, -1.0)),
            (false, Some(-2.0), Some(-1.0), (-2.0, -1.0)),
            (false, Some(-1e30), Some(1e30), (-INF, INF)),
        ];
        for (marked, lower, upper, expected) in cases {
            assert_eq!(of_column(marked, lower, upper), expected, "{marked} {lower:?} {upper:?}");
        }
    }
}
