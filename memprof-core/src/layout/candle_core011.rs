//! candle-core 0.11: the shared allocations of a tensor and of its storage.

use super::counted;
use super::word::WORD;
use candle_core::{Storage, Tensor};

/// The bytes of a storage without its counts and its elements: a lock of one word, and the
/// `Storage`.
///
/// The storage's address is private, so the caller marks the bytes as an estimate.
pub(crate) const STORAGE: usize = WORD + size_of::<Storage>();

/// Returns the address that identifies a tensor. A tensor is a handle to a value that follows two
/// counts.
pub(crate) fn identity(tensor: &Tensor) -> usize {
    let inside = &**tensor;
    counted::identity((&raw const *inside).addr())
}
