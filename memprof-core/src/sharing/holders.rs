//! Who keeps shared memory alive: the dominators of shared allocations, and the bytes that are
//! freed with each.
//!
//! The dominator of an allocation is the nearest path of the root, or the nearest other shared
//! allocation, through which all handles to it lead. Only if that goes can the allocation be freed.
//! How much is freed is computed by reference counting, as for a drop of the root: a dominator alone
//! would call cycles freed, and memory that a handle outside holds.
//!
//! A usual walk keeps the handles inside shared memory, but not their paths, and of the root's
//! handles only the number. A walk whose observer wants the holders keeps each handle and its node.
//! Its table of allocations is in [`Trace`], and the usual table stays empty, so a lookup finds
//! nothing and every handle gets to [`enter_traced`](Sharing::enter_traced). A usual walk thus has
//! no branch for this.

use super::dominators::dominators;
use super::{AllocationTable, Context, ContextId, Kind, PerContext, Sharing, Targets};
use crate::list::{Id, List, Number};
use crate::shape::NodeId;
use crate::sort::sort_by;
use crate::words::SHARED;
use core::mem::{replace, swap};
use std::collections::{BTreeMap, HashMap};

/// Who keeps shared allocations alive. Allocations of one path that the same paths hold are together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Holders {
    /// The path at which the allocations count: that of the first handle that the walk met.
    pub path: String,
    /// The number of the allocations.
    pub allocations: u64,
    /// The bytes that are freed with these allocations: their own, and all that only they keep
    /// alive.
    pub bytes: u64,
    /// What must be dropped before the allocations can be freed: the root's own handles at a path
    /// and below it, or the shared allocations that count at a path, which then ends with
    /// `[shared]`. `None` if there are handles that the walk did not meet.
    pub dominator: Option<String>,
    /// The bytes of shared memory that dropping the [dominator](Self::dominator) frees, including
    /// other allocations. Fewer than [`bytes`](Self::bytes) if a cycle of handles keeps the
    /// allocations alive even then. `None` without a dominator.
    pub freed_bytes: Option<u64>,
    /// The paths of the handles that the walk met, in order, and the number of handles at each.
    pub handles: Vec<(String, u64)>,
    /// The number of handles that the walk did not meet; `None` if it is unknown. If contents were
    /// not read, the handles may be there.
    pub unmet_handles: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeNode {
    pub(crate) parent: NodeId,
    /// The nearest node that contains everything that the values here own. It is above the node if
    /// the values contain others of an enclosing type, whose handles are at the fields of that type.
    pub(crate) container: NodeId,
}

/// The number of groups of allocations that are kept: those that keep the most bytes alive.
const KEPT: usize = 16;

#[derive(Debug, Default)]
pub(crate) struct Trace {
    table: AllocationTable,
    handles: Vec<Handle>,
    /// The weak handles, and those of values to their own allocations.
    pub(super) weak_handles: Vec<Handle>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Handle {
    /// The context that contains the handle.
    pub(super) from: ContextId,
    pub(super) to: Id<Context>,
    pub(super) node: NodeId,
}

impl Sharing {
    /// Keeps all handles from now on.
    pub(crate) fn begin_trace(&mut self) {
        self.trace = Some(Box::default());
    }

    /// Exchanges the usual table with the table of a walk that keeps its handles. At the end of the
    /// walk, all totals are computed from that table. In a usual walk, does nothing.
    pub(crate) fn exchange_tables(&mut self) {
        if let Some(trace) = &mut self.trace {
            swap(&mut self.table, &mut trace.table);
        }
    }

    /// Returns whether a walk that keeps its handles met an allocation.
    pub(crate) fn is_traced(&mut self, address: usize) -> bool {
        self.trace.as_mut().is_some_and(|trace| trace.table.find(address).is_some())
    }

    /// Keeps a handle at a node, and enters its allocation like [`enter`](Self::enter).
    pub(crate) fn enter_traced(
        &mut self,
        address: usize,
        strong: usize,
        node: NodeId,
    ) -> Option<ContextId> {
        self.exchange_tables();
        let (from, new) = (self.context, self.contexts.next());
        let to = self.table.find(address).map_or(new, |known| known.0);
        let entered = self.enter(address, strong);
        self.exchange_tables();
        self.trace.as_mut()?.handles.push(Handle { from, to, node });
        entered
    }

