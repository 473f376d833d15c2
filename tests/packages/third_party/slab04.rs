//! Random slabs: filled, thinned out, shrunk.

use crate::asserted::assert_exact;
use crate::random::Random;
use crate::values::Value;
use memprof::Profile;
use slab::Slab;

impl<T: Value> Value for Slab<T> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut slab = match random.below(3) {
                0 => Self::new(),
                1 => Self::with_capacity(random.capacity()),
                _ => T::several(random).into_iter().enumerate().collect(),
            };
            for _ in 0..random.below(6) {
                match random.below(8) {
                    0..3 => T::several(random).into_iter().for_each(|value| {
                        slab.insert(value);
                    }),
                    3 => slab.retain(|_, _| random.flip()),
                    4 => slab.shrink_to_fit(),
                    5 => slab = slab.clone(),
                    6 => slab.reserve(random.capacity()),
                    _ => slab.clear(),
                }
            }
            slab
        })
    }
}

#[test]
fn vacant_entries_are_spare() {
    let slab = assert_exact(|| {
        let mut slab: Slab<u64> = (0..8).map(|key| (key, 0)).collect();
        slab.retain(|key, _| key == 2);
        slab
    });
    let profile = Profile::of(&slab);
    let statistics = profile.statistics();
    assert_eq!(statistics.spare, (slab.capacity() as u64 - 1) * 16);
    assert_eq!(profile.root().counts().values, 1);
}

#[test]
fn an_empty_slab_is_exact() {
    assert_exact(Slab::<String>::new);
    assert_exact(|| Slab::<String>::with_capacity(7));
}
