//! The names of leaves.

use memprof_profile::tree::Path;

/// Returns the frame above the leaf's kind, in the form that a path has.
pub(crate) fn name_of(path: &Path<'_>) -> String {
    let frames = path.frames();
    let above = frames.len().checked_sub(2).and_then(|index| frames.get(index));
    memprof_profile::text::Frame(above.copied().unwrap_or_default()).to_string()
}
