//! ndarray 0.17: arrays of several dimensions, which own, share or borrow a buffer.
//!
//! An array exposes its elements, but not the capacity of its buffer. An owned array with a fixed
//! number of dimensions consists only of words, so the words of its buffer can be read.

use crate::MemoryProfile;
use crate::impls::std::scalar::impl_flat;
use crate::impls::std::shared::add_counts;
use crate::layout::ndarray017::{buffer_of, header_of, identity};
use crate::state::Tally;
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Position, Walk};
use ndarray::{
    ArrayBase, ArrayView, ArrayViewMut, Axis, CowArray, Dim, Dimension, IxDyn, OwnedArcRepr,
    OwnedRepr, RawArrayView, RawArrayViewMut, RawData, Slice,
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

/// Reports the block of an array's elements, if it has any.
fn report_elements<S: RawData, D: Dimension>(array: &ArrayBase<S, D>, walk: &mut Walk<'_>) {
    walk.block_of(array.as_ptr().addr(), array.len() * size_of::<S::Elem>());
}

/// Adds a list of one number per dimension, unless it is stored inline in `value`.
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
    walk.estimated(at, LeafKind::Data, bytes);
    if bytes == 0 {
        // A zero-byte estimate leaves no mark, but there may be a buffer with elements that the
        // array cannot index.
        walk.opaque(at, OpaqueReason::Foreign);
    }
}

/// Adds the memory that the elements of an array own.
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
