//! Intervals of estimates over adversarial and benign values, compared with the truth.
//!
//! `cargo test` estimates 40 values of each class, and `cargo xtask estimates` 10,000.

#![expect(
    clippy::box_collection,
    clippy::type_complexity,
    reason = "values of unusual types are made on purpose"
)]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "sizes of test values are small, and shares need few digits"
)]

mod classes;
mod places;
mod random;
mod speed;
mod trials;

use classes::CLASSES;
use memprof_test_support::rounds;
use trials::{Figures, figures_of};

/// The share of values whose interval must contain the truth, or whose result must be unknown.
const MIN_COVERED: f64 = 0.94;

/// The maximum share of benign values whose result may be unknown.
const MAX_UNKNOWN: f64 = 0.05;

#[test]
fn intervals_of_a_few_values_of_each_class_contain_the_truth() {
    for class in &CLASSES {
        let values = if cfg!(miri) { 1 } else { rounds(40, 150) };
        figures_of(class, values).expect(MIN_COVERED, MAX_UNKNOWN);
    }
}

#[test]
#[ignore = "takes minutes: `cargo xtask estimates` runs it, with figures"]
fn intervals_of_10_000_values_of_each_class_contain_the_truth() {
    let count = std::env::var("MEMPROF_ESTIMATES_VALUES").ok();
    let count = count.map_or(10_000, |count| count.parse().expect("it is a number"));
    println!("{}", Figures::HEAD);
    let figures: Vec<Figures> = CLASSES
        .iter()
        .map(|class| {
            let figures = figures_of(class, count);
            println!("{figures}");
            figures
        })
        .collect();
    for figures in &figures {
        figures.expect(MIN_COVERED, MAX_UNKNOWN);
    }
}
