//! The schema of a profile's JSON.

use crate::tensor::Address;
use crate::tree::{Counts, Device, Leaf, LeafKind, OpaqueReason, Role, TensorRecord, Tensors};
use crate::views::json::word::Word;
use crate::walk::Shared;
use core::fmt;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The value of the first key, which identifies the format.
pub(crate) const FORMAT: &str = "memprof profile";

/// The version of the format. It is raised when keys change their meaning or a kind, role or reason
/// is added. New keys do not raise it.
pub(crate) const VERSION: u64 = 1;

/// The keys of the profile itself. The writer and both readers take the names from this list, and
/// those of all other keys from the structs below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Key {
    Format,
    Version,
    TotalBytes,
    ShallowBytes,
    Exact,
    Shared,
    Origin,
    Tensors,
    Branches,
    #[serde(other)]
    Other,
}

/// Prints the name in the JSON.
impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(out)
    }
}

/// Returns the text before the first branch, in memprof's own layout.
pub(crate) fn branches_begin() -> String {
    format!("\"{}\": [\n", Key::Branches)
}

/// The totals of shared memory; the fields of [`Shared`].
#[derive(Deserialize, Serialize)]
pub(crate) struct SharedRecord {
    allocations: u64,
    handles: u64,
    bytes: u64,
    bytes_if_unshared: u64,
    externally_held_bytes: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    leaked_bytes: u64,
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    is_upper_bound: bool,
}

/// The tensors; the fields of [`Tensors`].
#[derive(Deserialize, Serialize)]
pub(crate) struct TensorsRecord<'d> {
    count: u64,
    #[serde(borrow)]
    largest: Vec<LargeTensor<'d>>,
}

/// One tensor; the fields of [`TensorRecord`].
#[derive(Deserialize, Serialize)]
struct LargeTensor<'d> {
    #[serde(borrow)]
    path: Cow<'d, str>,
    #[serde(borrow)]
    dtype: Cow<'d, str>,
    shape: Cow<'d, [u64]>,
    device: Word<Device>,
    bytes: u64,
    requires_grad: Option<bool>,
}

/// One branch. `counts`, `leaves` and `opaque` are left out if they are 0 or empty.
#[derive(Deserialize, Serialize)]
pub(crate) struct BranchRecord<'d> {
    /// The index of the parent in the list, counted from 0; `None` for the root.
    pub(crate) parent: Option<u32>,
    #[serde(borrow)]
    pub(crate) name: Cow<'d, str>,
    /// The bytes at this branch and below.
    pub(crate) bytes: u64,
    #[serde(default, skip_serializing_if = "CountsRecord::is_zero")]
    pub(crate) counts: CountsRecord,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) leaves: Vec<LeafRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) opaque: Vec<OpaqueRecord>,
}

/// The counts of a branch; the fields of [`Counts`].
#[derive(Clone, Copy, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct CountsRecord {
    #[serde(skip_serializing_if = "is_zero")]
    values: u64,
    #[serde(skip_serializing_if = "is_zero")]
    allocations: u64,
    #[serde(skip_serializing_if = "is_zero")]
    nodes: u64,
    #[serde(skip_serializing_if = "is_zero")]
    shared_allocations: u64,
    #[serde(skip_serializing_if = "is_zero")]
    handles: u64,
    #[serde(skip_serializing_if = "is_zero")]
    duplicates: u64,
    #[serde(skip_serializing_if = "is_zero")]
    duplicate_bytes: u64,
    #[serde(skip_serializing_if = "is_zero")]
    buffer_bytes: u64,
    #[serde(skip_serializing_if = "is_zero")]
    shrinkable_bytes: u64,
    #[serde(skip_serializing_if = "is_zero")]
    compactable_bytes: u64,
}

/// One leaf of a branch.
#[derive(Deserialize, Serialize)]
pub(crate) struct LeafRecord {
    pub(crate) kind: Word<LeafKind>,
    #[serde(default, skip_serializing_if = "Word::is_default")]
    pub(crate) role: Word<Role>,
    #[serde(default, skip_serializing_if = "Word::is_default")]
    pub(crate) device: Word<Device>,
    pub(crate) bytes: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) estimated_bytes: u64,
}

