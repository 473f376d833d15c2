//! arrow 60: what a buffer keeps beside its memory, and where.

use super::counted;
use super::word::{READS_PADDING, WORD, words_of};
use arrow_array::ArrayRef;
use arrow_buffer::{Buffer, MutableBuffer};
use arrow_schema::FieldRef;
use std::sync::OnceLock;

/// The header beside the counts: address, length and how to free the memory. It is a word larger than
/// a mutable buffer, and both have one more field where arrow's memory pools are compiled in.
///
/// Nothing shows it in public. It is that of arrow 60, whatever the compiler: words without padding.
pub(crate) const HEADER: usize = size_of::<MutableBuffer>() + WORD;

/// The bytes of a mutable buffer without memory pools.
pub(crate) const PLAIN: usize = 4 * WORD;

/// A buffer's capacity is a multiple of it once it has shrunk.
pub(crate) const ROUNDING: usize = 64;

/// The bytes of a column's place in a union.
///
/// Nothing shows how many places there are, so the caller marks them as an estimate.
pub(crate) const UNION_COLUMN: usize = size_of::<Option<ArrayRef>>();

/// The bytes of a field in the list of a union's fields, which stand behind two counts.
pub(crate) const UNION_FIELD: usize = size_of::<(i8, FieldRef)>();

/// Returns the address that identifies a list of fields: they stand behind two counts.
pub(crate) fn fields_identity(fields: &[FieldRef]) -> usize {
    counted::identity(fields.as_ptr().addr())
}

/// Returns the address that identifies the list of a union's fields.
pub(crate) fn union_fields_identity(first: &(i8, FieldRef)) -> usize {
    counted::identity((&raw const *first).addr())
}

/// Returns the address that identifies a buffer: that of the header, or else of the memory.
pub(crate) fn identity(buffer: &Buffer) -> usize {
    header_of(buffer).unwrap_or_else(|| buffer.data_ptr().addr().get())
}

/// Returns where the header is.
pub(crate) fn header_of(buffer: &Buffer) -> Option<usize> {
    static PLACE: OnceLock<Option<usize>> = OnceLock::new();
    let place = *PLACE.get_or_init(|| {
        let known = Buffer::from(&[1_u8, 2, 3]).slice_with_length(1, 2);
        let words = words_of_buffer(&known)?;
        let public = [known.as_ptr().addr(), known.len()];
        let mut left = (0..words.len()).filter(|&place| !public.contains(&words[place]));
        left.next().filter(|_| left.next().is_none())
    });
    place.and_then(|place| Some(words_of_buffer(buffer)?[place]))
}

/// Reads the three words of a buffer: its header's address, its own, and its length.
fn words_of_buffer(buffer: &Buffer) -> Option<[usize; 3]> {
    if !READS_PADDING {
        return None;
    }
    // SAFETY: a buffer changes by a unique reference only, and padding may be read.
    unsafe { words_of(buffer) }
}
