//! Tensors: arrays of a framework, on any device. Several tensors may share one storage.

use crate::shape::NodeId;
use crate::sort::sort_by;
use crate::words::{Device, Frame};

/// An array of a framework. A hand-written impl reports it with
/// [`Walk::tensor`](crate::walk::Walk::tensor).
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
    pub(crate) device: Device,
    dtype: &'t str,
    shape: &'t [usize],
    pub(crate) bytes: usize,
    pub(crate) storage: Option<Storage>,
    requires_grad: Option<bool>,
    pub(crate) estimated: bool,
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

/// A tensor that a walk visited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[non_exhaustive]
pub struct TensorRecord {
    /// The path of the tensor, as in folded stacks.
    pub path: String,
    /// The type of the tensor's elements, as the framework names the type: `f32`, `bf16`.
    pub dtype: String,
    /// The number of elements in each dimension; empty for a scalar.
    pub shape: Vec<u64>,
    /// The memory that the tensor is in.
    pub device: Device,
    /// The bytes of the tensor's elements, even if other tensors share the elements.
    pub bytes: u64,
    /// `true` if gradients are tracked; `None` if the tensor does not report that.
    pub requires_grad: Option<bool>,
    #[cfg_attr(feature = "serde", serde(skip))]
    address: Address,
}

/// The address of a storage in the memory of this process. All addresses compare as equal, because
/// a profile read from a file has none.
#[derive(Clone, Copy, Debug, Default)]
struct Address(Option<usize>);

impl PartialEq for Address {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Address {}

impl TensorRecord {
    /// Returns the address of the tensor's storage, if it is in the memory of this process.
    ///
    /// While the tensor lives, a session can use this address to find the operation that allocated
    /// it. Files do not contain addresses, and equality ignores them.
    ///
    /// ```
    /// use memprof::walk::{Position, Storage, Tensor, Walk};
    /// use memprof::tree::Device;
    /// use memprof::{MemoryProfile, Profile};
    ///
    /// /// A vector that counts as a tensor.
    /// struct Weights(Box<[f32]>);
    ///
    /// impl MemoryProfile for Weights {
    ///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
    ///         let (address, bytes) = (self.0.as_ptr().addr(), size_of_val(&*self.0));
    ///         let storage = Storage { address, bytes, handles: Some(1) };
    ///         let shape = [self.0.len()];
    ///         let tensor = Tensor::new(Device::Cpu, "f32", &shape, bytes);
    ///         walk.tensor(at, &tensor.storage(storage));
    ///     }
    /// }
    ///
    /// let weights = Weights([0.5; 16].into());
    /// let profile = Profile::of(&weights);
    /// let largest = &profile.tensors().largest()[0];
    /// assert_eq!(largest.address(), Some(weights.0.as_ptr().addr()));
    /// ```
    pub fn address(&self) -> Option<usize> {
        self.address.0
    }
}

/// The tensors that a walk visited: their number, and the largest ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Tensors {
    count: u64,
    largest: Vec<TensorRecord>,
}

impl Tensors {
    /// The maximum number of tensors that [`largest`](Self::largest) returns.
    pub const KEPT: usize = 64;

    /// Returns the number of tensors, including views.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the [`KEPT`](Self::KEPT) largest tensors, largest first. Tensors of equal size are
    /// in the order of the walk.
    pub fn largest(&self) -> &[TensorRecord] {
        &self.largest
    }

    /// Adds the tensors of another profile, whose root is now below a root with this name.
    pub fn add_below(&mut self, root: &str, more: &Self) {
        self.count = self.count.saturating_add(more.count);
        let below = |record: &TensorRecord| TensorRecord {
            path: format!("{};{}", Frame(root), record.path),
            ..record.clone()
        };
        self.largest.extend(more.largest.iter().map(below));
        sort_by(&mut self.largest, |a, b| b.bytes.cmp(&a.bytes));
        self.largest.truncate(Self::KEPT);
    }
}

impl<'t> Tensor<'t> {
    /// Returns a tensor with `bytes` bytes of elements. No other tensor shares these bytes unless
    /// [`storage`](Self::storage) is called.
    pub fn new(device: Device, dtype: &'t str, shape: &'t [usize], bytes: usize) -> Self {
        Self { device, dtype, shape, bytes, storage: None, requires_grad: None, estimated: false }
    }

    /// Sets the storage of the tensor, which may be larger than the tensor and shared by several
    /// tensors. The bytes of the storage then count instead of the tensor's, and only once for all
    /// tensors that view it.
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

#[derive(Debug, Default)]
pub(crate) struct LargestTensors {
    count: u64,
    /// The largest tensors, largest first, without their paths. Tensors of equal size are in the
    /// order of the walk.
    largest: Vec<(NodeId, TensorRecord)>,
}

impl LargestTensors {
    pub(crate) fn add(&mut self, node: NodeId, tensor: &Tensor<'_>) {
        self.count += 1;
        let bytes = tensor.bytes as u64;
        let rank = self.largest.partition_point(|(_, larger)| larger.bytes >= bytes);
        if rank == Tensors::KEPT {
            return;
        }
        self.largest.truncate(Tensors::KEPT - 1);
        let record = TensorRecord {
            path: String::new(),
            dtype: tensor.dtype.to_owned(),
            shape: tensor.shape.iter().map(|&elements| elements as u64).collect(),
            device: tensor.device,
            bytes,
            requires_grad: tensor.requires_grad,
            address: Address(tensor.address()),
        };
        self.largest.insert(rank, (node, record));
    }

    pub(crate) fn named(&self, path: impl Fn(NodeId) -> String) -> Tensors {
        let named = |(node, record): &(NodeId, TensorRecord)| TensorRecord {
            path: path(*node),
            ..record.clone()
        };
        Tensors { count: self.count, largest: self.largest.iter().map(named).collect() }
    }
}