    /// Returns who keeps shared allocations alive, for the paths that keep the most bytes alive.
    /// `None` if the walk did not keep its handles.
    ///
    /// `nodes` returns all nodes of the tree, and `path` the path of one.
    pub(crate) fn holders(
        &self,
        nodes: impl FnOnce() -> List<TreeNode, NodeId>,
        path: impl Fn(NodeId) -> String,
    ) -> Option<Vec<Holders>> {
        let graph = Graph::new(self, self.trace.as_ref()?, nodes());
        let mut ranked = graph.groups();
        sort_by(&mut ranked, |a, b| b.rank.cmp(&a.rank));
        ranked.truncate(KEPT);
        let mut all: Vec<Holders> =
            ranked.iter().map(|group| graph.holders(group, &path)).collect();
        sort_by(&mut all, |a, b| b.bytes.cmp(&a.bytes));
        Some(all)
    }
}

/// The handles from everything outside, the root and shared allocations to shared allocations.
///
/// The vertices are the outside, the contexts, and the nodes of the tree, which stand for what the
/// root itself holds there.
struct Graph {
    contexts: PerContext<Allocation>,
    nodes: List<TreeNode, NodeId>,
    targets: Targets<VertexId, Id<Context>>,
    dominators: List<VertexId, VertexId>,
    /// The vertices, each after those that it dominates.
    order: Vec<VertexId>,
}

/// The number of a vertex: the outside, then all contexts, then all nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct VertexId(u32);

impl VertexId {
    const OUTSIDE: Self = Self(0);

