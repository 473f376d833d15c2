//! ndarray 0.17: arrays of several dimensions, which own, share or borrow a buffer.
//!
//! An array exposes its elements, but not the capacity of its buffer. An owned array with a fixed
//! number of dimensions consists only of words, so the words of its buffer can be read.
#![expect(
    unsafe_code,
    reason = "an array does not expose the capacity and the header of its buffer"
)]

use crate::MemoryProfile;
use crate::impls::std::scalar::impl_flat;
use crate::impls::std::shared::add_counts;
use crate::layout::observed::Observed;
use crate::layout::word::{READS_PADDING, WORD, index_of, only, word_at};
use crate::state::Tally;
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Position, Walk};
use ndarray::{
    ArcArray, Array, ArrayBase, ArrayView, ArrayViewMut, Axis, CowArray, Dim, Dimension, IxDyn,
    OwnedArcRepr, OwnedRepr, RawArrayView, RawArrayViewMut, RawData, Slice,
};

impl<A: MemoryProfile, D: Dimension> MemoryProfile for ArrayBase<OwnedRepr<A>, D> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_dimensions(self, walk, at);
        let Some((start, len, capacity)) = buffer_of(self) else {
            report_elements(self, walk);
            add_estimate::<A>(self.len(), walk, at);
            add_elements(self, walk, at);
            return;
        };
        // No method shrinks an array, so its spare capacity does not count as shrinkable.
        walk.buffers::<A>(at, Tally::of(len, len.min(capacity)));
        // For zero-sized elements, the array has no capacity, and this adds 0 bytes.
        walk.leaf(at, LeafKind::Spare, capacity.saturating_sub(len) * size_of::<A>());
        walk.count_allocations(at, usize::from(capacity != 0 && len == 0));
        walk.block_of(start, capacity * size_of::<A>());
        add_elements(self, walk, at);
        if len != self.len() && !A::is_flat() {
            // Slicing an owned array leaves elements in its buffer that cannot be reached.
            walk.opaque(at, OpaqueReason::Foreign);
        }
    }
}

/// The shared pointer leads to the buffer's header, which is private.
impl<A: MemoryProfile, D: Dimension> MemoryProfile for ArrayBase<OwnedArcRepr<A>, D> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_dimensions(self, walk, at);
        let strong = || usize::from(self.is_unique());
        walk.shared(at, identity(self), strong, |walk, at| {
            add_counts(walk, at);
            walk.leaf(at, LeafKind::Inline, size_of::<OwnedRepr<A>>());
            walk.count_allocations(at, 1);
            if let Some(header) = header_of(self) {
                walk.block(header);
            }
            report_elements(self, walk);
            add_estimate::<A>(self.len(), walk, at);
            add_elements(self, walk, at);
        });
    }
}

impl<A: MemoryProfile, D: Dimension> MemoryProfile for CowArray<'_, A, D> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_dimensions(self, walk, at);
        if self.is_owned() {
            report_elements(self, walk);
            add_estimate::<A>(self.len(), walk, at);
            add_elements(self, walk, at);
        }
    }
}

/// Implements `MemoryProfile` for views, which own nothing unless their dimensions are on the heap.
macro_rules! views {
    ($($view:ty;)*) => {$(
        impl<A, D: Dimension> MemoryProfile for $view {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                add_dimensions(self, walk, at);
            }

            #[inline]
            fn is_flat() -> bool {
                D::NDIM.is_some()
            }
        }
    )*};
}

views! {
    ArrayView<'_, A, D>;
    ArrayViewMut<'_, A, D>;
    RawArrayView<A, D>;
    RawArrayViewMut<A, D>;
}

impl_flat! {
    [const N: usize] Dim<[usize; N]>;
    [] Axis;
    [] Slice;
}

impl MemoryProfile for IxDyn {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_dimension_list(self.slice(), self, walk, at);
    }
}

