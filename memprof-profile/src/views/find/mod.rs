//! The lookup of bytes by path.

mod closest;
mod not_found;

pub use not_found::PathNotFound;

use crate::Profile;
use crate::text::Frame;
use crate::tree::Branch;
use crate::views::marks::lacks_values;
use memprof_core::tree::Plain;

/// # Search by path
impl Profile {
    /// Returns the bytes at a path and below it; `None` if the path does not exist. Shared memory
    /// counts once.
    ///
    /// A path is what [`to_folded`](Self::to_folded) writes, without the root's name: frames joined
    /// by `;`. A frame may be the plain name or its spelling in folded stacks. The path of the root
    /// is empty.
    ///
    /// ```
    /// use memprof::Profile;
    ///
    /// let profile = Profile::named("pair", &(vec![0_u8; 1000], (7_u64, [0_u8; 8])));
    /// assert_eq!(profile.bytes_at("0"), Some(1024));
    /// assert_eq!(profile.bytes_at("1;0"), Some(8));
    /// assert_eq!(profile.bytes_at(""), Some(1040));
    /// assert_eq!(profile.bytes_at("2"), None);
    /// ```
    ///
    /// # Cost
    /// If memory is shared or maps have keys, this takes the time of
    /// [`to_folded`](Self::to_folded) without the text. Otherwise, it searches the branches on the
    /// path.
    pub fn bytes_at(&self, path: &str) -> Option<u64> {
        find(self.plain().root(), &frames(path)).ok().map(Branch::total_bytes)
    }

    /// Returns the bytes like [`bytes_at`](Self::bytes_at), with an error that names the closest
    /// paths.
    ///
    /// ```
    /// # use memprof::Profile;
    /// let profile = Profile::named("pair", &(vec![0_u8; 1000], (7_u64, [0_u8; 8])));
    /// assert_eq!(
    ///     profile.try_bytes_at("1;2").unwrap_err().to_string(),
    ///     "no path \"1;2\" in pair; closest are \"1;0\", \"1;1\""
    /// );
    /// ```
    ///
    /// # Errors
    /// Returns an error if the path does not exist.
    pub fn try_bytes_at(&self, path: &str) -> Result<u64, PathNotFound> {
        let (plain, frames) = (self.plain(), frames(path));
        match find(plain.root(), &frames) {
            Ok(branch) => Ok(branch.total_bytes()),
            Err(deepest) => Err(PathNotFound::new(path, plain.root(), &frames, deepest)),
        }
    }

    /// Returns whether the bytes at a path and below it are only a lower end, because a walk did not
    /// visit all values there. If the path does not exist, returns whether such values could have
    /// it.
    ///
    /// Contents that no walk visits, such as those of a channel, do not count. Neither do the
    /// elements of a slice for which a sample stands.
    ///
    /// ```
    /// use memprof::Profile;
    /// use std::cell::RefCell;
    ///
    /// let pair = (vec![0_u8; 1000], RefCell::new(vec![0_u8; 1000]));
    /// let _borrowed = pair.1.borrow_mut();
    /// let profile = Profile::named("pair", &pair);
    /// assert!(!profile.is_lower_end_at("0"));
    /// assert!(profile.is_lower_end_at("1") && profile.is_lower_end_at(""));
    /// ```
    pub fn is_lower_end_at(&self, path: &str) -> bool {
        let plain = self.plain();
        let mut branch = plain.root();
        for frame in frames(path) {
            if lacks_values(branch) {
                return true;
            }
            let Some(below) = child(branch, frame) else { return false };
            branch = below;
        }
        branch.subtree().any(lacks_values)
    }
}

/// The point at which the lookup of a path failed: the number of matched frames and the last branch
/// reached.
#[derive(Clone, Copy)]
struct DeepestMatch<'p> {
    frames: usize,
    branch: Branch<'p>,
}

fn frames(path: &str) -> Vec<&str> {
    if path.is_empty() { Vec::new() } else { path.split(';').collect() }
}

/// Returns the branch at a path of a tree in its plain form.
pub(crate) fn branch_at<'p>(plain: &'p Plain<'_>, path: &str) -> Option<Branch<'p>> {
    find(plain.root(), &frames(path)).ok()
}

fn find<'p>(root: Branch<'p>, frames: &[&str]) -> Result<Branch<'p>, DeepestMatch<'p>> {
    let mut branch = root;
    for (index, frame) in frames.iter().enumerate() {
        branch = child(branch, frame).ok_or(DeepestMatch { frames: index, branch })?;
    }
    Ok(branch)
}

/// Returns the child with the name `frame`, or else the child whose name folded stacks write as
/// `frame`.
fn child<'p>(branch: Branch<'p>, frame: &str) -> Option<Branch<'p>> {
    branch
        .child(frame)
        .or_else(|| branch.children().find(|child| Frame(child.name()).to_string() == frame))
}
