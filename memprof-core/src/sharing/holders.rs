//! Who keeps shared memory alive: the dominators of shared allocations, and the bytes that are freed
//! with each.
//!
//! The dominator of an allocation is the nearest path of the root, or the nearest other shared
//! allocation, through which all handles to it lead. Only if that goes can the allocation be freed.
//! How much is freed is computed by reference counting, as for a drop of the root: a dominator alone
//! would call cycles freed, and memory that a handle outside holds.
//!
//! A usual walk keeps the handles inside shared memory, but not their paths, and of the root's
//! handles only the number. A walk whose observer wants the holders keeps each handle and its node.
//! Its table of allocations is in [`Trace`], and the usual table stays empty, so a look-up finds
//! nothing and every handle gets to [`enter_traced`](Sharing::enter_traced). A usual walk thus has
//! no branch for this.

use super::{AllocationTable, ContextId, Kind, Sharing, Targets};
use crate::list::Id;
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
    /// What has to go before the allocations can be freed: the root's own handles at a path and
    /// below it, or the shared allocations that count at a path, which then ends with `[shared]`.
    /// `None` if there are handles that the walk did not meet.
    pub dominator: Option<String>,
    /// The bytes of shared memory that are freed if the [dominator](Self::dominator) goes, with other
    /// allocations. Fewer than [`bytes`](Self::bytes) if a cycle of handles keeps the allocations
    /// alive even then. `None` without a dominator.
    pub freed_bytes: Option<u64>,
    /// The paths of the handles that the walk met, in order, and the number of handles at each.
    pub handles: Vec<(String, u64)>,
    /// The number of handles that the walk did not meet; `None` if it is unknown. If contents were
    /// not read, the handles may be there.
    pub unmet_handles: Option<u64>,
}

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeNode {
    pub(crate) parent: u32,
    /// The nearest node that contains everything that the values here own. It is above the node if
    /// the values contain others of an enclosing type, whose handles are at the fields of that type.
    pub(crate) container: u32,
}

/// The number of groups of allocations that are kept: those that keep the most bytes alive.
const KEPT: usize = 16;

/// All handles that a walk met.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    table: AllocationTable,
    handles: Vec<Handle>,
}

/// A handle at a node of the tree.
#[derive(Clone, Copy, Debug)]
struct Handle {
    /// The context that contains the handle.
    from: ContextId,
    to: Id<super::Context>,
    node: u32,
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
        node: u32,
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
        nodes: impl FnOnce() -> Vec<TreeNode>,
        path: impl Fn(u32) -> String,
    ) -> Option<Vec<Holders>> {
        let graph = Graph::new(self, &self.trace.as_ref()?.handles, nodes());
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
    contexts: Vec<Vertex>,
    nodes: Vec<TreeNode>,
    /// The vertex of the first node.
    first_node: u32,
    /// The indices of the contexts to which each vertex has handles.
    targets: Targets,
    /// The immediate dominator of each vertex.
    dominators: Vec<u32>,
    /// The vertices, each after those that it dominates.
    order: Vec<u32>,
}

/// A context.
#[derive(Clone, Debug, Default)]
struct Vertex {
    /// The bytes of the allocation, with values inside it that are contexts of their own.
    own: u64,
    /// The number of handles that keep it alive; `None` if it is unknown.
    strong: Option<u64>,
    /// The nodes of the handles that the walk met, the first of which is where the bytes count.
    handles: Vec<u32>,
}

/// The allocations that [`Holders`] describes.
#[derive(Debug, Default)]
struct Group {
    /// The indices of the contexts.
    contexts: Vec<u32>,
    /// The vertex of the dominator, or of a context that counts at the same node.
    dominator: u32,
    /// About the number of bytes that the allocations keep alive.
    rank: u64,
}

