//! thin-vec 0.2: the header in front of the elements.

use super::observed::Observed;
use super::word::{READS_PADDING, WORD, words_of};
use thin_vec::ThinVec;

/// The bytes of the header: a length and a capacity.
pub(crate) const HEADER: usize = 2 * WORD;

/// Returns the bytes between the header and the first element, which align the elements.
pub(crate) const fn padding<T>() -> usize {
    HEADER.next_multiple_of(align_of::<T>()) - HEADER
}

/// Returns whether vectors have the described header. They do not if another crate of the build
/// turns on the feature `gecko-ffi`.
pub(crate) fn headers_are_known() -> bool {
    static KNOWN: Observed<bool> = Observed::new();
    KNOWN.get_or_init(|| {
        has_header([1_u8, 2, 3]) && has_header([1_u64, 2, 3]) && has_header([1_u128, 2, 3])
    })
}

/// Returns whether the elements are as far behind the start of the allocation as described.
fn has_header<T>(elements: [T; 3]) -> bool {
    let vector: ThinVec<T> = elements.into_iter().collect();
    let elements = vector.as_ptr().addr();
    header_of(&vector).is_some_and(|header| header + HEADER + padding::<T>() == elements)
}

/// Returns the only word of a vector, which is the address of its header.
fn header_of<T>(vector: &ThinVec<T>) -> Option<usize> {
    if !READS_PADDING {
        return None;
    }
    // SAFETY: a vector changes only through a unique reference, and padding may be read.
    let words: Option<[usize; 1]> = unsafe { words_of(vector) };
    words.map(|[header]| header)
}

#[cfg(test)]
mod tests {
    use super::{has_header, headers_are_known, padding};

    #[repr(align(64))]
    struct Aligned;

    #[test]
    fn vectors_have_the_described_header() {
        assert!(headers_are_known());
        assert!(has_header([1_u16, 2, 3]) && has_header(["a", "b", "c"].map(String::from)));
        assert_eq!((padding::<u8>(), padding::<Aligned>()), (0, 48));
    }
}
