//! Which branches of a tree are a line of their own, as the tree and folded stacks show it.

use memprof_profile::{Branch, KEYS, SHARED};

/// Whether a branch only describes the line above it: what handles share, and keys without names
/// below them. Paths without such frames are the same however many handles there are.
pub(crate) fn joins_its_parent(branch: Branch<'_>) -> bool {
    match branch.name() {
        SHARED => true,
        KEYS => !has_names(branch),
        _ => false,
    }
}

fn has_names(branch: Branch<'_>) -> bool {
    branch.children().any(|child| !matches!(child.name(), KEYS | SHARED) || has_names(child))
}
