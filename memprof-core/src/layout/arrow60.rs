//! arrow 60: the private words of a buffer, and their indices.

use super::counted;
use super::observed::Observed;
use super::word::{READS_PADDING, WORD, words_of};
use arrow_array::ArrayRef;
use arrow_buffer::{Buffer, MutableBuffer};
use arrow_schema::FieldRef;

/// The bytes of the header after the counts: the address, the length and the way to free the
/// memory. The header is one word larger than a mutable buffer. Both have one more field if arrow
/// is compiled with memory pools.
///
/// The size is not public. This is the layout of arrow 60 with any compiler, because it consists of
/// words without padding.
pub(crate) const HEADER: usize = size_of::<MutableBuffer>() + WORD;

/// The bytes of a mutable buffer without memory pools.
pub(crate) const PLAIN: usize = 4 * WORD;

/// The unit to which arrow rounds the capacity of a buffer when it shrinks.
pub(crate) const ROUNDING: usize = 64;

/// The bytes of one column slot in a union.
///
/// The number of slots is not public, so the caller marks the bytes as an estimate.
pub(crate) const UNION_COLUMN: usize = size_of::<Option<ArrayRef>>();

/// The bytes of one field in a union's list of fields. The list is in an `Arc`, after its two
/// counts.
pub(crate) const UNION_FIELD: usize = size_of::<(i8, FieldRef)>();

/// Returns the address that identifies a list of fields. The list is in an `Arc`, after its two
/// counts.
pub(crate) fn fields_identity(fields: &[FieldRef]) -> usize {
    counted::identity(fields.as_ptr().addr())
}

/// Returns the address that identifies the list of a union's fields.
pub(crate) fn union_fields_identity(first: &(i8, FieldRef)) -> usize {
    counted::identity((&raw const *first).addr())
}

/// Returns the address that identifies a buffer: the address of the header, or of the data if the
/// header is not found.
pub(crate) fn identity(buffer: &Buffer) -> usize {
    header_of(buffer).unwrap_or_else(|| buffer.data_ptr().addr().get())
}

/// Returns the address of a buffer's header.
pub(crate) fn header_of(buffer: &Buffer) -> Option<usize> {
    static INDEX: Observed<Option<usize>> = Observed::new();
    let index = INDEX.get_or_init(|| {
        let known = Buffer::from(&[1_u8, 2, 3]).slice_with_length(1, 2);
        let words = words_of_buffer(&known)?;
        let public = [known.as_ptr().addr(), known.len()];
        let mut unmatched = (0..words.len()).filter(|&index| !public.contains(&words[index]));
        unmatched.next().filter(|_| unmatched.next().is_none())
    });
    index.and_then(|index| Some(words_of_buffer(buffer)?[index]))
}

/// Reads the three words of a buffer: the header's address, the start and the length.
fn words_of_buffer(buffer: &Buffer) -> Option<[usize; 3]> {
    if !READS_PADDING {
        return None;
    }
    // SAFETY: a buffer changes only through a unique reference, and padding may be read.
    unsafe { words_of(buffer) }
}
