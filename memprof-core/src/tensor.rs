//! Tensors: arrays of a framework, on any device. Several tensors may share one storage.

use crate::state::Obstacle;
use crate::tree::{Device, LeafKind};
use crate::walk::{Position, Walk};
use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// An array of a framework. A hand-written impl reports it with [`Walk::tensor`].
///
/// ```
/// use memprof::walk::{Position, Storage, Tensor, Walk};
/// use memprof::tree::Device;
/// use memprof::{MemoryProfile, Profile};
///
/// /// Weights on a GPU, as some framework holds them.
/// struct Weights { address: usize, rows: usize, columns: usize }
///
/// impl MemoryProfile for Weights {
///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
///         let shape = [self.rows, self.columns];
///         let bytes = self.rows * self.columns * 4;
///         let storage = Storage { address: self.address, bytes, handles: Some(2) };
///         let tensor = Tensor::new(Device::Cuda(0), "f32", &shape, bytes).storage(storage);
///         walk.tensor(at, &tensor.requires_grad(true));
///     }
/// }
///
/// // Tied weights: two tensors, one storage.
/// let weights = || Weights { address: 0x7f00_0000_0000, rows: 1000, columns: 16 };
/// let profile = Profile::of(&[weights(), weights()]);
/// assert_eq!(profile.devices(), [(Device::Cpu, 48), (Device::Cuda(0), 64_000)]);
/// assert_eq!(profile.tensors().count(), 2);
/// assert_eq!(profile.tensors().largest()[0].shape, [1000, 16]);
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Tensor<'t> {
    device: Device,
    dtype: &'t str,
    shape: &'t [usize],
    bytes: usize,
    storage: Option<Storage>,
    requires_grad: Option<bool>,
    estimated: bool,
}

/// The memory of one or more tensors, which is counted once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers construct it, so a new field is a breaking change"
)]
pub struct Storage {
    /// The address at which the storage starts. It identifies the storage on its device.
    pub address: usize,
    /// The size of the storage, whatever parts of it the tensors use.
    pub bytes: usize,
    /// The number of tensors and other handles that keep the storage alive, or `None` if it is
    /// unknown.
    pub handles: Option<usize>,
}

/// A tensor that a walk met.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct CollectedTensor {
    /// The names above the tensor, from the root down.
    pub frames: Vec<String>,
    /// The type of the elements, in the framework's terms: `f32`, `bf16`.
    pub dtype: String,
    /// The number of elements in each dimension; empty for a scalar.
    pub shape: Vec<u64>,
    /// The memory that the tensor is in.
    pub device: Device,
    /// The bytes of the tensor's elements, whether other tensors share them or not.
    pub bytes: u64,
    /// True if gradients are tracked, or `None` if the impl did not set it.
    pub requires_grad: Option<bool>,
    /// The start of the storage, if it is in the memory of this process.
    pub address: Option<usize>,
}

/// The tensors that a walk met: their number, and the largest ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CollectedTensors {
    /// The number of tensors, including views.
    pub count: u64,
    /// The largest tensors, at most [`KEPT`](Self::KEPT), in descending order. Tensors of equal
    /// size are in the order in which the walk met them.
    pub largest: Vec<CollectedTensor>,
}

impl CollectedTensors {
    /// The maximum number of tensors in the field `largest`.
    pub const KEPT: usize = 64;
}

impl<'t> Tensor<'t> {
    /// Returns a tensor with `bytes` bytes of elements. No other tensor shares these bytes unless
    /// [`storage`](Self::storage) is called.
    pub fn new(device: Device, dtype: &'t str, shape: &'t [usize], bytes: usize) -> Self {
        Self { device, dtype, shape, bytes, storage: None, requires_grad: None, estimated: false }
    }

    /// Sets the storage of the tensor, which may be larger than the tensor and shared by several
    /// tensors. The bytes of the storage then count instead of the tensor's, once for all tensors
    /// in it.
    pub fn storage(mut self, storage: Storage) -> Self {
        self.storage = Some(storage);
        self
    }

    /// Sets whether gradients are tracked.
    pub fn requires_grad(mut self, tracked: bool) -> Self {
        self.requires_grad = Some(tracked);
        self
    }

    /// Marks the tensor's bytes in memory as an estimate. The profile is then no longer exact.
    pub fn estimated(mut self) -> Self {
        self.estimated = true;
        self
    }

    /// Returns the address of the storage, if it is in the memory of this process.
    fn address(&self) -> Option<usize> {
        let storage = self.storage.filter(|_| self.device == Device::Cpu);
        storage.map(|storage| storage.address)
    }
}

