//! Tests of the arithmetic of the arrays.

use crate::array::{AddError, Array};
use crate::unit::{LENGTH, SPEED, Unit};
use std::sync::Arc;

fn unit(symbol: &str, scale: f64) -> Arc<Unit> {
    Arc::new(Unit::new(symbol, LENGTH, scale))
}

#[test]
fn sums_are_in_the_unit_of_the_first() {
    let metres = Array::new(vec![500.0, 0.0], &unit("m", 1.0)).with_uncertainty(3.0);
    let kilometres = Array::new(vec![1.5, 2.0], &unit("km", 1000.0)).with_uncertainty(0.004);
    let sum = metres.add(&kilometres).expect("both are lengths");
    assert_eq!((&*sum.data, sum.unit().symbol()), (&[2000.0, 2000.0][..], "m"));
    assert_eq!(sum.uncertainty, Some(vec![5.0, 5.0]));
    assert!(Arc::ptr_eq(&sum.unit, &metres.unit));
    let bare = Array::new(vec![0.0, 0.0], &metres.unit);
    assert_eq!(bare.add(&kilometres).unwrap().uncertainty, Some(vec![4.0, 4.0]));
    assert_eq!(metres.add(&bare).unwrap().uncertainty, Some(vec![3.0, 3.0]));
    assert_eq!(bare.add(&bare).unwrap().uncertainty, None);
}

#[test]
fn sums_need_equal_units_and_lengths() {
    let two = Array::new(vec![1.0, 2.0], &unit("m", 1.0));
    let speed = Array::new(vec![1.0, 2.0], &Arc::new(Unit::new("m/s", SPEED, 1.0)));
    assert_eq!(two.add(&speed).unwrap_err(), AddError::Dimension);
    let three = Array::new(vec![1.0, 2.0, 3.0], &unit("m", 1.0));
    assert_eq!(two.add(&three).unwrap_err(), AddError::Length);
}

#[test]
fn a_negative_factor_leaves_deviations_positive() {
    let scaled = Array::new(vec![1.0], &unit("m", 1.0)).with_uncertainty(0.5).scale(-2.0);
    assert_eq!((scaled.data, scaled.uncertainty), (vec![-2.0], Some(vec![1.0])));
}

#[test]
fn too_many_elements_are_an_error() {
    assert!(Array::zeros(usize::MAX / 16, &unit("m", 1.0)).is_err());
    assert_eq!(Array::zeros(3, &unit("m", 1.0)).unwrap().data, [0.0; 3]);
}
