//! The tensors of a profile: how many, and the largest.

use crate::text::Frame;
use crate::{CollectedTensor, CollectedTensors, Device};
use core::cmp::Reverse;

/// A tensor that a walk met.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TensorRecord {
    /// Where it is, spelled as [`Profile::to_folded`](crate::Profile::to_folded) spells paths.
    pub path: String,
    /// The type of its elements, in the framework's words: `f32`, `bf16`.
    pub dtype: String,
    /// Elements in each dimension; none for a scalar.
    pub shape: Vec<u64>,
    /// The memory that it is in.
    pub device: Device,
    /// The bytes of its elements, however many others share them.
    pub bytes: u64,
    /// True if gradients are tracked; `None` if the tensor does not state it.
    pub requires_grad: Option<bool>,
    pub(crate) address: Address,
}

/// Where a storage is in the memory of this process. All are equal: what was read from a file
/// knows none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Address(Option<usize>);

impl PartialEq for Address {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Address {}

impl TensorRecord {
    /// Where the tensor's storage starts, if it has one in the memory of this process.
    ///
    /// While the tensor lives, its address leads to the operation that allocated it. Files do not have
    /// it, and equality ignores it.
    ///
    /// ```
    /// use memprof_profile::{At, Device, MemoryProfile, Profile, Storage, Tensor, Walk};
    ///
    /// /// A vector that counts as a tensor.
    /// struct Weights(Box<[f32]>);
    ///
    /// impl MemoryProfile for Weights {
    ///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
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

/// The tensors that a walk met: how many, and the largest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tensors {
    pub(crate) count: u64,
    pub(crate) largest: Vec<TensorRecord>,
}

impl Tensors {
    /// As many largest tensors are kept.
    pub const KEPT: usize = CollectedTensors::KEPT;

    /// How many there are, views included.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The largest [`KEPT`](Self::KEPT) of them, largest first; of equal ones, the first met first.
    pub fn largest(&self) -> &[TensorRecord] {
        &self.largest
    }
}

impl Tensors {
    /// Adds those of another profile, whose paths go on where `path` says.
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
    use crate::{At, Device, MemoryProfile, Observer, Profile, Storage, Tensor, Walk};

    struct Weights(Vec<String>);

    impl MemoryProfile for Weights {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
            let storage = Storage { address: 0x7f00, bytes: 64, handles: Some(1) };
            walk.tensor(at, &Tensor::new(Device::Cpu, "f32", &[16], 64).storage(storage));
            self.0.owned(walk, at);
        }
    }

    /// Ends the walk when it is asked first.
    struct Impatient;

    impl Observer for Impatient {
        fn stops(&mut self) -> bool {
            true
        }
    }

    #[test]
    fn files_keep_what_there_was_no_time_for_and_no_addresses() {
        let weights = Weights(vec![String::from("text"); 2000]);
        let profile = Profile::observed("weights", &weights, &mut Impatient);
        assert!(profile.to_string().contains("out of time"), "{profile}");
        assert_eq!(profile.tensors().largest()[0].address(), Some(0x7f00));
        let json = profile.to_json().expect("a profile can be written");
        assert!(json.contains(r#""why":"out of time""#), "{json}");
        let read = Profile::from_json(&json).expect("what was written can be read");
        assert_eq!(read, profile);
        assert_eq!(read.tensors().largest()[0].address(), None);
    }
}
