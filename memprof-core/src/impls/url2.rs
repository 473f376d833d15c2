//! url 2: URLs, which own their text but do not expose its capacity.

use crate::MemoryProfile;
use crate::tree::LeafKind;
use crate::walk::{Field, Position, Shape, Walk};
use url::{Host, ParseError, Url};

/// The length of the text is known. The estimate assumes no spare capacity, which is true after
/// cloning.
impl MemoryProfile for Url {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.count_allocations(at, 1);
        walk.estimated(at, LeafKind::Data, self.as_str().len());
        walk.block(self.as_str().as_ptr().addr());
    }
}

impl<S: MemoryProfile> MemoryProfile for Host<S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if let Host::Domain(name) = self {
            let fields = walk.fields(at, Self::shape());
            name.owned(walk, fields.at(0));
        }
    }

    fn shape() -> &'static Shape {
        const { &Shape::lump::<Self>(const { &[Field::frame("Domain")] }) }
    }

    #[inline]
    fn is_flat() -> bool {
        S::is_flat()
    }
}

crate::impls::std::scalar::impl_flat! {
    [] ParseError;
}