impl Graph {
    fn new(sharing: &Sharing, handles: &[Handle], nodes: Vec<TreeNode>) -> Self {
        let all = &sharing.contexts.0;
        let is_value = |id: Id<_>| matches!(sharing.contexts[id].kind, Kind::Value { .. });
        // A value that is compared with others is a part of the memory around it.
        let mut around: Vec<ContextId> = vec![None; all.len()];
        for &(from, to) in sharing.edges.iter().filter(|edge| is_value(edge.1)) {
            around[to.index()] = if is_value(from) { around[from.index()] } else { Some(from) };
        }
        let container = |id: Id<_>| if is_value(id) { around[id.index()] } else { Some(id) };
        let mut contexts = vec![Vertex::default(); all.len()];
        for (index, context) in all.iter().enumerate() {
            let at = match context.kind {
                Kind::Value { .. } => around[index].map(Id::index),
                Kind::Shared { .. } | Kind::Target => Some(index),
            };
            if let Some(at) = at {
                contexts[at].own = contexts[at].own.saturating_add(context.own);
            }
        }
        let first_node = 1 + all.len() as u32;
        let parents = (first_node + 1..).zip(&nodes[1..]);
        let parents = parents.map(|(node, above)| (first_node + above.parent, node));
        let mut edges: Vec<(u32, u32)> = [(0, first_node)].into_iter().chain(parents).collect();
        let mut held = Vec::with_capacity(handles.len());
        for &Handle { from, to, node } in handles {
            let to = to.index() as u32;
            let from = from.and_then(container);
            let from = from.map_or(first_node + node, |id| 1 + id.index() as u32);
            contexts[to as usize].handles.push(node);
            held.push((from, to));
            edges.push((from, 1 + to));
        }
        for ((vertex, context), index) in contexts.iter_mut().zip(all).zip(1..) {
            let met = vertex.handles.len() as u64;
            if let Kind::Shared { strong } = context.kind {
                // A count that changed during the walk is unknown.
                vertex.strong = Some(strong.into()).filter(|&strong| strong >= met);
            }
            if vertex.strong != Some(met) {
                edges.push((0, index));
            }
        }
        let vertices = first_node as usize + nodes.len();
        let (dominators, order) = dominators(vertices, &edges);
        let targets = Targets::new(vertices, held.into_iter());
        Self { contexts, nodes, first_node, targets, dominators, order }
    }

    /// Returns the shared allocations by path, by dominator and by the paths of their handles.
    fn groups(&self) -> Vec<Group> {
        let (mut groups, mut known) = (Vec::<Group>::new(), HashMap::new());
        let mut first_at = HashMap::new();
        let mut group_of = vec![None; self.contexts.len()];
        for (index, vertex) in (0..).zip(&self.contexts) {
            let Some(&node) = vertex.handles.first() else { continue };
            first_at.entry(node).or_insert(1 + index);
            let above = self.dominators[1 + index as usize];
            let dominator = match self.context(above) {
                // The target of a followed reference has no handle, and belongs to the outside.
                Some(context) => {
                    let first = self.contexts[context].handles.first();
                    first.and_then(|node| first_at.get(node)).copied().unwrap_or(0)
                }
                None if above == 0 => 0,
                None => self.first_node + self.nodes[(above - self.first_node) as usize].container,
            };
            let mut holders = vertex.handles.clone();
            holders.sort_unstable();
            holders.dedup();
            let group = *known.entry((node, dominator, holders)).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Group { dominator, ..Group::default() });
            }
            groups[group].contexts.push(index);
            group_of[index as usize] = Some(group);
        }
        let mut kept: Vec<u64> = self.contexts.iter().map(|vertex| vertex.own).collect();
        for &vertex in &self.order {
            let Some(index) = self.context(vertex) else { continue };
            let above = self.context(self.dominators[vertex as usize]);
            if let Some(above) = above {
                kept[above] = kept[above].saturating_add(kept[index]);
            }
            match group_of[index] {
                Some(group) if above.is_none_or(|above| group_of[above] != Some(group)) => {
                    groups[group].rank = groups[group].rank.saturating_add(kept[index]);
                }
                _ => {}
            }
        }
        groups
    }

    /// Returns the index of the context that a vertex stands for.
    fn context(&self, vertex: u32) -> Option<usize> {
        (1..self.first_node).contains(&vertex).then(|| vertex as usize - 1)
    }

    /// Describes a group.
    fn holders(&self, group: &Group, path: impl Fn(u32) -> String) -> Holders {
        let all = || group.contexts.iter().map(|&context| &self.contexts[context as usize]);
        let mut handles = BTreeMap::new();
        for &node in all().flat_map(|context| &context.handles) {
            *handles.entry(path(node)).or_default() += 1;
        }
        let (dominator, going) = match self.context(group.dominator) {
            Some(context) => {
                let node = self.contexts[context].handles.first();
                let there = (1..).zip(&self.contexts).filter(|one| one.1.handles.first() == node);
                let name = node.map(|&node| format!("{};{SHARED}", path(node)));
                (name, there.map(|(vertex, _)| vertex).collect())
            }
            None if group.dominator == 0 => (None, Vec::new()),
            None => {
                let top = group.dominator - self.first_node;
                let mut is_below = vec![false; self.nodes.len()];
                is_below[top as usize] = true;
                for (index, node) in self.nodes.iter().enumerate().skip(1) {
                    is_below[index] |= is_below[node.parent as usize];
                }
                let below = (self.first_node..).zip(is_below).filter(|(_, is_below)| *is_below);
                (Some(path(top)), below.map(|(vertex, _)| vertex).collect())
            }
        };
        let unmet = |one: &Vertex| one.strong.map(|strong| strong - one.handles.len() as u64);
        Holders {
            path: all().next().map_or_else(String::new, |first| path(first.handles[0])),
            allocations: group.contexts.len() as u64,
            bytes: self.freed(group.contexts.iter().map(|context| 1 + context).collect()),
            freed_bytes: dominator.is_some().then(|| self.freed(going)),
            dominator,
            handles: handles.into_iter().collect(),
            unmet_handles: all().map(unmet).sum(),
        }
    }

    /// Returns the bytes of shared memory that are freed if some vertices go, by reference counting.
    fn freed(&self, mut going: Vec<u32>) -> u64 {
        let mut left: Vec<Option<u64>> = self.contexts.iter().map(|vertex| vertex.strong).collect();
        let mut is_freed = vec![false; left.len()];
        for context in going.iter().filter_map(|&vertex| self.context(vertex)) {
            is_freed[context] = true;
        }
        while let Some(vertex) = going.pop() {
            for &target in self.targets.of(vertex) {
                let left = &mut left[target as usize];
                *left = left.map(|left| left.saturating_sub(1));
                if *left == Some(0) && !replace(&mut is_freed[target as usize], true) {
                    going.push(1 + target);
                }
            }
        }
        let freed = self.contexts.iter().zip(is_freed).filter(|(_, is_freed)| *is_freed);
        freed.map(|(vertex, _)| vertex.own).fold(0, u64::saturating_add)
    }
}

