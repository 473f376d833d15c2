//! The branches that a tree and folded stacks do not show as separate lines.

use memprof_profile::tree::{Branch, KEYS, SHARED};

/// Returns `true` if a branch only describes its parent: a shared allocation, or keys without names
/// below them. Without these frames, a path does not depend on the number of handles.
pub(crate) fn describes_parent(branch: Branch<'_>) -> bool {
    match branch.name() {
        SHARED => true,
        KEYS => !has_names(branch),
        _ => false,
    }
}

fn has_names(branch: Branch<'_>) -> bool {
    branch.children().any(|child| !matches!(child.name(), KEYS | SHARED) || has_names(child))
}
