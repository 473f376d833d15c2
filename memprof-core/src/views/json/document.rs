//! The schema: what the JSON of a profile is made of.

use crate::Counts;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// The value of the first key, which tells the format from everybody else's.
pub(crate) const FORMAT: &str = "memprof profile";

/// Raised when keys change their meaning or a kind, role or reason is added; keys may be added.
pub(crate) const VERSION: u64 = 1;

/// What is read first, to tell foreign and newer files from broken ones.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Head {
    format: Value,
    version: Value,
}

impl Head {
    /// The version, if the format is ours.
    pub(crate) fn version(&self) -> Option<u64> {
        self.version.as_u64().filter(|_| self.format == FORMAT)
    }
}

/// A whole profile.
#[derive(Deserialize)]
pub(crate) struct Document<'d> {
    pub(crate) total_bytes: u64,
    pub(crate) exact: bool,
    pub(crate) shared: SharedRecord,
    /// Every branch after its parent; the first is the root.
    #[serde(borrow)]
    pub(crate) branches: Vec<BranchRecord<'d>>,
}

/// What is shared; the fields of [`crate::Shared`].
#[derive(Deserialize, Serialize)]
pub(crate) struct SharedRecord {
    pub(crate) objects: u64,
    pub(crate) handles: u64,
    pub(crate) bytes: u64,
    pub(crate) bytes_if_unshared: u64,
    pub(crate) bytes_held_outside: u64,
}

/// One branch. What is empty or 0 is left out, but for the bytes.
#[derive(Deserialize, Serialize)]
pub(crate) struct BranchRecord<'d> {
    /// The place of the parent in the list, counted from 0; the root has none.
    pub(crate) parent: Option<usize>,
    #[serde(borrow)]
    pub(crate) name: Cow<'d, str>,
    #[serde(borrow)]
    pub(crate) role: Cow<'d, str>,
    /// All bytes here and below.
    pub(crate) bytes: u64,
    #[serde(default, skip_serializing_if = "CountsRecord::is_zero")]
    pub(crate) counts: CountsRecord,
    #[serde(default, borrow, skip_serializing_if = "Vec::is_empty")]
    pub(crate) leaves: Vec<LeafRecord<'d>>,
    #[serde(default, borrow, skip_serializing_if = "Vec::is_empty")]
    pub(crate) opaque: Vec<OpaqueRecord<'d>>,
}

/// What was counted at a branch; the fields of [`Counts`].
#[derive(Clone, Copy, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct CountsRecord {
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) values: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) allocations: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) nodes: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) objects: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) handles: u64,
}

/// One leaf of a branch.
#[derive(Deserialize, Serialize)]
pub(crate) struct LeafRecord<'d> {
    #[serde(borrow)]
    pub(crate) kind: Cow<'d, str>,
    pub(crate) bytes: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) estimated_bytes: u64,
}

/// How many values of a branch could not be seen, and why.
#[derive(Deserialize, Serialize)]
pub(crate) struct OpaqueRecord<'d> {
    #[serde(borrow)]
    pub(crate) why: Cow<'d, str>,
    pub(crate) count: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
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
        let Counts { values, allocations, nodes, objects, handles } = counts;
        Self { values, allocations, nodes, objects, handles }
    }
}

impl From<CountsRecord> for Counts {
    fn from(counts: CountsRecord) -> Self {
        let CountsRecord { values, allocations, nodes, objects, handles } = counts;
        Self { values, allocations, nodes, objects, handles }
    }
}
