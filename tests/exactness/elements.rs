//! Collections whose elements a function profiles, as if the elements' type were from another
//! crate.

use crate::random::Random;
use crate::values::Value;
use memprof::MemoryProfile;
use memprof::walk::{Each, Position, Walk};

/// A collection whose elements the walk visits through a function only.
#[derive(Clone, Debug)]
pub(crate) struct ByFunction<C>(C);

impl<C: Each<Element: MemoryProfile>> MemoryProfile for ByFunction<C> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.0.each(C::Element::owned, walk, at);
    }
}

impl<C: Value + Each<Element: MemoryProfile>> Value for ByFunction<C> {
    fn random(random: &mut Random) -> Self {
        Self(C::random(random))
    }
}
