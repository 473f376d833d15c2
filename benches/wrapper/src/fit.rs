//! A line through measurements at several sizes: a cost per call and a cost per element.

/// A measurement at one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The size.
    pub elements: f64,
    /// The time in nanoseconds.
    pub time: f64,
    /// The error of the time.
    pub noise: f64,
}

/// A number and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// The number.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl Term {
    /// Returns `true` if the number is at least two standard errors away from 0.
    pub fn is_significant(&self) -> bool {
        self.value.abs() > 2.0 * self.error
    }
}

/// A fixed time per call and a time per element, in nanoseconds, by weighted least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The time per call.
    pub fixed: Term,
    /// The time per element.
    pub per_element: Term,
    /// The root mean square of the residuals, in units of their noise. `None` for two points,
    /// because a line fits them exactly.
    pub residual: Option<f64>,
}

/// The best resolution of any clock, in nanoseconds.
const MIN_NOISE: f64 = 0.1;

impl Fit {
    /// Returns the line through the points, each weighted by its noise. Returns `None` if there are
    /// fewer than two sizes or a number is not finite.
    #[expect(clippy::cast_precision_loss, reason = "there are a few points")]
    pub fn new(points: &[Point]) -> Option<Self> {
        let weight = |point: &Point| point.noise.max(MIN_NOISE).powi(-2);
        let sum = |of: &dyn Fn(&Point) -> f64| -> f64 {
            points.iter().map(|point| weight(point) * of(point)).sum()
        };
        let weights = sum(&|_| 1.0);
        let size = sum(&|point| point.elements) / weights;
        let time = sum(&|point| point.time) / weights;
        let square = sum(&|point| (point.elements - size).powi(2));
        let slope = sum(&|point| (point.elements - size) * point.time) / square;
        let fixed = time - slope * size;
        let squared_error = sum(&|point| (point.time - fixed - slope * point.elements).powi(2));
        let residual =
            (points.len() > 2).then(|| (squared_error / (points.len() - 2) as f64).sqrt());
        // Residuals larger than the noise make the terms less certain.
        let scale = residual.unwrap_or(1.0).max(1.0);
        let term = |value: f64, variance: f64| Term { value, error: variance.sqrt() * scale };
        let fixed = term(fixed, 1.0 / weights + size * size / square);
        let per_element = term(slope, 1.0 / square);
        let is_finite = [fixed, per_element]
            .iter()
            .all(|term| term.value.is_finite() && term.error.is_finite());
        is_finite.then_some(Self { fixed, per_element, residual })
    }

    /// Returns `true` if the residuals exceed three times their noise, so that the line has little
    /// meaning.
    pub fn is_poor(&self) -> bool {
        self.residual.is_some_and(|residual| residual > 3.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Fit, Point};

    fn points(of: impl Fn(f64) -> f64) -> Vec<Point> {
        let sizes = [1e3, 16e3, 256e3, 4e6];
        sizes.map(|elements| Point { elements, time: of(elements), noise: 4.0 }).into()
    }

    #[test]
    fn a_fit_finds_both_terms_of_a_line() {
        let fit = Fit::new(&points(|elements| 210.0 + 0.5 * elements)).expect("four sizes");
        assert!((fit.fixed.value - 210.0).abs() < 1e-6, "{fit:?}");
        assert!((fit.per_element.value - 0.5).abs() < 1e-9, "{fit:?}");
        assert!(fit.fixed.is_significant() && fit.per_element.is_significant() && !fit.is_poor());
    }

    #[test]
    fn terms_within_their_error_are_not_significant() {
        let fit = Fit::new(&points(|_| 2.0)).expect("four sizes");
        assert!(!fit.fixed.is_significant() && !fit.per_element.is_significant(), "{fit:?}");
    }

    #[test]
    fn a_curve_is_a_poor_fit() {
        let fit = Fit::new(&points(f64::sqrt)).expect("four sizes");
        assert!(fit.is_poor(), "{fit:?}");
    }

    #[test]
    fn one_size_or_a_number_that_is_not_finite_has_no_fit() {
        assert_eq!(Fit::new(&points(|_| 1.0)[..1]), None);
        assert_eq!(Fit::new(&points(|_| f64::NAN)), None);
        assert_eq!(Fit::new(&[]), None);
    }
}
