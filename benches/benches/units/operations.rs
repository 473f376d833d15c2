//! The operations: the same work on a raw vector and on an array that wraps one.

use crate::array::Array;
use crate::unit::{SPEED, Unit};
use memprof::Profile;
use std::hint::black_box;
use std::sync::Arc;

/// Work that can be repeated.
pub(crate) type Work = Box<dyn Fn()>;

/// The same work on both sides.
pub(crate) struct Operation {
    pub(crate) name: &'static str,
    /// The raw side and the wrapped one, for this number of elements.
    pub(crate) sides: fn(usize) -> (Work, Work),
}

pub(crate) const OPERATIONS: [Operation; 4] = [
    Operation { name: "profile", sides: profile },
    Operation { name: "create", sides: create },
    Operation { name: "add", sides: add },
    Operation { name: "scale", sides: scale },
];

fn numbers(len: usize) -> Vec<f64> {
    vec![1.5; len]
}

fn metres_per_second() -> Arc<Unit> {
    Arc::new(Unit::new("m/s", SPEED, 1.0))
}

fn array(len: usize) -> Array {
    Array::new(numbers(len), &metres_per_second())
}

fn work<T>(work: impl Fn() -> T + 'static) -> Work {
    Box::new(move || drop(black_box(work())))
}

fn profile(len: usize) -> (Work, Work) {
    let (raw, wrapped) = (numbers(len), array(len));
    (work(move || Profile::of(black_box(&raw))), work(move || Profile::of(black_box(&wrapped))))
}

fn create(len: usize) -> (Work, Work) {
    let unit = metres_per_second();
    (
        work(move || numbers(black_box(len))),
        work(move || Array::new(numbers(black_box(len)), &unit)),
    )
}

fn add(len: usize) -> (Work, Work) {
    let (raw, wrapped) = (numbers(len), array(len));
    let sum = move || -> Vec<f64> {
        let raw = black_box(&raw);
        raw.iter().zip(raw).map(|(ours, theirs)| ours + theirs).collect()
    };
    (work(sum), work(move || black_box(&wrapped).add(&wrapped)))
}

/// Scales numbers. Both sides copy them, because scaling consumes its operand.
fn scale(len: usize) -> (Work, Work) {
    let (raw, wrapped) = (numbers(len), array(len));
    let scaled = move || {
        let mut scaled = black_box(&raw).clone();
        let factor = black_box(1.0);
        for number in &mut scaled {
            *number *= factor;
        }
        scaled
    };
    (work(scaled), work(move || black_box(&wrapped).clone().scale(black_box(1.0))))
}