    fn of_context(context: Id<Context>) -> Self {
        Self::at(1 + context.index())
    }
}

impl Number for VertexId {
    fn at(index: usize) -> Self {
        Self(index as u32)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

enum Vertex {
    Outside,
    Context(Id<Context>),
    Node(NodeId),
}

#[derive(Clone, Debug, Default)]
struct Allocation {
    /// The bytes of the allocation, with values inside it that are contexts of their own.
    own: u64,
    /// The number of handles that keep it alive; `None` if it is unknown.
    strong: Option<u64>,
    /// The nodes of the handles that the walk met, the first of which is where the bytes count.
    handles: Vec<NodeId>,
}

/// The allocations that [`Holders`] describes.
#[derive(Debug)]
struct Group {
    contexts: Vec<Id<Context>>,
    /// The vertex of the dominator, or of a context that counts at the same node.
    dominator: VertexId,
    /// About the number of bytes that the allocations keep alive.
    rank: u64,
}

impl Graph {
    fn new(sharing: &Sharing, trace: &Trace, nodes: List<TreeNode, NodeId>) -> Self {
        let all = &sharing.contexts;
        let is_value = |id: Id<_>| matches!(all[id].kind, Kind::Value { .. });
        // A value that is compared with others is a part of the memory around it.
        let mut around = PerContext::<ContextId>::from(vec![None; all.len()]);
        for &(from, to) in sharing.edges.iter().filter(|edge| is_value(edge.1)) {
            around[to] = if is_value(from) { around[from] } else { Some(from) };
        }
        let container = |id: Id<_>| if is_value(id) { around[id] } else { Some(id) };
        let mut contexts = PerContext::from(vec![Allocation::default(); all.len()]);
        let mut own = sharing.own_by_fate();
        // What a single handle owns is not shared, even if weak handles keep it.
        for kept in sharing.kept_by_weak.iter().filter(|kept| kept.counts_in.is_none()) {
            own[kept.id] = 0;
        }
        for (id, &bytes) in own.numbered() {
            if let Some(container) = container(id) {
                let own = &mut contexts[container].own;
                *own = own.saturating_add(bytes);
            }
        }
        let of_node = |node: NodeId| VertexId::at(1 + all.len() + node.index());
        let below = nodes.numbered().skip(1);
        let below = below.map(|(node, above)| (of_node(above.parent), of_node(node)));
        let root = (VertexId::OUTSIDE, of_node(NodeId::ROOT));
        let mut edges: Vec<(VertexId, VertexId)> = [root].into_iter().chain(below).collect();
        let Trace { handles, weak_handles, .. } = trace;
        let mut held = Vec::with_capacity(handles.len() + weak_handles.len());
        let mut met = PerContext::from(vec![0_u64; all.len()]);
        for &Handle { from, to, node } in handles.iter().chain(weak_handles) {
            let from = from.and_then(container).map_or(of_node(node), VertexId::of_context);
            met[to] += 1;
            held.push((from, to));
            edges.push((from, VertexId::of_context(to)));
        }
        for handle in handles {
            contexts[handle.to].handles.push(handle.node);
        }
        for (id, context) in all.numbered() {
            let allocation = &mut contexts[id];
            let met = met[id];
            if let Kind::Shared { strong: count } | Kind::Weak { weak: count } = context.kind {
                // A count that changed during the walk is unknown.
                allocation.strong = Some(count.into()).filter(|&count| count >= met);
            }
            if allocation.strong != Some(met) {
                edges.push((VertexId::OUTSIDE, VertexId::of_context(id)));
            }
        }
        let vertices = 1 + all.len() + nodes.len();
        let (dominators, order) = dominators(vertices, &edges);
        let targets = Targets::new(vertices, held.into_iter());
        Self { contexts, nodes, targets, dominators, order }
    }

    fn vertex(&self, id: VertexId) -> Vertex {
        let contexts = self.contexts.len();
        match id.index() {
            0 => Vertex::Outside,
            index if index <= contexts => Vertex::Context(Number::at(index - 1)),
            index => Vertex::Node(Number::at(index - 1 - contexts)),
        }
    }

    fn context(&self, id: VertexId) -> ContextId {
        if let Vertex::Context(context) = self.vertex(id) { Some(context) } else { None }
    }

    fn of_node(&self, node: NodeId) -> VertexId {
        VertexId::at(1 + self.contexts.len() + node.index())
    }

    /// Returns the shared allocations by path, by dominator and by the paths of their handles.
    fn groups(&self) -> Vec<Group> {
        let (mut groups, mut known) = (Vec::<Group>::new(), HashMap::new());
        let mut first_at = HashMap::new();
        let mut group_of = PerContext::from(vec![None; self.contexts.len()]);
        for (id, allocation) in self.contexts.numbered() {
            let Some(&node) = allocation.handles.first() else { continue };
            let vertex = VertexId::of_context(id);
            first_at.entry(node).or_insert(vertex);
            let dominator = match self.vertex(self.dominators[vertex]) {
                // The target of a followed reference has no handle, and belongs to the outside.
                Vertex::Context(above) => {
                    let first = self.contexts[above].handles.first();
                    let first = first.and_then(|node| first_at.get(node));
                    first.copied().unwrap_or(VertexId::OUTSIDE)
                }
                Vertex::Outside => VertexId::OUTSIDE,
                Vertex::Node(above) => self.of_node(self.nodes[above].container),
            };
            let mut holders = allocation.handles.clone();
            holders.sort_unstable();
            holders.dedup();
            let group = *known.entry((node, dominator, holders)).or_insert_with(|| {
                groups.push(Group { contexts: Vec::new(), dominator, rank: 0 });
                groups.len() - 1
            });
            groups[group].contexts.push(id);
            group_of[id] = Some(group);
        }
        let mut kept: PerContext<u64> = self.contexts.0.iter().map(|one| one.own).collect();
        for &vertex in &self.order {
            let Some(id) = self.context(vertex) else { continue };
            let above = self.context(self.dominators[vertex]);
            if let Some(above) = above {
                kept[above] = kept[above].saturating_add(kept[id]);
            }
            match group_of[id] {
                Some(group) if above.is_none_or(|above| group_of[above] != Some(group)) => {
                    groups[group].rank = groups[group].rank.saturating_add(kept[id]);
                }
                _ => {}
            }
        }
        groups
    }

    fn holders(&self, group: &Group, path: impl Fn(NodeId) -> String) -> Holders {
        let all = || group.contexts.iter().map(|&id| &self.contexts[id]);
        let mut handles = BTreeMap::new();
        for &node in all().flat_map(|allocation| &allocation.handles) {
            *handles.entry(path(node)).or_default() += 1;
        }
        let (dominator, going) = match self.vertex(group.dominator) {
            Vertex::Context(context) => {
                let node = self.contexts[context].handles.first();
                let there = self.contexts.numbered();
                let there = there.filter(|(_, one)| one.handles.first() == node);
                let name = node.map(|&node| format!("{};{SHARED}", path(node)));
                (name, there.map(|(id, _)| VertexId::of_context(id)).collect())
            }
            Vertex::Outside => (None, Vec::new()),
            Vertex::Node(top) => {
                let mut is_below = List::<_, NodeId>::from(vec![false; self.nodes.len()]);
                is_below[top] = true;
                for (number, node) in self.nodes.numbered() {
                    is_below[number] |= is_below[node.parent];
                }
                let below = is_below.numbered().filter(|(_, is_below)| **is_below);
                (Some(path(top)), below.map(|(node, _)| self.of_node(node)).collect())
            }
        };
        let unmet = |one: &Allocation| one.strong.map(|strong| strong - one.handles.len() as u64);
        let contexts = group.contexts.iter().copied().map(VertexId::of_context);
        Holders {
            path: all().next().map_or_else(String::new, |first| path(first.handles[0])),
            allocations: group.contexts.len() as u64,
            bytes: self.freed(contexts.collect()),
            freed_bytes: dominator.is_some().then(|| self.freed(going)),
            dominator,
            handles: handles.into_iter().collect(),
            unmet_handles: all().map(unmet).sum(),
        }
    }

    /// Returns the bytes of shared memory that are freed if some vertices go, by reference counting.
    fn freed(&self, mut going: Vec<VertexId>) -> u64 {
        let mut left: PerContext<Option<u64>> =
            self.contexts.0.iter().map(|one| one.strong).collect();
        let mut is_freed = PerContext::from(vec![false; self.contexts.len()]);
        for context in going.iter().filter_map(|&vertex| self.context(vertex)) {
            is_freed[context] = true;
        }
        while let Some(vertex) = going.pop() {
            for &target in self.targets.of(vertex) {
                let left = &mut left[target];
                *left = left.map(|left| left.saturating_sub(1));
                if *left == Some(0) && !replace(&mut is_freed[target], true) {
                    going.push(VertexId::of_context(target));
                }
            }
        }
        let freed = self.contexts.0.iter().zip(is_freed.0).filter(|(_, is_freed)| *is_freed);
        freed.map(|(one, _)| one.own).fold(0, u64::saturating_add)
    }
}
