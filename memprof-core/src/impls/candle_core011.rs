//! candle-core 0.11: tensors, which keep their storage behind a lock that can only be waited for.
//!
//! So nobody looks at the storage: what a tensor says of its elements is the estimate, for each tensor
//! its own, also where several are views of one storage.

use crate::impls::std::flat::flat;
use crate::{At, Kind, MemoryProfile, Opaque, Walk};
use candle_core::{DType, DeviceLocation, Shape, Storage, Tensor, Var};

/// The two reference counts of what several own.
const COUNTS: usize = 2 * size_of::<usize>();

impl MemoryProfile for Tensor {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        let inside = &**self;
        // 0 handles: nobody can tell how many there are.
        walk.shared(
            at,
            (&raw const *inside).addr() - COUNTS,
            || 0,
            |walk, at| {
                walk.leaf(at, Kind::Counts, COUNTS);
                walk.leaf(at, Kind::Inline, size_of_val(inside));
                walk.count_allocations(at, 1);
                add_list(self.dims(), walk, at);
                add_list(self.stride(), walk, at);
                add_storage(self, walk, at);
                if self.track_op() {
                    // What a gradient needs: the operation and the tensors that it was given.
                    walk.opaque(at, Opaque::Foreign);
                }
            },
        );
    }
}

impl MemoryProfile for Var {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        self.as_tensor().owned(walk, at);
    }
}

impl MemoryProfile for Shape {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        add_list(self.dims(), walk, at);
    }
}

/// Adds a vector whose capacity is not public.
fn add_list(list: &[usize], walk: &mut Walk<'_>, at: At) {
    walk.count_allocations(at, usize::from(!list.is_empty()));
    walk.estimated(at, Kind::Inline, size_of_val(list));
    if list.is_empty() {
        // An estimate of nothing is no mark.
        walk.opaque(at, Opaque::Foreign);
    }
}

/// Adds the storage: counts, a lock of one word, and the elements where they are in main memory.
fn add_storage(tensor: &Tensor, walk: &mut Walk<'_>, at: At) {
    let header = size_of::<usize>() + size_of::<Storage>();
    let elements = tensor.elem_count() * tensor.dtype().size_in_bytes();
    walk.count_values(at, tensor.elem_count());
    walk.estimated(at, Kind::Counts, COUNTS);
    walk.estimated(at, Kind::Inline, header);
    if tensor.device().is_cpu() {
        walk.count_allocations(at, 1 + usize::from(elements != 0));
        walk.estimated(at, Kind::Data, elements);
    } else {
        walk.count_allocations(at, 1);
        walk.opaque(at, Opaque::Foreign);
    }
}

flat! {
    [] DType;
    [] DeviceLocation;
}
