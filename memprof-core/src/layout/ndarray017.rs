//! ndarray 0.17: the words of an array, which contain the address and size of its buffer.

use super::observed::Observed;
use super::word::{READS_PADDING, WORD, word_at};
use ndarray::{ArcArray, Array, ArrayBase, Dimension, OwnedArcRepr, OwnedRepr, RawData};

/// The words of an array: at most three of a buffer, a pointer, and a length and a stride per
/// dimension. There are at most six dimensions. The remaining words are 0.
type ArrayWords = [usize; 16];

/// Reads the words of an array that owns or shares its buffer.
///
/// Returns `None` if the number of dimensions is not fixed, or if the array contains anything
/// besides words.
fn words_of_array<S: BufferWords, D: Dimension>(array: &ArrayBase<S, D>) -> Option<ArrayWords> {
    let mut words = [0; 16];
    let count = S::WORDS + 1 + 2 * D::NDIM?;
    let (size, align) = (size_of::<ArrayBase<S, D>>(), align_of::<ArrayBase<S, D>>());
    if !READS_PADDING || size != count * WORD || align != WORD || count > words.len() {
        return None;
    }
    let first = (&raw const *array).cast::<usize>();
    for (index, word) in words.iter_mut().enumerate().take(count) {
        // SAFETY: the word lies inside `*array`, which is borrowed and aligned to words, and
        // padding may be read. An array changes only through a unique reference.
        *word = unsafe { word_at(first.wrapping_add(index)) };
    }
    Some(words)
}

/// The number of an array's words that describe its buffer.
trait BufferWords: RawData {
    const WORDS: usize;
}

/// The buffer is a pointer, a length and a capacity.
impl<A> BufferWords for OwnedRepr<A> {
    const WORDS: usize = 3;
}

/// The buffer is an `Arc`.
impl<A> BufferWords for OwnedArcRepr<A> {
    const WORDS: usize = 1;
}

/// Returns the start, length and capacity of an array's buffer, if its words are as expected.
pub(crate) fn buffer_of<A, D: Dimension>(array: &Array<A, D>) -> Option<(usize, usize, usize)> {
    let words = words_of_array(array)?;
    let index = buffer_index::<D>()?;
    let (start, len, capacity) = (words[index], words[index + 1], words[index + 2]);
    let first = array.as_ptr().addr();
    let offset = first.checked_sub(start)?;
    let plausible = len <= capacity
        && array.len() <= len
        && offset % size_of::<A>().max(1) == 0
        && offset <= len.checked_mul(size_of::<A>())?;
    // A buffer of zero-sized elements is never allocated, whatever its capacity.
    plausible.then_some((start, len, if size_of::<A>() == 0 { 0 } else { capacity }))
}

/// Returns the address that identifies a shared buffer: the address of the header, or the start of
/// the view if the header is not found.
pub(crate) fn identity<A, D: Dimension>(array: &ArcArray<A, D>) -> usize {
    header_of(array).unwrap_or_else(|| array.as_ptr().addr())
}

/// Returns the address of a shared buffer's header.
pub(crate) fn header_of<A, D: Dimension>(array: &ArcArray<A, D>) -> Option<usize> {
    words_of_array(array).and_then(|words| header_index::<D>().map(|index| words[index]))
}

/// The largest number of dimensions that a type can fix.
const MAX_DIMENSIONS: usize = 6;

/// One index for each number of dimensions, found once.
type PerDimensions = [Observed<Option<usize>>; MAX_DIMENSIONS + 1];

/// Returns the index of the buffer's address. The length and the capacity follow the address. The
/// index is the same for all element types, because none of these words depends on the element
/// type.
fn buffer_index<D: Dimension>() -> Option<usize> {
    static INDICES: PerDimensions = [const { Observed::new() }; MAX_DIMENSIONS + 1];
    INDICES.get(D::NDIM?)?.get_or_init(|| {
        let array = known_array::<D>()?;
        let words = words_of_array(&array)?;
        let index = unique_index(&words, |word| word == KNOWN_CAPACITY)?.checked_sub(2)?;
        let known = words[index] == array.as_ptr().addr() && words[index + 1] == array.len();
        known.then_some(index)
    })
}

/// Returns the index of the word that holds the header's address, in an array that shares its
/// buffer.
fn header_index<D: Dimension>() -> Option<usize> {
    static INDICES: PerDimensions = [const { Observed::new() }; MAX_DIMENSIONS + 1];
    INDICES.get(D::NDIM?)?.get_or_init(|| {
        let array = known_array::<D>()?.into_shared();
        let words = words_of_array(&array)?;
        // Lengths and strides are small numbers, and only two words are addresses.
        let first = array.as_ptr().addr();
        unique_index(&words, |word| word > KNOWN_CAPACITY && word != first)
    })
}

const KNOWN_CAPACITY: usize = 1000;

/// Returns an array of two elements in each dimension, whose buffer has the capacity
/// [`KNOWN_CAPACITY`].
fn known_array<D: Dimension>() -> Option<Array<u8, D>> {
    let mut lengths = D::zeros(D::NDIM?);
    lengths.slice_mut().fill(2);
    let mut elements = Vec::with_capacity(KNOWN_CAPACITY);
    elements.resize(lengths.size(), 0);
    Array::from_shape_vec(lengths, elements).ok()
}

/// Returns the index of the wanted word, if there is exactly one.
fn unique_index(words: &ArrayWords, wanted: impl Fn(usize) -> bool) -> Option<usize> {
    let mut indices = (0..words.len()).filter(|&index| wanted(words[index]));
    indices.next().filter(|_| indices.next().is_none())
}

#[cfg(test)]
mod tests;