impl Walk<'_> {
    /// Adds a tensor, and the bytes of its storage unless the walk already met a tensor in the same
    /// storage.
    ///
    /// The bytes of the tensor do not include the inline bytes of the value, such as its handle and
    /// its shape. [`Tensor`] has an example.
    ///
    /// # Cost
    /// Takes a call of [`shared`](Self::shared) if there is a storage, and an update of the largest
    /// tensors.
    pub fn tensor(&mut self, at: Position, tensor: &Tensor<'_>) {
        self.note(Obstacle::Tensor);
        if let Some(tree) = &mut self.tree {
            let node = tree.number(at);
            tree.tensors.add(node, tensor);
        }
        let Some(storage) = tensor.storage else {
            self.bytes_of(at, tensor, tensor.bytes);
            return;
        };
        let handles = || storage.handles.unwrap_or(0);
        self.shared(at, identity(storage.address, tensor.device), handles, |walk, at| {
            if tensor.device == Device::Cpu {
                walk.block_of(storage.address, storage.bytes);
            }
            walk.bytes_of(at, tensor, storage.bytes);
        });
    }

    /// Adds a tensor's bytes in memory.
    fn bytes_of(&mut self, at: Position, tensor: &Tensor<'_>, bytes: usize) {
        self.bytes_on(at, tensor.device, bytes);
        if tensor.estimated {
            self.mark_estimated(at, LeafKind::Data, tensor.device, bytes);
        }
    }

    /// Adds one allocation of `bytes` bytes of data in a device's memory.
    ///
    /// ```
    /// use memprof::tree::Device;
    /// use memprof::walk::{Position, Walk};
    /// use memprof::{MemoryProfile, Profile};
    ///
    /// /// A buffer on a GPU, by its handle.
    /// struct Buffer { bytes: usize }
    ///
    /// impl MemoryProfile for Buffer {
    ///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
    ///         walk.bytes_on(at, Device::Cuda(1), self.bytes);
    ///     }
    /// }
    ///
    /// let profile = Profile::of(&Buffer { bytes: 4096 });
    /// assert_eq!(profile.devices(), [(Device::Cpu, 8), (Device::Cuda(1), 4096)]);
    /// ```
    pub fn bytes_on(&mut self, at: Position, device: Device, bytes: usize) {
        self.count_allocations(at, usize::from(bytes != 0));
        match &mut self.tree {
            Some(tree) if device != Device::Cpu => {
                tree.sharing.add(bytes);
                let node = tree.number(at);
                let sum = tree.on_devices.entry((node, device)).or_default();
                *sum = sum.saturating_add(bytes as u64);
            }
            // A walk without a tree adds the bytes of all devices to one sum.
            _ => self.leaf(at, LeafKind::Data, bytes),
        }
    }
}

/// Returns a number that identifies a storage. The numbers for equal addresses on two devices
/// differ in bits that no address uses.
fn identity(address: usize, device: Device) -> usize {
    let device = match device {
        Device::Cpu => 0,
        Device::Cuda(number) => 3 * (usize::from(number) + 1),
        Device::Metal(number) => 3 * (usize::from(number) + 1) + 1,
        Device::Nvml(number) => 3 * (usize::from(number) + 1) + 2,
    };
    address ^ device.rotate_right(usize::BITS.div_ceil(4))
}

/// The tensors met so far.
#[derive(Debug, Default)]
pub(crate) struct LargestTensors {
    count: u64,
    /// The largest tensors, as a binary heap. The smallest of them is on top, so it is removed
    /// first.
    largest: BinaryHeap<Reverse<StoredTensor>>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct StoredTensor {
    bytes: u64,
    /// The order is reversed, so that the first of several equal tensors counts as the largest.
    order: Reverse<u64>,
    node: u32,
    dtype: String,
    shape: Vec<u64>,
    device: Device,
    requires_grad: Option<bool>,
    address: Option<usize>,
}

impl LargestTensors {
    fn add(&mut self, node: u32, tensor: &Tensor<'_>) {
        self.count += 1;
        let bytes = tensor.bytes as u64;
        if self.largest.len() == CollectedTensors::KEPT {
            match self.largest.peek() {
                Some(Reverse(smallest)) if smallest.bytes < bytes => drop(self.largest.pop()),
                _ => return,
            }
        }
        self.largest.push(Reverse(StoredTensor {
            bytes,
            order: Reverse(self.count),
            node,
            dtype: tensor.dtype.to_owned(),
            shape: tensor.shape.iter().map(|&elements| elements as u64).collect(),
            device: tensor.device,
            requires_grad: tensor.requires_grad,
            address: tensor.address(),
        }));
    }

