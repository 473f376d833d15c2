//! ndarray 0.17: arrays of several dimensions, which own, share or borrow a buffer.
//!
//! An array tells which elements it shows, not how many its buffer has room for. With a fixed number
//! of dimensions an owned array is made of words alone, so that those that say so can be read.

use crate::impls::std::entries::add_owned;
use crate::impls::std::flat::flat;
use crate::probe::{self, ArrayWords};
use crate::{At, Kind, MemoryProfile, Opaque, Tally, Walk};
use ndarray::{
    ArcArray, Array, ArrayBase, ArrayView, ArrayViewMut, Axis, CowArray, Dim, Dimension, IxDyn,
    OwnedArcRepr, OwnedRepr, RawArrayView, RawArrayViewMut, RawData, Slice,
};
use std::sync::OnceLock;

impl<A: MemoryProfile, D: Dimension> MemoryProfile for ArrayBase<OwnedRepr<A>, D> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        if at.is_deep() && !A::is_flat() {
            walk.defer(self, at);
            return;
        }
        add_dimensions(self, walk, at);
        let Some((start, len, capacity)) = buffer_of(self) else {
            tell_shown(self, walk);
            add_estimate::<A>(self.len(), walk, at);
            add_shown(self, walk, at);
            return;
        };
        walk.buffers::<A>(at, Tally::of(len, capacity));
        walk.block_of(start, capacity * size_of::<A>());
        add_shown(self, walk, at);
        if len != self.len() && !A::is_flat() {
            // Slicing an array that is owned leaves elements in its buffer that nobody can reach.
            walk.opaque(at, Opaque::Foreign);
        }
    }
}

/// The header that keeps the buffer is behind the shared pointer, where it can't be seen.
impl<A: MemoryProfile, D: Dimension> MemoryProfile for ArrayBase<OwnedArcRepr<A>, D> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        if at.is_deep() && !A::is_flat() {
            walk.defer(self, at);
            return;
        }
        add_dimensions(self, walk, at);
        let strong = || usize::from(self.is_unique());
        walk.shared(at, identity(self), strong, |walk, at| {
            walk.leaf(at, Kind::Counts, 2 * size_of::<usize>());
            walk.leaf(at, Kind::Inline, size_of::<OwnedRepr<A>>());
            walk.count_allocations(at, 1);
            if let Some(header) = header_of(self) {
                walk.block(header);
            }
            tell_shown(self, walk);
            add_estimate::<A>(self.len(), walk, at);
            add_shown(self, walk, at);
        });
    }
}

impl<A: MemoryProfile, D: Dimension> MemoryProfile for CowArray<'_, A, D> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        if at.is_deep() && !A::is_flat() {
            walk.defer(self, at);
            return;
        }
        add_dimensions(self, walk, at);
        if self.is_owned() {
            tell_shown(self, walk);
            add_estimate::<A>(self.len(), walk, at);
            add_shown(self, walk, at);
        }
    }
}

