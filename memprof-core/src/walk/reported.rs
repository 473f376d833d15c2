//! Values whose bytes another crate's trait reports.
//!
//! A type of another crate may implement `get_size2::GetSize` and not
//! [`MemoryProfile`](trait@crate::MemoryProfile). A wrapper of this module makes it a part of a
//! profile. Its owned bytes are an estimate, because the trait reports a single number. The number
//! may exclude excess capacity, and may count shared memory several times.

use crate::MemoryProfile;
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Position, Walk};
use get_size2::GetSize;

/// A value whose owned bytes [`GetSize`] of get-size2 0.11 reports.
///
/// The bytes are one estimated leaf. If [`GetSize`] reports 0 bytes but the type has drop glue, the
/// value is marked `foreign`.
///
/// ```
/// use get_size2::GetSize;
/// use memprof::Profile;
/// use memprof_core::walk::reported::GetSize2;
///
/// /// A type that implements `GetSize` and not `MemoryProfile`.
/// struct Index { rows: Vec<u64> }
///
/// impl GetSize for Index {
///     fn get_heap_size(&self) -> usize {
///         self.rows.capacity() * 8
///     }
/// }
///
/// let profile = Profile::of(&GetSize2(Index { rows: vec![1, 2, 3] }));
/// assert_eq!(profile.total_bytes(), 24 + 3 * 8);
/// assert!(!profile.is_exact());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "it wraps a value and nothing else")]
#[repr(transparent)]
pub struct GetSize2<T>(pub T);

impl<T: GetSize> MemoryProfile for GetSize2<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let bytes = self.0.get_heap_size();
        walk.estimated(at, LeafKind::Data, bytes);
        if bytes == 0 && core::mem::needs_drop::<T>() {
            // A zero-byte estimate leaves no mark.
            walk.opaque(at, OpaqueReason::Foreign);
        }
    }

    fn type_name(&self) -> &'static str {
        core::any::type_name::<T>()
    }
}
