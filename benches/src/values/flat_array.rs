//! A flat array: ten million numbers.

use crate::{Bar, Large, Subject, Workload, peers, xorshift::Xorshift};

/// `Vec<f64>`.
pub const WORKLOAD: Workload = Workload {
    name: "numbers",
    bar: Bar::Constant,
    beats_allocative: false,
    size: 10_000_000,
    large: Large::Gibibyte,
    build: |size| Subject::new(|| build(size), exact, peers::all()),
};

/// Returns `size` numbers.
pub fn build(size: usize) -> Vec<f64> {
    let mut random = Xorshift::new(1);
    (0..size).map(|_| random.unit()).collect()
}

/// Returns the exact bytes.
#[allow(clippy::ptr_arg, reason = "the vector's own bytes count")]
pub fn exact(numbers: &Vec<f64>) -> usize {
    size_of_val(numbers) + numbers.capacity() * size_of::<f64>()
}
