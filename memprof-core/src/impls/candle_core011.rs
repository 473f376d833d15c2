//! candle-core 0.11: tensors, on any device.
//!
//! A tensor exposes its shape, its dtype, its device and whether gradients are tracked through it.
//! Handles made by `clone` are one tensor, which counts once.
//!
//! A tensor does not expose its storage. Reading the storage could block on a lock, and no other
//! method returns its address. So the bytes of the storage are estimated from the number of the
//! tensor's elements. Each view of one storage adds its own estimate. The number of handles, the
//! capacities of the vectors of lengths and strides, and the operation that a result keeps for its
//! gradient are private as well.

use crate::MemoryProfile;
use crate::impls::std::scalar::impl_flat;
use crate::impls::std::shared::add_counts;
use crate::impls::std::shared::{COUNTS, identity};
use crate::layout::word::WORD;
use crate::tree::{Device, LeafKind, OpaqueReason};
use crate::walk::{Position, Walk};
use candle_core::{DType, DeviceLocation, Layout, Shape, Storage, Tensor, Var};

impl MemoryProfile for Tensor {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let inside = &**self;
        // 0 means that the number of handles is not public.
        walk.shared(
            at,
            identity(inside),
            || 0,
            |walk, at| {
                add_counts(walk, at);
                walk.leaf(at, LeafKind::Inline, size_of_val(inside));
                walk.count_allocations(at, 1);
                walk.block(identity(inside));
                add_list(self.dims(), walk, at);
                add_list(self.stride(), walk, at);
                add_storage(self, walk, at);
                if self.track_op() && !self.is_variable() {
                    // This marks the operation that returned the tensor, and the operation's input
                    // tensors. A variable has no such operation.
                    walk.opaque(at, OpaqueReason::Foreign);
                }
            },
        );
    }
}

impl MemoryProfile for Var {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.as_tensor().owned(walk, at);
    }
}

impl MemoryProfile for Shape {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_list(self.dims(), walk, at);
    }
}

/// Adds a vector whose capacity is not public.
fn add_list(list: &[usize], walk: &mut Walk<'_>, at: Position) {
    walk.count_allocations(at, usize::from(!list.is_empty()));
    walk.leaves(at, [(LeafKind::Inline, size_of_val(list))], false);
    walk.block_of(list.as_ptr().addr(), size_of_val(list));
}

/// The counts, the lock and the `Storage` are on the host, and the elements are on the device.
fn add_storage(tensor: &Tensor, walk: &mut Walk<'_>, at: Position) {
    walk.count_values(at, tensor.elem_count());
    walk.count_allocations(at, 1);
    walk.estimated(at, LeafKind::Counts, COUNTS);
    walk.estimated(at, LeafKind::Inline, STORAGE);
    let dtype = tensor.dtype();
    let bytes = distinct_elements(tensor.layout()).saturating_mul(dtype.size_in_bytes());
    if bytes == 0 {
        // A zero-byte estimate leaves no mark. Element types smaller than a byte have size 0, and
        // even an empty view has a storage.
        walk.opaque(at, OpaqueReason::Foreign);
    }
    let device = device_at(tensor.device().location());
    let found = crate::tensor::Tensor::new(device, dtype.as_str(), tensor.dims(), bytes);
    // As in other frameworks, gradients are tracked for variables and for results computed from
    // them.
    walk.tensor(at, &found.requires_grad(tensor.track_op()).estimated());
}

/// An element that a broadcast repeats counts once.
fn distinct_elements(layout: &Layout) -> usize {
    let dimensions = layout.dims().iter().zip(layout.stride());
    let distinct = dimensions.map(|(&len, &stride)| if stride == 0 { len.min(1) } else { len });
    distinct.fold(1, usize::saturating_mul)
}

/// Returns the device at a location, with its number cut to 16 bits. All CUDA numbers fit. The
/// lower bits also distinguish Apple's GPUs, which the system numbers from 2³² up.
fn device_at(location: DeviceLocation) -> Device {
    let number = |gpu: usize| {
        let [low, high, ..] = gpu.to_le_bytes();
        u16::from_le_bytes([low, high])
    };
    match location {
        DeviceLocation::Cpu => Device::Cpu,
        DeviceLocation::Cuda { gpu_id } => Device::Cuda(number(gpu_id)),
        DeviceLocation::Metal { gpu_id } => Device::Metal(number(gpu_id)),
    }
}

impl_flat! { DType, DeviceLocation }

/// The bytes of a storage without its counts and its elements: a lock of one word, and the
/// `Storage`.
///
/// The storage's address is private, so the caller marks the bytes as an estimate.
const STORAGE: usize = WORD + size_of::<Storage>();

#[cfg(test)]
mod tests {
    use super::{device_at, distinct_elements};
    use crate::tree::Device;
    use candle_core::{DeviceLocation, Layout, Shape};

    #[test]
    fn devices_keep_their_numbers() {
        let cuda = |gpu_id| device_at(DeviceLocation::Cuda { gpu_id });
        let metal = |gpu_id| device_at(DeviceLocation::Metal { gpu_id });
        assert_eq!(device_at(DeviceLocation::Cpu), Device::Cpu);
        assert_eq!((cuda(0), cuda(7)), (Device::Cuda(0), Device::Cuda(7)));
        assert_ne!(metal(0x4_0403), metal(0x4_0404));
    }

    #[test]
    fn repeated_elements_of_a_layout_count_once() {
        let layout =
            |dims: &[usize], strides: &[usize]| Layout::new(Shape::from(dims), strides.to_vec(), 5);
        assert_eq!(distinct_elements(&layout(&[3, 4], &[4, 1])), 12);
        assert_eq!(distinct_elements(&layout(&[3, 4], &[1, 3])), 12);
        assert_eq!(distinct_elements(&layout(&[1000, 4], &[0, 1])), 4);
        assert_eq!(distinct_elements(&layout(&[0, 4], &[0, 1])), 0);
        assert_eq!(distinct_elements(&layout(&[], &[])), 1);
        assert_eq!(distinct_elements(&layout(&[usize::MAX, 2], &[2, 1])), usize::MAX);
    }
}
