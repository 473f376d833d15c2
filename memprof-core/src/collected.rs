//! The result of a walk: the tree of names, sharing and tensors, made from the nodes of the walk.

use crate::MemoryProfile;
use crate::layout::prefetch;
use crate::list::List;
use crate::shape::NodeId;
use crate::sharing::TreeNode;
use crate::state::{self, Child, Counter, Mark, Marked, WalkState};
use crate::tensor::Tensors;
use crate::tree::{BranchId, Counts, Leaf, NameTree, NodeSource, Own, merge};
use crate::walk::{Holders, Observer, Shared, Walk};
use crate::words::{LeafKind, Origin, Role};
use core::ops::Range;

/// The result of a walk over values.
///
/// `Profile` in the crate `memprof-profile` wraps and displays this type.
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
    /// Who keeps shared memory alive. `None` unless the observer [wanted](Observer::max_graph)
    /// to know.
    pub holders: Option<Vec<Holders>>,
}

/// The result of a walk that may have drawn from large slices.
#[derive(Debug)]
#[non_exhaustive]
#[must_use]
pub struct Sampled {
    /// The tree. Its sampled leaves have the mean of all draws, and are marked as estimated. Its
    /// totals of shared memory do not include the sample.
    pub collected: Collected,
    /// The bytes that the draws found at each branch.
    pub sample: Sample,
    /// The number of elements drawn from slices.
    pub drawn: u64,
    /// The number of elements that were left to sampling.
    pub elements: u64,
}

/// The bytes that the draws of a walk found at each branch of the tree, by its number in the plain
/// form.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sample {
    /// The number of independent groups of draws.
    pub groups: usize,
    /// The sampled bytes, sorted by branch.
    pub bytes: Vec<SampledBytes>,
    /// The branches from the first to the last one at which shared allocations may count. The walk
    /// and the sample may count an allocation at a different one of these branches than a full
    /// walk.
    pub sharing: Range<BranchId>,
    /// The visited bytes, by branch, that may be in shared allocations.
    pub movable: Vec<(BranchId, u64)>,
    /// The number of bytes in `movable` that a full walk may count at other branches.
    pub movable_bytes: u64,
}

/// The sampled bytes of one branch, as one group of draws estimates them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SampledBytes {
    /// The branch.
    pub branch: BranchId,
    /// The number of the group.
    pub group: usize,
    /// `true` if the bytes are in shared allocations.
    pub is_shared: bool,
    /// The estimate of all bytes.
    pub bytes: f64,
}

impl Collected {
    /// Walks `root`, and names the tree's root `name`.
    ///
    /// # Cost
    /// Takes 0.5 to 2 µs for the tree. Beyond that, it takes about as long as a hand-written sum over
    /// the same values, if they exceed the caches: 2 to 3 times as long for cells and shared memory,
    /// 5 to 9 times for long lists of boxes or of `Rc<RefCell<…>>`. The walk does not visit flat
    /// elements.
    pub fn of<T: MemoryProfile + ?Sized>(name: &str, root: &T) -> Self {
        Self::finish(name, &Walk::new().walk_root(root), size_of_val(root) as u64)
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
        let state = Walk::observed_by(observer).walk_root(root);
        Self::finish_observed(name, &state, size_of_val(root) as u64)
    }

    /// Walks `root` like [`observed`](Self::observed), but draws from large slices if the observer
    /// stops the walk.
    ///
    /// The observer is called again after it has stopped the walk. The first time, the walk leaves
    /// large slices to sampling and continues. The second time, it begins to draw. The third time,
    /// it ends. The observer receives no addresses from the sample.
    ///
    /// If the estimates were more than `at_most` bytes on the host in total, they are reduced in
    /// proportion.
    ///
    /// ```
    /// use memprof_core::tree::Collected;
    /// use memprof_core::walk::Observer;
    ///
    /// /// Stops a walk after this number of calls, and then once after each further call.
    /// struct Calls(u32);
    ///
    /// impl Observer for Calls {
    ///     fn stops(&mut self) -> bool {
    ///         self.0 += 1;
    ///         self.0 > 4 && self.0 % 2 == 0
    ///     }
    /// }
    ///
    /// let names: Vec<String> = (0..100_000).map(|name| name.to_string()).collect();
    /// let sampled = Collected::sampled("names", &names, 7, None, &mut Calls(0));
    /// assert!(sampled.drawn > 0 && sampled.drawn < 1000);
    /// assert!(sampled.elements > 98_000);
    /// ```
    pub fn sampled<T: MemoryProfile + ?Sized>(
        name: &str,
        root: &T,
        seed: u64,
        at_most: Option<u64>,
        observer: &mut dyn Observer,
    ) -> Sampled {
        let (mut state, sampling) = Walk::run_sampled(root, seed, observer);
        let finish = |state: &WalkState| Self::finish(name, state, size_of_val(root) as u64);
        let sampled = sampling.finish(&mut state, at_most, finish);
        if state.sharing.is_traced() {
            let handles = Handles { root: name.to_owned(), state };
            if handles.graph_size() <= observer.max_graph() {
                observer.handles(handles);
            }
        }
        sampled
    }

