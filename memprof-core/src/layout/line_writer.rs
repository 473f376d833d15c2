//! `LineWriter`: the buffer that it does not show.

/// The bytes that `LineWriter::new` allocates.
///
/// A writer has no accessor for its capacity, so the caller marks them as an estimate.
pub(crate) const BUFFER: usize = 1024;
