//! Random vectors with a header in front of their elements.

use crate::asserted::assert_exact;
use crate::random::Random;
use crate::values::Value;
use memprof::total_bytes;
use thin_vec::ThinVec;

impl<T: Value> Value for ThinVec<T> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut values = match random.below(3) {
                0 => Self::new(),
                1 => Self::with_capacity(random.capacity()),
                _ => T::several(random).into_iter().collect(),
            };
            for _ in 0..random.below(5) {
                match random.below(8) {
                    0 => values.push(T::random(random)),
                    1 => values.extend(T::several(random)),
                    2 => values.truncate(random.capacity()),
                    3 => values.shrink_to_fit(),
                    4 => values = values.clone(),
                    5 => values.retain(|_| random.flip()),
                    6 => values.reserve(random.capacity()),
                    _ => values.clear(),
                }
            }
            values
        })
    }
}

#[test]
fn a_vector_without_elements_owns_nothing_until_it_has_capacity() {
    assert_eq!(total_bytes(&ThinVec::<String>::new()), 8);
    assert_exact(|| ThinVec::<u64>::with_capacity(3));
    assert_eq!(total_bytes(&ThinVec::<u64>::with_capacity(3)), 8 + 16 + 24);
    assert_exact(|| std::iter::repeat_n((), 100).collect::<ThinVec<()>>());
}
