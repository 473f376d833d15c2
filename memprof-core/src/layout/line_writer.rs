//! `LineWriter`: the size of its private buffer.

/// The bytes that `LineWriter::new` allocates.
///
/// A writer has no accessor for its capacity, so the caller marks the bytes as an estimate.
pub(crate) const BUFFER: usize = 1024;
