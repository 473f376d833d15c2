//! Random vectors with inline elements, and with elements on the heap.

use crate::asserted::assert_exact;
use crate::random::Random;
use crate::values::Value;
use memprof::Profile;
use smallvec::{Array, SmallVec, smallvec};

impl<A: Array<Item: Value> + 'static> Value for SmallVec<A> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut values: Self = match random.below(4) {
                0 => Self::new(),
                1 => Self::with_capacity(random.capacity()),
                2 => Self::from_vec(Vec::random(random)),
                _ => A::Item::several(random).into(),
            };
            for _ in 0..random.below(5) {
                match random.below(9) {
                    0 => values.push(A::Item::random(random)),
                    1 => values.extend(A::Item::several(random)),
                    2 => values.truncate(random.capacity()),
                    3 => values.shrink_to_fit(),
                    4 => values = values.clone(),
                    5 => values.retain(|_| random.flip()),
                    6 => values.grow(values.len() + random.capacity()),
                    7 => values.clear(),
                    _ => drop(values.drain(..values.len() / 2)),
                }
            }
            values
        })
    }
}

#[test]
fn a_vector_that_spilled_and_shrank_back_is_exact_at_every_step() {
    let mut values: SmallVec<[String; 4]> = smallvec![];
    for number in 0..20 {
        values.push("x".repeat(number));
        assert_exact(|| values.clone());
    }
    values.truncate(3);
    assert!(
        assert_exact(|| {
            let mut values = values.clone();
            values.grow(9);
            values
        })
        .spilled()
    );
    values.shrink_to_fit();
    assert!(!values.spilled());
    assert_exact(|| values.clone());
}

#[test]
fn elements_are_counted_inside_and_on_the_heap() {
    let inside: SmallVec<[u8; 4]> = smallvec![1, 2];
    let spilled: SmallVec<[u8; 1]> = smallvec![1, 2, 3];
    assert_eq!(Profile::of(&inside).root().counts().values, 2);
    assert_eq!(Profile::of(&spilled).root().counts().values, 3);
    let several = vec![inside.clone(), inside];
    assert_eq!(Profile::of(&several).root().counts().values, 2 + 4);
}