/// Returns the immediate dominator of each vertex: the last other vertex on every path from vertex 0,
/// which leads to all vertices. Also returns the vertices, each after those that it dominates.
///
/// This is the algorithm of Cooper, Harvey and Kennedy, *A Simple, Fast Dominance Algorithm*.
fn dominators(vertices: usize, edges: &[(u32, u32)]) -> (Vec<u32>, Vec<u32>) {
    let targets = Targets::new(vertices, edges.iter().copied());
    let sources = Targets::new(vertices, edges.iter().map(|&(from, to)| (to, from)));
    let (mut order, mut number) = (Vec::with_capacity(vertices), vec![None; vertices]);
    let mut is_met = vec![false; vertices];
    is_met[0] = true;
    let mut open = vec![(0, 0)];
    while let Some((vertex, next)) = open.last_mut() {
        if let Some(&target) = targets.of(*vertex).get(*next) {
            *next += 1;
            if !replace(&mut is_met[target as usize], true) {
                open.push((target, 0));
            }
        } else {
            number[*vertex as usize] = Some(order.len());
            order.push(*vertex);
            open.pop();
        }
    }
    let mut above: Vec<Option<u32>> = vec![None; vertices];
    above[0] = Some(0);
    let mut is_changed = true;
    while replace(&mut is_changed, false) {
        for &vertex in order.iter().rev().skip(1) {
            let known =
                sources.of(vertex).iter().filter(|&&source| above[source as usize].is_some());
            let common = known.copied().reduce(|mut one, mut other| {
                while one != other {
                    let lower = if number[one as usize] < number[other as usize] {
                        &mut one
                    } else {
                        &mut other
                    };
                    *lower = above[*lower as usize].unwrap_or(0);
                }
                one
            });
            if above[vertex as usize] != common {
                above[vertex as usize] = common;
                is_changed = true;
            }
        }
    }
    (above.into_iter().map(|above| above.unwrap_or(0)).collect(), order)
}

#[cfg(test)]
mod tests {
    use super::dominators;

    /// Returns whether edges lead from vertex 0 to `target` without passing `avoided`.
    fn reaches(vertices: usize, edges: &[(u32, u32)], target: u32, avoided: u32) -> bool {
        let mut is_met = vec![false; vertices];
        let mut open = vec![0];
        while let Some(vertex) = open.pop() {
            if vertex != avoided && !core::mem::replace(&mut is_met[vertex as usize], true) {
                open.extend(edges.iter().filter(|edge| edge.0 == vertex).map(|edge| edge.1));
            }
        }
        is_met[target as usize]
    }

    #[test]
    fn the_immediate_dominator_is_the_last_vertex_on_all_paths() {
        let mut state = 88_172_645_463_325_252_u64;
        let mut below = |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) as usize % bound) as u32
        };
        for _ in 0..500 {
            let vertices = 2 + below(9) as usize;
            // Each vertex has an edge from a smaller one, so all can be reached.
            let mut edges: Vec<(u32, u32)> =
                (1..vertices).map(|vertex| (below(vertex), vertex as u32)).collect();
            edges.extend((0..below(12)).map(|_| (below(vertices), below(vertices))));
            let (above, order) = dominators(vertices, &edges);
            assert_eq!(order.len(), vertices);
            for vertex in 1..vertices as u32 {
                let dominates = |other: u32| !reaches(vertices, &edges, vertex, other);
                let all: Vec<u32> = (1..vertices as u32).filter(|&one| dominates(one)).collect();
                let mut chain = vec![vertex];
                while *chain.last().unwrap() != 0 {
                    chain.push(above[*chain.last().unwrap() as usize]);
                }
                chain.pop();
                chain.sort_unstable();
                assert_eq!(chain, all, "{vertex} in {edges:?}");
            }
        }
    }
}
