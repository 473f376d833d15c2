//! url 2: URLs, which own their text but do not expose its capacity.

use crate::MemoryProfile;
use crate::impls::std::wrapper::enums;
use crate::tree::LeafKind;
use crate::walk::{Position, Walk};
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

enums! { [S: MemoryProfile] Host<S> { Domain: S } }

crate::impls::std::scalar::impl_flat! { ParseError }
