//! The result of a walk: the tree of names, sharing and tensors.

use crate::paths::Paths;
use crate::tree::{NameTree, grow};
use crate::{CollectedTensors, MemoryProfile, Observer, Shared, Walk};

/// The result of a walk over values.
///
/// `Profile` of the crate `memprof-profile` is made of it, and shows it.
///
/// ```
/// use memprof_core::Collected;
///
/// let names = vec![String::from("alpha"), String::from("beta")];
/// let collected = Collected::of("names", &names);
/// assert_eq!(collected.tree.total_bytes(), 24 + 2 * 24 + 5 + 4);
/// assert!(collected.tree.root().is_exact());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Collected {
    /// The tree of names.
    pub tree: NameTree,
    /// The totals of shared memory.
    pub shared: Shared,
    /// The tensors met.
    pub tensors: CollectedTensors,
    /// The values' own bytes, without anything they own.
    pub shallow_bytes: u64,
}

impl Collected {
    /// Walks `root`, and names the tree's root `name`.
    ///
    /// # Cost
    /// About what a hand-written sum over the same values costs; flat elements are not visited.
    pub fn of<T: MemoryProfile + ?Sized>(name: &str, root: &T) -> Self {
        Self::finish(name, &Walk::run(root), size_of_val(root) as u64)
    }

    /// Like [`of`](Self::of), with an observer that may end the walk early and gets the addresses of
    /// memory.
    ///
    /// # Cost
    /// That of [`of`](Self::of) and a call in 256 values. With addresses, a call for each, and values
    /// are visited one by one.
    pub fn observed<T: MemoryProfile + ?Sized>(
        name: &str,
        root: &T,
        observer: &mut dyn Observer,
    ) -> Self {
        Self::finish(name, &Walk::run_observed(root, observer), size_of_val(root) as u64)
    }

    /// Walks several values together, each below the root under a name of its own, so that what they
    /// share counts once. Values of one name add up.
    pub fn of_all<'v, N: AsRef<str>>(
        name: &str,
        values: impl IntoIterator<Item = (N, &'v dyn MemoryProfile)>,
    ) -> Self {
        let mut shallow_bytes = 0;
        let paths = Walk::run_all(values.into_iter().inspect(|(_, value)| {
            shallow_bytes += size_of_val(*value) as u64;
        }));
        Self::finish(name, &paths, shallow_bytes)
    }

    fn finish(name: &str, paths: &Paths, shallow_bytes: u64) -> Self {
        let tree = grow(name, paths);
        let shared = paths.sharing.totals(tree.total_bytes());
        let tensors = paths.tensors.named(|node| paths.frames(node, name));
        Self { tree, shared, tensors, shallow_bytes }
    }
}

/// All bytes of `root` and what it owns, without a tree.
///
/// # Cost
/// About what a hand-written sum costs; nothing is allocated unless memory is shared.
pub fn total_bytes<T: MemoryProfile + ?Sized>(root: &T) -> u64 {
    Walk::run(root).total()
}
