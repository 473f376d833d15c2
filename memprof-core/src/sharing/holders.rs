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
//! The graph is made from them after the walk, when the values are no longer needed.

use super::dominators::dominators;
use super::{Context, ContextId, Kind, PerContext, Sharing, Targets};
use crate::list::{Id, List, Number};
use crate::shape::NodeId;
use crate::sort::sort_by;
use crate::words::SHARED;
use core::mem::replace;
use std::collections::{BTreeMap, HashMap};

/// Who keeps shared allocations alive. Allocations of one path that the same paths hold are together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
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
    /// The paths with the most of the handles that the walk met, in order, and the number of handles
    /// at each. Empty if the handles were not kept, so that only the path, the number of allocations
    /// and their bytes are known.
    #[cfg_attr(feature = "serde", serde(with = "by_path"))]
    pub handles: Vec<(String, u64)>,
    /// The number of further paths, which have fewer handles.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::tree::is_zero"))]
    pub other_paths: u64,
    /// The number of handles that the walk did not meet; `None` if it is unknown. If contents were
    /// not read, the handles may be there.
    pub unmet_handles: Option<u64>,
}

/// Serializes handles as a map from paths to their numbers.
#[cfg(feature = "serde")]
mod by_path {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::collections::BTreeMap;

    pub(super) fn serialize<S: Serializer>(
        handles: &[(String, u64)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(handles.iter().map(|(path, count)| (path, count)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(String, u64)>, D::Error> {
        Ok(BTreeMap::deserialize(deserializer)?.into_iter().collect())
    }
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

/// The number of paths of handles that are kept of a group.
const PATHS: usize = 8;

#[derive(Debug, Default)]
pub(crate) struct Trace {
    /// The largest number of handles. If there are more, the walk keeps none.
    limit: usize,
    handles: Vec<Handle>,
    /// The weak handles, and those of values to their own allocations.
    weak_handles: Vec<Handle>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Handle {
    /// The context that contains the handle.
    pub(super) from: ContextId,
    pub(super) to: Id<Context>,
    pub(super) node: NodeId,
}

impl Sharing {
    /// Keeps all handles from now on, unless there are more than `limit`.
    pub(crate) fn begin_trace(&mut self, limit: usize) {
        // Growing the list would touch twice as many pages.
        let handles = Vec::with_capacity(limit.min(1 << 16));
        self.trace = Some(Box::new(Trace { limit, handles, weak_handles: Vec::new() }));
    }

    /// Drops the handles, and keeps none from now on.
    pub(crate) fn end_trace(&mut self) {
        self.trace = None;
    }

    #[inline]
    pub(crate) fn is_traced(&self) -> bool {
        self.trace.is_some()
    }

    pub(crate) fn kept_handles(&self) -> usize {
        self.trace.as_ref().map_or(0, |trace| trace.handles.len() + trace.weak_handles.len())
    }

    /// Keeps a handle in a context, to a known address, and at a node.
    #[inline]
    pub(crate) fn keep_handle(&mut self, from: ContextId, address: usize, node: NodeId) {
        let Some((to, _)) = self.table.find(address) else { return };
        let Some(trace) = &mut self.trace else { return };
        if trace.handles.len() == trace.limit {
            return self.end_trace();
        }
        trace.handles.push(Handle { from, to, node });
    }

    pub(super) fn keep_weak_handle(&mut self, handle: Handle) {
        if let Some(trace) = &mut self.trace {
            trace.weak_handles.push(handle);
        }
    }

    /// Drops the handles if there are so many weak ones.
    pub(super) fn limit_trace(&mut self, weak_handles: usize) {
        if self.trace.as_ref().is_some_and(|trace| weak_handles > trace.limit) {
            self.end_trace();
        }
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
    /// The nodes of the handles to each context, the first of which is where its bytes count.
    handles: Targets<Id<Context>, NodeId>,
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

#[derive(Clone, Copy, Debug, Default)]
struct Allocation {
    /// The bytes of the allocation, with values inside it that are contexts of their own.
    own: u64,
    /// The number of handles that keep it alive; `None` if it is unknown.
    strong: Option<u64>,
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
        // The lists are filled from their ends.
        let handles = handles.iter().rev().map(|handle| (handle.to, handle.node));
        let handles = Targets::new(all.len(), handles);
        Self { contexts, nodes, targets, handles, dominators, order }
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

    /// Returns the node at which a context counts. The target of a followed reference has none.
    fn counts_at(&self, context: Id<Context>) -> Option<NodeId> {
        self.handles.of(context).first().copied()
    }

    /// Returns the shared allocations by path, by dominator and by the paths of their handles.
    fn groups(&self) -> Vec<Group> {
        let (mut groups, mut known) = (Vec::<Group>::new(), HashMap::new());
        let mut first_at = List::<Option<VertexId>, NodeId>::from(vec![None; self.nodes.len()]);
        let mut group_of = PerContext::from(vec![None; self.contexts.len()]);
        let mut last = ((NodeId::ROOT, VertexId::OUTSIDE, Vec::new()), 0);
        for (id, _) in self.contexts.numbered() {
            let Some(node) = self.counts_at(id) else { continue };
            let vertex = VertexId::of_context(id);
            first_at[node].get_or_insert(vertex);
            let dominator = match self.vertex(self.dominators[vertex]) {
                Vertex::Context(above) => {
                    let first = self.counts_at(above).and_then(|node| first_at[node]);
                    first.unwrap_or(VertexId::OUTSIDE)
                }
                Vertex::Outside => VertexId::OUTSIDE,
                Vertex::Node(above) => self.of_node(self.nodes[above].container),
            };
            let mut holders = self.handles.of(id).to_vec();
            holders.sort_unstable();
            holders.dedup();
            let key = (node, dominator, holders);
            // Most allocations are like the one before.
            if groups.is_empty() || key != last.0 {
                let group = *known.entry(key.clone()).or_insert_with(|| {
                    groups.push(Group { contexts: Vec::new(), dominator, rank: 0 });
                    groups.len() - 1
                });
                last = (key, group);
            }
            groups[last.1].contexts.push(id);
            group_of[id] = Some(last.1);
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
        let mut at: BTreeMap<NodeId, u64> = BTreeMap::new();
        for &node in group.contexts.iter().flat_map(|&id| self.handles.of(id)) {
            *at.entry(node).or_default() += 1;
        }
        // Several nodes may have one path.
        let mut handles: BTreeMap<String, u64> = BTreeMap::new();
        for (node, count) in at {
            *handles.entry(path(node)).or_default() += count;
        }
        let mut handles: Vec<(String, u64)> = handles.into_iter().collect();
        let other_paths = handles.len().saturating_sub(PATHS) as u64;
        sort_by(&mut handles, |a, b| b.1.cmp(&a.1));
        handles.truncate(PATHS);
        handles.sort_unstable();
        let (dominator, going) = match self.vertex(group.dominator) {
            Vertex::Context(context) => {
                let node = self.counts_at(context);
                let there = self.contexts.numbers().filter(|&id| self.counts_at(id) == node);
                let name = node.map(|node| format!("{};{SHARED}", path(node)));
                (name, there.map(VertexId::of_context).collect())
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
        let unmet = |&id: &Id<Context>| {
            self.contexts[id].strong.map(|strong| strong - self.handles.of(id).len() as u64)
        };
        let counts_at = group.contexts.first().and_then(|&first| self.counts_at(first));
        let contexts = group.contexts.iter().copied().map(VertexId::of_context);
        Holders {
            path: counts_at.map_or_else(String::new, path),
            allocations: group.contexts.len() as u64,
            bytes: self.freed(contexts.collect()),
            freed_bytes: dominator.is_some().then(|| self.freed(going)),
            dominator,
            handles,
            other_paths,
            unmet_handles: group.contexts.iter().map(unmet).sum(),
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
