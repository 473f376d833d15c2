//! The tensors that a profile stores: their number, and the largest ones.

use crate::text::Frame;
use crate::tree::Device;
use core::cmp::Reverse;
use memprof_core::tree::{CollectedTensor, CollectedTensors};

/// A tensor that a walk visited.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TensorRecord {
    /// The path of the tensor, spelled as [`Profile::to_folded`](crate::Profile::to_folded) spells
    /// paths.
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
    pub(crate) address: Address,
}

/// The address of a storage in the memory of this process. All addresses compare as equal, because
/// a profile read from a file has none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Address(Option<usize>);

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
pub struct Tensors {
    pub(crate) count: u64,
    pub(crate) largest: Vec<TensorRecord>,
}

impl Tensors {
    /// The maximum number of tensors that [`largest`](Self::largest) returns.
    pub const KEPT: usize = CollectedTensors::KEPT;

    /// Returns the number of tensors, including views.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the [`KEPT`](Self::KEPT) largest tensors, largest first. Tensors of equal size are
    /// in the order of the walk.
    pub fn largest(&self) -> &[TensorRecord] {
        &self.largest
    }
}

impl Tensors {
    /// Adds the tensors of another profile; `path` maps each path to the new path.
    pub(crate) fn add(&mut self, more: &Self, path: impl Fn(&str) -> String) {
        self.count = self.count.saturating_add(more.count);
        let more = more.largest.iter();
        self.largest
            .extend(more.map(|record| TensorRecord { path: path(&record.path), ..record.clone() }));
        self.largest.sort_by_key(|record| Reverse(record.bytes));
        self.largest.truncate(Self::KEPT);
    }
}

impl From<CollectedTensors> for Tensors {
    fn from(collected: CollectedTensors) -> Self {
        let largest = collected.largest.into_iter().map(TensorRecord::from).collect();
        Self { count: collected.count, largest }
    }
}

impl From<CollectedTensor> for TensorRecord {
    fn from(tensor: CollectedTensor) -> Self {
        let CollectedTensor { frames, dtype, shape, device, bytes, requires_grad, address, .. } =
            tensor;
        let frames: Vec<String> = frames.iter().map(|frame| Frame(frame).to_string()).collect();
        let (path, address) = (frames.join(";"), Address(address));
        Self { path, dtype, shape, device, bytes, requires_grad, address }
    }
}

#[cfg(all(test, feature = "json"))]
mod tests {
    use crate::tree::Device;
    use crate::walk::{Observer, Position, Storage, Tensor, Walk};
    use crate::{MemoryProfile, Profile};

    struct Weights(Vec<String>);

    impl MemoryProfile for Weights {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            let storage = Storage { address: 0x7f00, bytes: 64, handles: Some(1) };
            walk.tensor(at, &Tensor::new(Device::Cpu, "f32", &[16], 64).storage(storage));
            self.0.owned(walk, at);
        }
    }

    /// An observer that stops the walk at its first call.
    struct Impatient;

    impl Observer for Impatient {
        fn stops(&mut self) -> bool {
            true
        }
    }

    #[test]
    fn files_keep_unvisited_values_and_no_addresses() {
        let weights = Weights(vec![String::from("text"); 2000]);
        let profile = Profile::observed("weights", &weights, &mut Impatient);
        assert!(profile.to_string().contains("stopped"), "{profile}");
        assert_eq!(profile.tensors().largest()[0].address(), Some(0x7f00));
        let json = profile.to_json().expect("a profile can be written");
        assert!(json.contains(r#""why":"stopped""#), "{json}");
        let read = Profile::from_json(&json).expect("what was written can be read");
        assert_eq!(read, profile);
        assert_eq!(read.tensors().largest()[0].address(), None);
    }
}