/// The number of a branch's values that could not be read, and the reason.
#[derive(Deserialize, Serialize)]
pub(crate) struct OpaqueRecord {
    pub(crate) why: Word<OpaqueReason>,
    pub(crate) count: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl CountsRecord {
    fn is_zero(&self) -> bool {
        *self == Self::default()
    }
}

impl From<Counts> for CountsRecord {
    fn from(counts: Counts) -> Self {
        Self {
            values: counts.values,
            allocations: counts.allocations,
            nodes: counts.nodes,
            shared_allocations: counts.shared_allocations,
            handles: counts.handles,
            duplicates: counts.duplicates,
            duplicate_bytes: counts.duplicate_bytes,
            buffer_bytes: counts.buffer_bytes,
            shrinkable_bytes: counts.shrinkable_bytes,
            compactable_bytes: counts.compactable_bytes,
        }
    }
}

impl From<CountsRecord> for Counts {
    fn from(counts: CountsRecord) -> Self {
        let mut read = Self::default();
        read.values = counts.values;
        read.allocations = counts.allocations;
        read.nodes = counts.nodes;
        read.shared_allocations = counts.shared_allocations;
        read.handles = counts.handles;
        read.duplicates = counts.duplicates;
        read.duplicate_bytes = counts.duplicate_bytes;
        read.buffer_bytes = counts.buffer_bytes;
        read.shrinkable_bytes = counts.shrinkable_bytes;
        read.compactable_bytes = counts.compactable_bytes;
        read
    }
}

impl From<&Leaf> for LeafRecord {
    fn from(leaf: &Leaf) -> Self {
        let (bytes, estimated_bytes, device) =
            (leaf.bytes(), leaf.estimated_bytes(), leaf.device());
        let (kind, role) = (leaf.kind(), leaf.role());
        let (kind, role, device) = (kind.into(), role.into(), device.into());
        Self { kind, role, device, bytes, estimated_bytes }
    }
}

impl From<Shared> for SharedRecord {
    fn from(shared: Shared) -> Self {
        Self {
            allocations: shared.allocations,
            handles: shared.handles,
            bytes: shared.bytes,
            bytes_if_unshared: shared.bytes_if_unshared,
            externally_held_bytes: shared.externally_held_bytes,
            leaked_bytes: shared.leaked_bytes,
            is_upper_bound: shared.is_upper_bound,
        }
    }
}

impl From<SharedRecord> for Shared {
    fn from(shared: SharedRecord) -> Self {
        let mut read = Self::default();
        read.allocations = shared.allocations;
        read.handles = shared.handles;
        read.bytes = shared.bytes;
        read.bytes_if_unshared = shared.bytes_if_unshared;
        read.externally_held_bytes = shared.externally_held_bytes;
        read.leaked_bytes = shared.leaked_bytes;
        read.is_upper_bound = shared.is_upper_bound;
        read
    }
}

impl<'t> From<&'t Tensors> for TensorsRecord<'t> {
    fn from(tensors: &'t Tensors) -> Self {
        let largest = tensors.largest.iter().map(|tensor| LargeTensor {
            path: Cow::Borrowed(&tensor.path),
            dtype: Cow::Borrowed(&tensor.dtype),
            shape: Cow::Borrowed(&tensor.shape),
            device: tensor.device.into(),
            bytes: tensor.bytes,
            requires_grad: tensor.requires_grad,
        });
        Self { count: tensors.count, largest: largest.collect() }
    }
}

impl TryFrom<TensorsRecord<'_>> for Tensors {
    type Error = String;

    fn try_from(tensors: TensorsRecord<'_>) -> Result<Self, String> {
        let TensorsRecord { count, largest } = tensors;
        if largest.len() as u64 > count {
            return Err(format!("counts {count} tensors and lists {}", largest.len()));
        }
        let record = |tensor: LargeTensor<'_>| {
            Ok(TensorRecord {
                path: tensor.path.into_owned(),
                dtype: tensor.dtype.into_owned(),
                shape: tensor.shape.into_owned(),
                device: tensor.device.known("has a tensor on an unknown device")?,
                bytes: tensor.bytes,
                requires_grad: tensor.requires_grad,
                address: Address::default(),
            })
        };
        Ok(Self { count, largest: largest.into_iter().map(record).collect::<Result<_, String>>()? })
    }
}
