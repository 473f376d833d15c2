//! A million strings of 4 to 36 letters.

use crate::{Bar, Large, Subject, Workload, peers, xorshift::Xorshift};

/// `Vec<String>`.
pub const WORKLOAD: Workload = Workload {
    name: "strings",
    bar: Bar::OverHand(1.3),
    beats_allocative: true,
    size: 1_000_000,
    large: Large::Gibibyte,
    build: |size| Subject::new(|| build(size), exact, peers::all()),
};

/// Returns `size` strings, most of them with excess capacity.
pub fn build(size: usize) -> Vec<String> {
    let mut random = Xorshift::new(3);
    let mut word = |_| {
        let letters = random.between(4, 36);
        random.word(letters)
    };
    (0..size).map(&mut word).collect()
}

/// Returns the exact bytes.
#[allow(clippy::ptr_arg, reason = "the vector's own bytes count")]
pub fn exact(strings: &Vec<String>) -> usize {
    let mut bytes = size_of_val(strings) + strings.capacity() * size_of::<String>();
    for string in strings {
        bytes += string.capacity();
    }
    bytes
}
