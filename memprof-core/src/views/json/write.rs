//! From a profile to its JSON.

use crate::views::json::document::{
    BranchRecord, Document, FORMAT, LeafRecord, OpaqueRecord, SharedRecord, VERSION,
};
use crate::views::json::{JsonError, MAX_DEPTH};
use crate::{Branch, Profile, Shared};
use std::borrow::Cow;

impl<'p> Document<'p> {
    pub(crate) fn of(profile: &'p Profile) -> Result<Self, JsonError> {
        let mut branches = Vec::new();
        add_branch(&profile.root, None, 1, &mut branches)?;
        Ok(Self {
            total_bytes: profile.total_bytes(),
            exact: profile.is_exact(),
            shared: profile.shared.into(),
            branches,
        })
    }

    /// One branch a line, so that tools which work by line can read and compare profiles.
    pub(crate) fn to_lines(&self) -> Result<String, JsonError> {
        let (total, exact) = (self.total_bytes, self.exact);
        let shared = serde_json::to_string(&self.shared).map_err(JsonError::syntax)?;
        let mut text = format!(
            "{{\"format\": \"{FORMAT}\", \"version\": {VERSION}, \
             \"total_bytes\": {total}, \"exact\": {exact},\n\"shared\": {shared},\n\"branches\": ["
        );
        for (index, branch) in self.branches.iter().enumerate() {
            text.push_str(if index == 0 { "\n" } else { ",\n" });
            text.push_str(&serde_json::to_string(branch).map_err(JsonError::syntax)?);
        }
        text.push_str("\n]}\n");
        Ok(text)
    }
}

fn add_branch<'p>(
    branch: &'p Branch,
    parent: Option<usize>,
    depth: usize,
    records: &mut Vec<BranchRecord<'p>>,
) -> Result<(), JsonError> {
    if depth > MAX_DEPTH {
        return Err(JsonError::too_deep());
    }
    let index = records.len();
    records.push(record(branch, parent));
    branch.children.iter().try_for_each(|child| add_branch(child, Some(index), depth + 1, records))
}

fn record(branch: &Branch, parent: Option<usize>) -> BranchRecord<'_> {
    let leaves = branch.leaves.iter().map(|leaf| LeafRecord {
        kind: Cow::Borrowed(leaf.kind.frame()),
        bytes: leaf.bytes,
        estimated_bytes: leaf.estimated_bytes,
    });
    let opaque = branch
        .opaque
        .iter()
        .map(|&(why, count)| OpaqueRecord { why: Cow::Borrowed(why.word()), count });
    BranchRecord {
        parent,
        name: Cow::Borrowed(&branch.name),
        role: Cow::Borrowed(branch.role.word()),
        bytes: branch.bytes,
        counts: branch.counts.into(),
        leaves: leaves.collect(),
        opaque: opaque.collect(),
    }
}

impl From<Shared> for SharedRecord {
    fn from(shared: Shared) -> Self {
        let Shared { objects, handles, bytes, bytes_if_unshared, bytes_held_outside } = shared;
        Self { objects, handles, bytes, bytes_if_unshared, bytes_held_outside }
    }
}

impl From<SharedRecord> for Shared {
    fn from(shared: SharedRecord) -> Self {
        let SharedRecord { objects, handles, bytes, bytes_if_unshared, bytes_held_outside } =
            shared;
        Self { objects, handles, bytes, bytes_if_unshared, bytes_held_outside }
    }
}
