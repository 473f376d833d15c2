//! A million strings of which a tenth are empty and have no allocation.

use crate::{Bar, Large, Subject, Workload, peers, values::strings, xorshift::Xorshift};

/// `Vec<String>`.
pub const WORKLOAD: Workload = Workload {
    name: "strings, a tenth empty",
    bar: Bar::OverHand(1.3),
    beats_allocative: true,
    size: 1_000_000,
    large: Large::SeveralCaches,
    build: |size| Subject::new(|| build(size), strings::exact, peers::all()),
};

/// Returns `size` strings. The empty ones are at random places, so that the processor cannot
/// predict them.
pub fn build(size: usize) -> Vec<String> {
    let mut random = Xorshift::new(10);
    let mut word = |_| {
        let letters = if random.below(10) == 0 { 0 } else { random.between(4, 36) };
        random.word(letters)
    };
    (0..size).map(&mut word).collect()
}
