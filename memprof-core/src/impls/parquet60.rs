//! parquet 60: the metadata of a file, which reports its own size.

use crate::MemoryProfile;
use crate::tree::LeafKind;
use crate::walk::{Position, Walk};
use parquet::file::metadata::ParquetMetaData;

/// The bytes are an estimate. parquet counts shared memory once per handle, and does not count the
/// excess capacity of text.
impl MemoryProfile for ParquetMetaData {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let bytes = self.memory_size().saturating_sub(size_of::<Self>());
        walk.estimated(at, LeafKind::Data, bytes);
    }
}
