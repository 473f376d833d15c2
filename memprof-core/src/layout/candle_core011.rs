//! candle-core 0.11: the shared memory of a tensor, and of its storage.

use super::counted;
use super::word::WORD;
use candle_core::{Storage, Tensor};

/// The bytes of a storage without its elements, behind its counts: a lock of one word, and the storage.
///
/// Nothing shows where they are, so the caller marks them as an estimate.
pub(crate) const STORAGE: usize = WORD + size_of::<Storage>();

/// Returns the address that identifies a tensor: it is a handle to a value behind two counts.
pub(crate) fn identity(tensor: &Tensor) -> usize {
    let inside = &**tensor;
    counted::identity((&raw const *inside).addr())
}