    /// Returns the tensors, with their nodes named by `frames`.
    pub(crate) fn named(&self, frames: impl Fn(u32) -> Vec<String>) -> CollectedTensors {
        let mut kept: Vec<&StoredTensor> = self.largest.iter().map(|Reverse(kept)| kept).collect();
        kept.sort_by_key(|kept| (Reverse(kept.bytes), Reverse(kept.order)));
        let named = |kept: &StoredTensor| CollectedTensor {
            frames: frames(kept.node),
            dtype: kept.dtype.clone(),
            shape: kept.shape.clone(),
            device: kept.device,
            bytes: kept.bytes,
            requires_grad: kept.requires_grad,
            address: kept.address,
        };
        CollectedTensors { count: self.count, largest: kept.into_iter().map(named).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::identity;
    use crate::MemoryProfile;
    use crate::tensor::{Storage, Tensor};
    use crate::tree::{Branch, Collected, Device};
    use crate::walk::{Position, Walk};

    /// A part of a storage.
    struct View {
        storage: Storage,
        device: Device,
        elements: usize,
    }

    impl MemoryProfile for View {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            let shape = [self.elements];
            let tensor = Tensor::new(self.device, "f32", &shape, self.elements * 4);
            walk.tensor(at, &tensor.storage(self.storage));
        }

        fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            self.owned(walk, at);
        }
    }

    fn view(device: Device, address: usize, elements: usize) -> View {
        View { storage: Storage { address, bytes: 4096, handles: Some(2) }, device, elements }
    }

    fn profile(views: &[View]) -> Collected {
        let named = views.iter().enumerate();
        let named = named.map(|(index, view)| (format!("{index:03}"), view as _));
        Collected::of_all("views", named)
    }

    #[test]
    fn views_of_one_storage_are_tensors_that_count_it_once() {
        let profile = profile(&[view(Device::Cuda(0), 64, 1024), view(Device::Cuda(0), 64, 10)]);
        assert_eq!(profile.tree.root().devices(), [(Device::Cuda(0), 4096)]);
        assert_eq!(profile.tensors.count, 2);
        let bytes: Vec<u64> = profile.tensors.largest.iter().map(|view| view.bytes).collect();
        assert_eq!(bytes, [4096, 40]);
        assert_eq!((profile.shared.objects, profile.shared.handles), (1, 2));
        assert!(profile.tree.root().is_exact());
    }

    #[test]
    fn one_address_on_two_devices_is_two_storages() {
        let devices = [Device::Cpu, Device::Cuda(0), Device::Cuda(1), Device::Metal(0)];
        let profile = profile(&devices.map(|device| view(device, 64, 1)));
        assert_eq!(profile.tree.root().devices(), devices.map(|device| (device, 4096)));
        assert_eq!(profile.tree.total_bytes(), 4 * 4096);
        let numbers = 0..=u16::MAX;
        let numbers = numbers.flat_map(|n| [Device::Cuda(n), Device::Metal(n), Device::Nvml(n)]);
        let mut identities: Vec<usize> = numbers.map(|device| identity(64, device)).collect();
        identities.push(identity(64, Device::Cpu));
        identities.sort_unstable();
        assert!(identities.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn estimates_are_marked_at_the_leaf_of_their_bytes() {
        struct Guess(Device, Option<Storage>);

        impl MemoryProfile for Guess {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                let guess = Tensor::new(self.0, "f32", &[25], 100).estimated();
                walk.tensor(at, &self.1.map_or(guess, |storage| guess.storage(storage)));
            }

            fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                self.owned(walk, at);
            }
        }

        for device in [Device::Cpu, Device::Cuda(0)] {
            for (storage, bytes) in [(None, 100), (Some(view(device, 64, 25).storage), 4096)] {
                let profile = Collected::of("value", &Guess(device, storage));
                assert!(!profile.tree.root().is_exact());
                let leaves = profile.tree.root().subtree().flat_map(Branch::leaves);
                let guesses = leaves.filter(|leaf| leaf.estimated_bytes() > 0);
                let guesses: Vec<_> = guesses
                    .map(|leaf| (leaf.device(), leaf.bytes(), leaf.estimated_bytes()))
                    .collect();
                assert_eq!(guesses, [(device, bytes, bytes)]);
            }
        }
    }

    #[test]
    fn only_the_largest_tensors_are_kept_but_all_are_counted() {
        let views: Vec<View> =
            (0..200).map(|index| view(Device::Cpu, 64 * (index + 1), index % 100)).collect();
        let profile = profile(&views);
        let tensors = profile.tensors;
        assert_eq!((tensors.count, tensors.largest.len()), (200, 64));
        let first: Vec<&[String]> =
            tensors.largest[..4].iter().map(|tensor| &tensor.frames[..]).collect();
        assert_eq!(first, ["099", "199", "098", "198"].map(|name| ["views", name]));
    }
}
