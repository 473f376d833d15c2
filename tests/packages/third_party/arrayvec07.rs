//! Random vectors whose elements are inside their own bytes.

use crate::asserted::assert_exact;
use crate::random::Random;
use crate::values::Value;
use arrayvec::{ArrayString, ArrayVec};
use memprof::MemoryProfile;

impl<T: Value, const N: usize> Value for ArrayVec<T, N> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut values: Self = T::several(random).into_iter().take(N).collect();
            for _ in 0..random.below(3) {
                match random.below(5) {
                    0 if !values.is_full() => values.push(T::random(random)),
                    1 => drop(values.pop()),
                    2 => values = values.clone(),
                    3 => values.retain(|_| random.flip()),
                    _ => values.clear(),
                }
            }
            values
        })
    }
}

impl<const N: usize> Value for ArrayString<N> {
    fn random(random: &mut Random) -> Self {
        (0..random.below(N + 1)).map(|_| 'x').fold(Self::new(), |mut text, letter| {
            text.push(letter);
            text
        })
    }
}

#[test]
fn a_vector_of_scalars_that_owns_nothing_is_flat() {
    assert!(ArrayVec::<u8, 3>::is_flat() && ArrayVec::<String, 0>::is_flat());
    assert!(!ArrayVec::<String, 3>::is_flat());
    assert!(ArrayString::<3>::is_flat());
}

#[test]
fn a_vector_that_lost_its_elements_owns_nothing() {
    assert_exact(|| {
        let mut values: ArrayVec<String, 3> = ArrayVec::new();
        values.push("x".repeat(100));
        values.pop();
        values
    });
}
