//! candle-core 0.11: the shared allocations of a tensor and of its storage.

use super::counted;
use super::word::WORD;
use candle_core::{Storage, Tensor};

/// The bytes of a storage without its elements, after its counts: a lock of one word, and the
/// storage.
///
/// The storage's address is private, so the caller marks the bytes as an estimate.
pub(crate) const STORAGE: usize = WORD + size_of::<Storage>();

/// Returns the address that identifies a tensor, which is a handle to a value after two counts.
pub(crate) fn identity(tensor: &Tensor) -> usize {
    let inside = &**tensor;
    counted::identity((&raw const *inside).addr())
}