/// Adds the heap memory of the lengths and strides of the axes.
fn add_dimensions<S: RawData, D: Dimension>(
    array: &ArrayBase<S, D>,
    walk: &mut Walk<'_>,
    at: Position,
) {
    if D::NDIM.is_none() {
        add_dimension_list(array.shape(), array, walk, at);
        add_dimension_list(array.strides(), array, walk, at);
    }
}

fn report_elements<S: RawData, D: Dimension>(array: &ArrayBase<S, D>, walk: &mut Walk<'_>) {
    walk.block_of(array.as_ptr().addr(), array.len() * size_of::<S::Elem>());
}

/// Adds nothing if the list is stored inline in `value`.
fn add_dimension_list<N, T>(list: &[N], value: &T, walk: &mut Walk<'_>, at: Position) {
    let address = list.as_ptr().addr();
    let start = (&raw const *value).addr();
    let is_inside = (start..start + size_of::<T>()).contains(&address);
    let bytes = if is_inside { 0 } else { size_of_val(list) };
    walk.count_allocations(at, usize::from(bytes != 0));
    walk.leaf(at, LeafKind::Inline, bytes);
    walk.block_of(address, bytes);
}

/// Adds an estimate of a buffer: the bytes of the `len` elements that the array can index.
fn add_estimate<A>(len: usize, walk: &mut Walk<'_>, at: Position) {
    let bytes = len * size_of::<A>();
    walk.count_values(at, len);
    walk.count_allocations(at, usize::from(bytes != 0));
    walk.leaves(at, [(LeafKind::Data, bytes)], false);
}

fn add_elements<'a, A: MemoryProfile, S, D>(
    array: &'a ArrayBase<S, D>,
    walk: &mut Walk<'a>,
    at: Position,
) where
    S: ndarray::Data<Elem = A>,
    D: Dimension,
{
    match array.as_slice_memory_order() {
        Some(elements) => walk.slice(elements, at),
        None => walk.values(array, at),
    }
}

/// The words of an array: at most three of a buffer, a pointer, and a length and a stride per
/// dimension. There are at most six dimensions. The remaining words are 0.
type ArrayWords = [usize; 16];

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
fn buffer_of<A, D: Dimension>(array: &Array<A, D>) -> Option<(usize, usize, usize)> {
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

/// The address of the header, or the start of the view if the header is not found.
fn identity<A, D: Dimension>(array: &ArcArray<A, D>) -> usize {
    header_of(array).unwrap_or_else(|| array.as_ptr().addr())
}

fn header_of<A, D: Dimension>(array: &ArcArray<A, D>) -> Option<usize> {
    words_of_array(array).and_then(|words| header_index::<D>().map(|index| words[index]))
}

/// The largest number of dimensions that a type can fix.
const MAX_DIMENSIONS: usize = 6;

/// One index for each number of dimensions, found once.
type PerDimensions = [Observed<Option<usize>>; MAX_DIMENSIONS + 1];

/// The length and the capacity follow the address. The index is the same for all element types,
/// because none of these words depends on the element type.
fn buffer_index<D: Dimension>() -> Option<usize> {
    static INDICES: PerDimensions = [const { Observed::new() }; MAX_DIMENSIONS + 1];
    INDICES.get(D::NDIM?)?.get_or_init(|| {
        let array = known_array::<D>()?;
        let words = words_of_array(&array)?;
        let index = index_of(&words, KNOWN_CAPACITY)?.checked_sub(2)?;
        let known = words[index] == array.as_ptr().addr() && words[index + 1] == array.len();
        known.then_some(index)
    })
}

fn header_index<D: Dimension>() -> Option<usize> {
    static INDICES: PerDimensions = [const { Observed::new() }; MAX_DIMENSIONS + 1];
    INDICES.get(D::NDIM?)?.get_or_init(|| {
        let array = known_array::<D>()?.into_shared();
        let words = words_of_array(&array)?;
        // Lengths and strides are small numbers, and only two words are addresses.
        let first = array.as_ptr().addr();
        let is_header = |word| word > KNOWN_CAPACITY && word != first;
        only((0..words.len()).filter(|&index| is_header(words[index])))
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

#[cfg(test)]
mod tests;
