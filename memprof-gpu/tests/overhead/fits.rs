//! Lines through sizes.

use crate::clock::numbers;
use memprof_gpu::overhead::{Fit, FitError, Point};

fn point(elements: u64, time_ns: f64, noise_ns: f64) -> Point {
    Point { elements, time_ns, noise_ns }
}

fn through(points: &[(u64, f64, f64)]) -> Result<Fit, FitError> {
    let points: Vec<Point> =
        points.iter().map(|&(elements, time, noise)| point(elements, time, noise)).collect();
    Fit::through(&points)
}

/// 1 K to 16 M elements, four to a step.
fn sizes() -> impl Iterator<Item = u64> {
    (0..8).map(|step| 1024 << (2 * step))
}

#[test]
fn a_line_is_found_exactly() {
    let points: Vec<Point> =
        sizes().map(|size| point(size, 210.0 + 0.25 * size as f64, 1.0)).collect();
    let fit = Fit::through(&points).unwrap();
    assert!((fit.fixed_ns.value - 210.0).abs() < 1e-3, "{fit:?}");
    assert!((fit.per_element_ns.value - 0.25).abs() < 1e-9, "{fit:?}");
    assert!(fit.fixed_ns.is_significant() && fit.per_element_ns.is_significant());
    assert!(fit.residual.unwrap() < 1e-3 && !fit.is_poor());
    assert_eq!((fit.points, fit.left_out), (8, 0));
}

#[test]
fn a_fixed_cost_is_found_below_noise_that_grows_with_the_size() {
    let mut random = numbers(3, 2001);
    let points: Vec<Point> = sizes()
        .map(|size| {
            let noise = 5.0 + 0.001 * size as f64;
            point(size, 210.0 + noise * (random() as f64 / 1000.0 - 1.0), noise)
        })
        .collect();
    let fit = Fit::through(&points).unwrap();
    assert!((fit.fixed_ns.value - 210.0).abs() < 15.0, "{fit:?}");
    assert!(fit.fixed_ns.is_significant() && !fit.is_poor(), "{fit:?}");
    assert!(!fit.per_element_ns.is_significant(), "{fit:?}");
}

#[test]
fn one_point_far_off_changes_little_and_is_told() {
    let mut points: Vec<Point> = sizes().map(|size| point(size, 200.0, 2.0)).collect();
    points[2].time_ns = 5000.0;
    let fit = Fit::through(&points).unwrap();
    assert!((fit.fixed_ns.value - 200.0).abs() < 3.0, "{fit:?}");
    assert!(fit.is_poor(), "{fit:?}");
}

#[test]
fn what_is_no_line_fits_poorly() {
    let points: Vec<Point> =
        sizes().map(|size| point(size, (size as f64).sqrt() * 10.0, 1.0)).collect();
    assert!(Fit::through(&points).unwrap().is_poor());
}

#[test]
fn two_sizes_have_a_line_and_no_residual() {
    let fit = through(&[(0, 10.0, 1.0), (100, 60.0, 1.0)]).unwrap();
    assert!((fit.fixed_ns.value - 10.0).abs() < 1e-9, "no elements are a size as any other");
    assert!((fit.per_element_ns.value - 0.5).abs() < 1e-9);
    assert_eq!((fit.residual, fit.is_poor()), (None, false));
}

#[test]
fn fewer_than_two_sizes_have_no_line() {
    for (points, found) in [
        (vec![], 0),
        (vec![(5, 1.0, 1.0)], 1),
        (vec![(5, 1.0, 1.0), (5, 2.0, 1.0), (5, 3.0, 1.0)], 1),
        (vec![(5, 1.0, 1.0), (6, f64::NAN, 1.0), (7, 1.0, f64::INFINITY)], 1),
    ] {
        assert_eq!(through(&points).unwrap_err(), FitError::TooFewSizes { found }, "{points:?}");
    }
}

#[test]
fn what_is_no_number_is_left_out_and_counted() {
    let fit = through(&[(0, 1.0, 0.0), (1, 1.0, -1.0), (2, f64::NAN, 1.0)]).unwrap();
    assert_eq!((fit.points, fit.left_out), (2, 1));
    assert_eq!(fit.fixed_ns.value, 1.0);
}

#[test]
fn numbers_too_large_to_compute_with_are_an_error() {
    let error = through(&[(0, f64::MAX, 1.0), (u64::MAX, -f64::MAX, 1.0), (9, 1.0, 1.0)]);
    assert_eq!(error.unwrap_err(), FitError::TooLarge);
}
