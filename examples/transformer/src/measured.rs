//! The bytes of tensors' elements that a profile found.

use crate::parts::Part;
use memprof::{Branch, Device, Kind, Leaf, Profile, Role};
use std::collections::BTreeMap;

/// The bytes of a part's elements on each device that has some.
pub(crate) fn part(profile: &Profile, part: Part) -> BTreeMap<Device, u64> {
    let mut bytes = BTreeMap::new();
    for path in part.paths() {
        if let Some(branch) = path.split(';').try_fold(profile.root(), Branch::child) {
            add(branch, &mut bytes);
        }
    }
    bytes
}

/// The bytes of all elements on each device that has some.
pub(crate) fn all(profile: &Profile) -> BTreeMap<Device, u64> {
    let mut bytes = BTreeMap::new();
    add(profile.root(), &mut bytes);
    bytes
}

/// Elements are data; a tensor's handle, counts, lengths and strides are not, nor is what describes
/// tensors.
fn add(branch: Branch<'_>, bytes: &mut BTreeMap<Device, u64>) {
    let leaves = branch.subtree().flat_map(Branch::leaves);
    let is_element = |leaf: &&Leaf| leaf.kind() == Kind::Data && leaf.role() != Role::Metadata;
    for leaf in leaves.filter(is_element).filter(|leaf| leaf.bytes() > 0) {
        *bytes.entry(leaf.device()).or_default() += leaf.bytes();
    }
}