/// One row a view: references, but for dimensions on the heap.
macro_rules! views {
    ($($view:ty;)*) => {$(
        impl<A, D: Dimension> MemoryProfile for $view {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
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

flat! {
    [const N: usize] Dim<[usize; N]>;
    [] Axis;
    [] Slice;
}

impl MemoryProfile for IxDyn {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        add_dimension_list(self.ndim(), 1, walk, at);
        walk.block_of(self.slice().as_ptr().addr(), on_heap(self.ndim()));
    }
}

/// Adds what the lengths and strides of the axes take on the heap.
fn add_dimensions<S: RawData, D: Dimension>(array: &ArrayBase<S, D>, walk: &mut Walk<'_>, at: At) {
    if D::NDIM.is_none() {
        add_dimension_list(array.ndim(), 2, walk, at);
        walk.block_of(array.shape().as_ptr().addr(), on_heap(array.ndim()));
        walk.block_of(array.strides().as_ptr().addr(), on_heap(array.ndim()));
    }
}

/// The dimensions of a list that is on the heap, else 0.
fn on_heap(dimensions: usize) -> usize {
    if dimensions > 4 { dimensions } else { 0 }
}

/// Tells where the elements of an array are, if it shows any.
fn tell_shown<S: RawData, D: Dimension>(array: &ArrayBase<S, D>, walk: &mut Walk<'_>) {
    walk.block_of(array.as_ptr().addr(), array.len() * size_of::<S::Elem>());
}

/// Adds lists of a number per dimension, which stand on the heap where there are more than four.
fn add_dimension_list(dimensions: usize, lists: usize, walk: &mut Walk<'_>, at: At) {
    walk.count_allocations(at, if on_heap(dimensions) == 0 { 0 } else { lists });
    walk.leaf(at, Kind::Inline, lists * on_heap(dimensions) * size_of::<usize>());
}

/// Adds a buffer of which only the elements that an array shows are known.
fn add_estimate<A>(shown: usize, walk: &mut Walk<'_>, at: At) {
    let bytes = shown * size_of::<A>();
    walk.count_values(at, shown);
    walk.count_allocations(at, usize::from(bytes != 0));
    walk.estimated(at, Kind::Data, bytes);
    if bytes == 0 {
        // An estimate of nothing is no mark, yet there may be a buffer that nothing shows.
        walk.opaque(at, Opaque::Foreign);
    }
}

/// Adds what the elements that an array shows own.
fn add_shown<'a, A: MemoryProfile, S, D>(array: &'a ArrayBase<S, D>, walk: &mut Walk<'a>, at: At)
where
    S: ndarray::Data<Elem = A>,
    D: Dimension,
{
    if A::is_flat() {
        return;
    }
    if let Some(elements) = array.as_slice_memory_order() {
        walk.slice(elements, at.deeper());
        return;
    }
    add_owned(array.iter(), array.len(), walk, at);
}

/// Where the buffer of an array starts, how many elements it has, and has room for, if its words tell.
fn buffer_of<A, D: Dimension>(array: &Array<A, D>) -> Option<(usize, usize, usize)> {
    let words = probe::words_of_array(array)?;
    let place = place_of_buffer::<D>()?;
    let (start, len, capacity) = (words[place], words[place + 1], words[place + 2]);
    let first = array.as_ptr().addr();
    let offset = first.checked_sub(start)?;
    let plausible = len <= capacity
        && array.len() <= len
        && offset.is_multiple_of(size_of::<A>().max(1))
        && offset <= len.checked_mul(size_of::<A>())?;
    // Buffers of elements without size are never allocated, whatever their capacity says.
    plausible.then_some((start, len, if size_of::<A>() == 0 { 0 } else { capacity }))
}

/// What tells one shared buffer from others: where its header is, else where the view starts.
fn identity<A, D: Dimension>(array: &ArcArray<A, D>) -> usize {
    header_of(array).unwrap_or_else(|| array.as_ptr().addr())
}

/// Where the header of a shared buffer is.
fn header_of<A, D: Dimension>(array: &ArcArray<A, D>) -> Option<usize> {
    probe::words_of_array(array).and_then(|words| place_of_header::<D>().map(|place| words[place]))
}

/// The most dimensions that a type can fix.
const MOST_DIMENSIONS: usize = 6;

/// What is found once for each number of dimensions.
type PerDimensions = [OnceLock<Option<usize>>; MOST_DIMENSIONS + 1];

/// Where arrays keep the address, the length and the capacity of their buffer, side by side: the same
/// for all elements, as none of these words depends on them.
fn place_of_buffer<D: Dimension>() -> Option<usize> {
    static PLACES: PerDimensions = [const { OnceLock::new() }; MOST_DIMENSIONS + 1];
    *PLACES.get(D::NDIM?)?.get_or_init(|| {
        let array = known_array::<D>()?;
        let words = probe::words_of_array(&array)?;
        let place = sole_place(&words, |word| word == KNOWN_CAPACITY)?.checked_sub(2)?;
        let known = words[place] == array.as_ptr().addr() && words[place + 1] == array.len();
        known.then_some(place)
    })
}

/// Where arrays that share a buffer keep the address of its header.
fn place_of_header<D: Dimension>() -> Option<usize> {
    static PLACES: PerDimensions = [const { OnceLock::new() }; MOST_DIMENSIONS + 1];
    *PLACES.get(D::NDIM?)?.get_or_init(|| {
        let array = known_array::<D>()?.into_shared();
        let words = probe::words_of_array(&array)?;
        // Lengths and strides are small numbers, and there are two addresses.
        let first = array.as_ptr().addr();
        sole_place(&words, |word| word > KNOWN_CAPACITY && word != first)
    })
}

const KNOWN_CAPACITY: usize = 1000;

/// An array of two elements in each dimension, whose buffer has room for many more.
fn known_array<D: Dimension>() -> Option<Array<u8, D>> {
    let mut lengths = D::zeros(D::NDIM?);
    lengths.slice_mut().fill(2);
    let mut elements = Vec::with_capacity(KNOWN_CAPACITY);
    elements.resize(lengths.size(), 0);
    Array::from_shape_vec(lengths, elements).ok()
}

/// The one place of a word that is wanted.
fn sole_place(words: &ArrayWords, wanted: impl Fn(usize) -> bool) -> Option<usize> {
    let mut places = (0..words.len()).filter(|&place| wanted(words[place]));
    places.next().filter(|_| places.next().is_none())
}

#[cfg(test)]
mod tests;
