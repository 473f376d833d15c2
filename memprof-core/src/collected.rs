//! The result of a walk: the tree of names, sharing and tensors.

use crate::MemoryProfile;
use crate::sampling::{KnownAllocations, Replicate, SamplePlan, branch_of, replicates_of};
use crate::state::WalkState;
use crate::tensor::Tensors;
use crate::tree::{NameTree, tree_of_walk};
use crate::walk::{Observer, Shared, Walk};

/// The result of a walk over values.
///
/// `Profile` of the crate `memprof-profile` wraps and displays this type.
///
/// ```
/// use memprof_core::tree::Collected;
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
    /// The tensors that the walk met.
    pub tensors: Tensors,
    /// The inline bytes of the values, without anything they own.
    pub shallow_bytes: u64,
}

/// The result of a sampled walk.
#[derive(Debug)]
#[non_exhaustive]
#[must_use]
pub struct Sampled {
    /// The tree. Its sampled leaves have the mean of all groups, and are marked as estimated. Its
    /// totals of shared memory do not include what is inside sampled slices.
    pub collected: Collected,
    /// The sampled bytes of the leaves, sorted by branch.
    pub replicates: Vec<Replicate>,
    /// The estimate of all sampled bytes by each group.
    pub totals: Vec<f64>,
    /// The number of elements drawn from sampled slices.
    pub drawn: u64,
    /// The number of elements of these slices.
    pub elements: u64,
    /// The shared allocations outside sampled slices.
    pub known: KnownAllocations,
    /// `true` if some of these allocations count twice, because the walk drew handles to them before
    /// it met them outside sampled slices. The estimates of shared memory are then too high.
    pub counts_twice: bool,
    /// The maximum number of visited bytes that a walk over all elements may count at a sampled
    /// slice instead, because unvisited elements may lead to the same allocations.
    pub movable_bytes: u64,
    /// `true` if the bytes of shared allocations may be at branches that are not below `[shared]`.
    pub has_shared_elsewhere: bool,
    /// The branches of the sampled slices whose elements may lead to shared allocations, sorted.
    pub shared_slices: Vec<u32>,
    /// The number of collections whose entries the walk skipped, as its plan says.
    pub skipped: u64,
    /// `true` if the observer stopped the walk, so that the estimates are too low.
    pub is_stopped: bool,
}

impl Collected {
    /// Walks `root`, and names the tree's root `name`.
    ///
    /// # Cost
    /// Takes 0.5 to 2 µs for the tree. Beyond that, it takes about as long as a hand-written sum over
    /// the same values, if they exceed the caches. The walk does not visit flat elements.
    pub fn of<T: MemoryProfile + ?Sized>(name: &str, root: &T) -> Self {
        Self::finish(name, &Walk::run(root), size_of_val(root) as u64)
    }

    /// Walks `root` like [`of`](Self::of), with an observer that can stop the walk early and can
    /// receive the addresses of blocks.
    ///
    /// # Cost
    /// Takes as long as [`of`](Self::of), plus one call per 256 values. An observer that wants
    /// addresses gets one call per address, and the walk visits values one by one.
    pub fn observed<T: MemoryProfile + ?Sized>(
        name: &str,
        root: &T,
        observer: &mut dyn Observer,
    ) -> Self {
        Self::finish(name, &Walk::run_observed(root, observer), size_of_val(root) as u64)
    }

    /// Walks `root`, but visits only a random sample of the elements of large slices.
    ///
    /// The tree has estimates for these slices. If no slice was large enough to be sampled, the
    /// tree is the same as from [`observed`](Self::observed). `known` comes from the result of an
    /// earlier walk, or is empty. The observer can stop the walk, but receives no addresses.
    ///
    /// # Cost
    /// Takes as long as [`of`](Self::of) for everything outside the sampled slices. A sampled slice
    /// takes about as long as a visit of the elements that were drawn from it.
    pub fn sampled<T: MemoryProfile + ?Sized>(
        name: &str,
        root: &T,
        plan: SamplePlan,
        known: KnownAllocations,
        observer: &mut dyn Observer,
    ) -> Sampled {
        let (mut state, mut sampling, is_stopped) = Walk::run_sampled(root, plan, known, observer);
        let leaves = sampling.write_back(&mut state);
        let folds = state.folds();
        state.raise_unvisited(&folds);
        let collected = Self::finish(name, &state, size_of_val(root) as u64);
        let replicates = replicates_of(leaves, &state, &collected.tree);
        let (drawn, elements) = (sampling.drawn, sampling.elements);
        let skipped = sampling.skipped;
        let (counts_twice, movable_bytes) = (sampling.counts_twice, sampling.movable_bytes(&state));
        let branch = |node| branch_of(folds.root_of(node), &state, &collected.tree).0;
        let mut shared_slices: Vec<u32> = sampling.shared_slices().map(branch).collect();
        shared_slices.sort_unstable();
        let has_shared_elsewhere = state.has_shared_elsewhere();
        let (totals, known) = (sampling.into_totals(), KnownAllocations(state.sharing));
        Sampled {
            collected,
            replicates,
            totals,
            drawn,
            elements,
            known,
            counts_twice,
            movable_bytes,
            has_shared_elsewhere,
            shared_slices,
            skipped,
            is_stopped,
        }
    }

    /// Walks several values together and puts each below the root under its own name.
    ///
    /// An allocation that several values share is counted once. The bytes of values with the same
    /// name add up.
    pub fn of_all<'v, N: AsRef<str>>(
        name: &str,
        values: impl IntoIterator<Item = (N, &'v dyn MemoryProfile)>,
    ) -> Self {
        let mut shallow_bytes = 0;
        let values = values.into_iter().inspect(|(_, value)| {
            shallow_bytes += size_of_val(*value) as u64;
        });
        let state = Walk::run_all(values);
        Self::finish(name, &state, shallow_bytes)
    }

    fn finish(name: &str, state: &WalkState, shallow_bytes: u64) -> Self {
        let tree = tree_of_walk(name, state);
        let shared = state.sharing.totals(tree.total_bytes(), state.is_complete());
        let tensors = state.tensors.named(|node| state.frames(node, name));
        Self { tree, shared, tensors, shallow_bytes }
    }
}

/// Returns all bytes of `root` and of all that `root` owns, without building a tree.
///
/// # Cost
/// Takes about 10 ns. Beyond that, it takes about as long as a hand-written sum. Nothing is
/// allocated unless the root reaches a shared allocation, a reference to follow, or a value behind
/// more than 64 pointers.
pub fn total_bytes<T: MemoryProfile + ?Sized>(root: &T) -> u64 {
    Walk::total_of(root)
}