    /// Walks several values together and puts each below the root under its own name.
    ///
    /// An allocation that several values share is counted once. The bytes of values with the same
    /// name add up.
    pub fn of_all<'v, N: AsRef<str>>(
        name: &str,
        values: impl IntoIterator<Item = (N, &'v dyn MemoryProfile)>,
    ) -> Self {
        let (state, shallow_bytes) = Walk::new().walk_all(values);
        Self::finish(name, &state, shallow_bytes)
    }

    /// Walks several values together like [`of_all`](Self::of_all), with an observer like
    /// [`observed`](Self::observed).
    pub fn of_all_observed<'v, N: AsRef<str>>(
        name: &str,
        values: impl IntoIterator<Item = (N, &'v dyn MemoryProfile)>,
        observer: &mut dyn Observer,
    ) -> Self {
        let values = values.into_iter().map(|(name, value)| (name, value as &dyn MemoryProfile));
        let (state, shallow_bytes) = Walk::observed_by(observer).walk_all(values);
        Self::finish_observed(name, &state, shallow_bytes)
    }

    fn finish_observed(name: &str, state: &WalkState, shallow_bytes: u64) -> Self {
        Self { holders: holders(name, state), ..Self::finish(name, state, shallow_bytes) }
    }

    fn finish(name: &str, state: &WalkState, shallow_bytes: u64) -> Self {
        let tree = tree_of_walk(name, state);
        let shared = state.sharing.totals(tree.total_bytes(), state.is_complete());
        let tensors = state.tensors.named(|node| state.path(node, name));
        Self { tree, shared, tensors, shallow_bytes, holders: None }
    }
}

/// The handles to shared allocations that a walk kept. They refer to no value, so the values may
/// change or be dropped.
#[derive(Debug)]
pub struct Handles {
    root: String,
    state: Box<WalkState>,
}

impl Handles {
    /// Returns the number of handles, shared allocations and names.
    pub fn graph_size(&self) -> usize {
        let WalkState { sharing, nodes, .. } = &*self.state;
        sharing.kept_handles() + sharing.len() + nodes.len()
    }

    /// Returns who keeps shared memory alive.
    ///
    /// # Cost
    /// Takes about 100 ns and 70 bytes for each handle and each allocation.
    pub fn holders(&self) -> Vec<Holders> {
        holders(&self.root, &self.state).unwrap_or_default()
    }
}

/// Returns who keeps shared memory alive. `None` if the walk did not keep its handles.
fn holders(root: &str, state: &WalkState) -> Option<Vec<Holders>> {
    let nodes = || {
        let folds = state.folds();
        let node = |(number, node): (NodeId, &state::Node)| TreeNode {
            parent: node.parent,
            container: folds.root_of(number),
        };
        state.nodes.numbered().map(node).collect()
    };
    state.sharing.holders(nodes, |node| state.path(node, root))
}

/// Returns all bytes of `root` and of all that `root` owns, without building a tree.
///
/// # Cost
/// Takes about 10 ns. Beyond that, it takes about as long as a hand-written sum: twice as long for
/// cells and shared memory, 2 to 6 times for long lists of boxes or of `Rc<RefCell<…>>`. Nothing
/// is allocated unless the root reaches a shared allocation, a reference to follow, or a value behind
/// more than 64 pointers.
pub fn total_bytes<T: MemoryProfile + ?Sized>(root: &T) -> u64 {
    Walk::total_of(root)
}

fn tree_of_walk(root: &str, state: &WalkState) -> NameTree {
    let node = Node { number: NodeId::ROOT, role: Role::default() };
    merge(&WalkSource::new(state), root, node, Origin::Values)
}

struct WalkSource<'w> {
    state: &'w WalkState,
    /// For each node, the list of its child nodes. A child is left out if neither it nor a node
    /// below it has contents.
    links: List<Link, NodeId>,
}

#[derive(Clone, Copy, Default)]
struct Link {
    first: Child,
    next: Child,
}

#[derive(Clone, Copy)]
struct Node {
    number: NodeId,
    /// The role that applies above the node.
    role: Role,
}

impl<'w> WalkSource<'w> {
    fn new(state: &'w WalkState) -> Self {
        let mut links = List::<Link, NodeId>::from(vec![Link::default(); state.nodes.len()]);
        // A parent's number is lower than those of its children, so in reverse order the children
        // come first. Each node is read only once, because the nodes of a million names do not fit
        // into a cache.
        for (number, node) in state.nodes.numbered().skip(1).rev() {
            if links[number].first.get().is_some() || has_content(state, node) {
                let above = &mut links[node.parent].first;
                let next = core::mem::replace(above, number.into());
                links[number].next = next;
            }
        }
        Self { state, links }
    }

    fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        core::iter::successors(self.links[node].first.get(), |&node| self.links[node].next.get())
    }

    fn leaves(&self, node: NodeId, role: Role) -> impl Iterator<Item = Leaf> {
        let bytes = self.state.all_bytes(&self.state.nodes[node]);
        let leaves = LeafKind::ALL.iter().copied().zip(bytes).filter(|&(_, bytes)| bytes > 0);
        leaves.map(move |(kind, bytes)| Leaf::new(kind, role, bytes))
    }

    /// Adds the marks of a node, except those that were moved to another node. `kind` returns the kind
    /// of the leaf with estimated bytes of a kind.
    fn add_marks(&self, node: NodeId, role: Role, kind: fn(LeafKind) -> LeafKind, own: &mut Own) {
        for marked in self.state.marks(node).filter(|marked| marked.count != 0) {
            let Marked { mark, count, .. } = *marked;
            match mark {
                Mark::Opaque(reason) => own.add_opaque(reason, count),
                Mark::Estimated(of, device) => {
                    // The leaf only adds its estimated bytes to another leaf.
                    own.add_leaf(Leaf::new(kind(of), role, 0).on(device).estimated(count));
                }
                Mark::OnDevice(device) => {
                    own.add_leaf(Leaf::new(LeafKind::Data, role, count).on(device));
                }
            }
        }
    }

    fn counts(&self, node: NodeId) -> Counts {
        counts(self.state, &self.state.nodes[node])
    }

    /// Adds up a node and everything below it as `[data]` leaves.
    fn collapse(&self, node: NodeId, role: Role, own: &mut Own) {
        for leaf in self.leaves(node, role) {
            own.add_leaf(Leaf::new(LeafKind::Data, role, leaf.bytes()));
        }
        self.add_marks(node, role, |_| LeafKind::Data, own);
        // The sum replaces the buffers below the node, so their excess capacity is not reported.
        own.counts += Counts {
            values: 0,
            buffer_bytes: 0,
            shrinkable_bytes: 0,
            compactable_bytes: 0,
            ..self.counts(node)
        };
        self.children(node).for_each(|child| self.collapse(child, role, own));
    }
}

impl<'w> NodeSource<'w> for WalkSource<'w> {
    type Node = Node;

    fn visit(&self, node: Node, own: &mut Own, children: &mut Vec<(&'w str, Node)>) {
        let Node { number, role } = node;
        let grown = &self.state.nodes[number];
        let role = grown.field.role.unwrap_or(role);
        if grown.field.leaf {
            self.collapse(number, role, own);
            own.counts += Counts { values: self.counts(number).values, ..Counts::default() };
            return;
        }
        self.leaves(number, role).for_each(|leaf| own.add_leaf(leaf));
        self.add_marks(number, role, |kind| kind, own);
        own.counts += self.counts(number);
        let state = self.state;
        for number in self.children(number) {
            let (child, node) = (&state.nodes[number], Node { number, role });
            if child.field.frameless {
                self.visit(node, own, children);
            } else {
                children.push((state.name_of(child), node));
            }
        }
    }

    /// The nodes are in the order in which the walk met them, so visits in the order of names would
    /// miss the cache.
    fn prefetch(&self, node: Node) {
        prefetch((&raw const self.links[node.number]).addr());
        let start = (&raw const self.state.nodes[node.number]).addr();
        // These lines contain the node and the next three, which are usually its fields.
        (0..8).for_each(|line| prefetch(start + 64 * line));
    }
}

fn counts(state: &WalkState, node: &state::Node) -> Counts {
    let counters = state.counters(node);
    let of = |counter: Counter| counters[counter as usize];
    let (shrinkable_bytes, compactable_bytes) =
        (of(Counter::ShrinkableBytes), of(Counter::CompactableBytes));
    // Most buffers have no excess capacity. The advice does not use the size of such a buffer.
    let has_excess = of(Counter::Spare) > 0 || shrinkable_bytes > 0 || compactable_bytes > 0;
    Counts {
        values: of(Counter::Values),
        allocations: of(Counter::Allocations),
        nodes: of(Counter::TreeNodes),
        shared_allocations: of(Counter::SharedAllocations),
        handles: of(Counter::Handles),
        buffer_bytes: if has_excess { of(Counter::BufferBytes) } else { 0 },
        shrinkable_bytes,
        compactable_bytes,
        duplicates: of(Counter::Duplicates),
        duplicate_bytes: of(Counter::DuplicateBytes),
    }
}

fn has_content(state: &WalkState, node: &state::Node) -> bool {
    node.is_marked()
        || counts(state, node) != Counts::default()
        || state.all_bytes(node).iter().any(|&bytes| bytes > 0)
}
