//! A line through measurements at several sizes: what a call costs, and what an element does.

use super::statistics::median;
use core::error::Error;
use core::fmt;
use serde::{Deserialize, Serialize};

/// A clock tells no difference smaller than this.
const LEAST_NOISE: f64 = 0.1;
/// Points this many times their noise off the line count less, as Huber proposed: so 95 % as precise
/// as least squares where the noise is normal.
const HUBER: f64 = 1.345;
/// Rounds of weighing anew; far fewer change anything.
const ROUNDS: usize = 50;
/// The mean miss, in units of the noise, from which on a line says little.
const POOR: f64 = 3.0;
/// Standard errors that a term must be away from nothing.
const SIGNIFICANT: f64 = 2.0;

/// What was measured at one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The size.
    pub elements: u64,
    /// Nanoseconds.
    pub time_ns: f64,
    /// How far they may be off.
    pub noise_ns: f64,
}

/// A fixed time per call and a time per element.
///
/// Least squares, each point weighed by its noise and those far off the line less, so that one
/// disturbed measurement changes little.
///
/// ```
/// use memprof_gpu::overhead::{Fit, Point};
///
/// let point = |elements: u32| Point {
///     elements: elements.into(),
///     time_ns: 210.0 + 0.5 * f64::from(elements),
///     noise_ns: 4.0,
/// };
/// let fit = Fit::through(&[point(10), point(1000), point(100_000)])?;
/// assert!((fit.fixed_ns.value - 210.0).abs() < 1e-6);
/// assert!((fit.per_element_ns.value - 0.5).abs() < 1e-6);
/// assert!(!fit.is_poor());
/// # Ok::<(), memprof_gpu::overhead::FitError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fit {
    /// Nanoseconds per call.
    pub fixed_ns: Term,
    /// Nanoseconds per element.
    pub per_element_ns: Term,
    /// By how much the points miss the line: the root of their mean square, in units of their noise.
    /// `None` of two sizes, through which there always is a line.
    pub residual: Option<f64>,
    /// Points that it goes through.
    pub points: u32,
    /// Points that were left out, as they are no numbers.
    pub left_out: u32,
}

/// A part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Term {
    /// Its value.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl Term {
    /// Whether it is told from nothing: two standard errors away from it.
    pub fn is_significant(&self) -> bool {
        self.value.abs() > SIGNIFICANT * self.error
    }
}

/// Why there is no line.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FitError {
    /// There are fewer than two sizes.
    TooFewSizes {
        /// How many there are.
        found: usize,
    },
    /// The numbers are too large to compute with.
    TooLarge,
}

impl fmt::Display for FitError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewSizes { found } => {
                write!(out, "a line needs two sizes and there are {found}: measure at more sizes")
            }
            Self::TooLarge => out.write_str("the times are too large to compute with"),
        }
    }
}

/// The same text as `Display`, which is what `main` and `unwrap` print.
impl fmt::Debug for FitError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for FitError {}

impl Fit {
    /// The line through points in any order; those whose time or noise is no number are left out.
    ///
    /// # Errors
    /// If fewer than two sizes are left.
    pub fn through(points: &[Point]) -> Result<Self, FitError> {
        let valid = |point: &&Point| point.time_ns.is_finite() && point.noise_ns.is_finite();
        let valid: Vec<Scaled> = points.iter().filter(valid).map(Scaled::of).collect();
        let mut sizes: Vec<u64> = valid.iter().map(|point| point.elements.to_bits()).collect();
        sizes.sort_unstable();
        sizes.dedup();
        if sizes.len() < 2 {
            return Err(FitError::TooFewSizes { found: sizes.len() });
        }
        let (mut weights, mut line) = (vec![1.0; valid.len()], Line::default());
        for _ in 0..ROUNDS {
            line = Line::through(&valid, &weights);
            let misses: Vec<f64> = valid.iter().map(|point| line.misses(point)).collect();
            // Where all points are farther off than their noise, the noise was told too small.
            let usual = median(misses.iter().copied()).unwrap_or(0.0);
            let far = HUBER * (1.4826 * usual).max(1.0);
            weights =
                misses.iter().map(|&miss| if miss > far { far / miss } else { 1.0 }).collect();
        }
        line.finish(&valid, sizes.len(), points.len() - valid.len())
    }

    /// Whether the points miss the line so far that it says little of them.
    pub fn is_poor(&self) -> bool {
        self.residual.is_some_and(|residual| residual > POOR)
    }
}

/// A point as numbers to compute with.
struct Scaled {
    elements: f64,
    time: f64,
    noise: f64,
}

impl Scaled {
    #[expect(clippy::cast_precision_loss, reason = "sizes up to 2 to the power of 53 are exact")]
    fn of(point: &Point) -> Self {
        Self {
            elements: point.elements as f64,
            time: point.time_ns,
            noise: point.noise_ns.abs().max(LEAST_NOISE),
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Line {
    fixed: f64,
    slope: f64,
    /// The variances of both.
    variances: (f64, f64),
}

impl Line {
    /// Around the weighted mean, as sizes and their squares would cancel out.
    fn through(points: &[Scaled], weights: &[f64]) -> Self {
        let weighted = || {
            let weight = |(point, weight): (&Scaled, &f64)| weight / (point.noise * point.noise);
            points.iter().zip(weights).map(weight)
        };
        let sum: f64 = weighted().sum();
        let mean = |of: fn(&Scaled) -> f64| {
            weighted().zip(points).map(|(weight, point)| weight * of(point)).sum::<f64>() / sum
        };
        let (elements, time) = (mean(|point| point.elements), mean(|point| point.time));
        let (mut square, mut product) = (0.0, 0.0);
        for (weight, point) in weighted().zip(points) {
            let away = point.elements - elements;
            square += weight * away * away;
            product += weight * away * (point.time - time);
        }
        let slope = product / square;
        Self {
            fixed: time - slope * elements,
            slope,
            variances: (1.0 / sum + elements * elements / square, 1.0 / square),
        }
    }

    /// How far a point is off, in units of its noise.
    fn misses(&self, point: &Scaled) -> f64 {
        ((point.time - self.fixed - self.slope * point.elements) / point.noise).abs()
    }

    #[expect(clippy::cast_precision_loss, reason = "a few points")]
    fn finish(self, points: &[Scaled], sizes: usize, left_out: usize) -> Result<Fit, FitError> {
        let free = points.len() - 2;
        let squares: f64 = points.iter().map(|point| self.misses(point).powi(2)).sum();
        let residual = (sizes > 2).then(|| (squares / free as f64).sqrt());
        // A line that misses its points by more than their noise is less sure by as much.
        let scale = residual.unwrap_or(1.0).max(1.0);
        let term =
            |value: f64, variance: f64| Term { value: value + 0.0, error: variance.sqrt() * scale };
        let fit = Fit {
            fixed_ns: term(self.fixed, self.variances.0),
            per_element_ns: term(self.slope, self.variances.1),
            residual,
            points: points.len() as u32,
            left_out: left_out as u32,
        };
        let terms = [fit.fixed_ns, fit.per_element_ns];
        let finite = terms.iter().all(|term| term.value.is_finite() && term.error.is_finite());
        let finite = finite && residual.is_none_or(f64::is_finite);
        if finite { Ok(fit) } else { Err(FitError::TooLarge) }
    }
}
