//! petgraph 0.8: graphs of two vectors, and graphs of two maps.

use crate::MemoryProfile;
use crate::impls::indexmap2::{RawMap, add_but_values};
use crate::impls::parts::add_values;
use crate::impls::slots::Slots;
use crate::impls::std::scalar::impl_flat;
use crate::impls::std::wrapper::frames;
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Position, Shape, Walk};
use core::hash::BuildHasher;
use petgraph::graph::{Edge, EdgeIndex, Graph, IndexType, Node, NodeIndex};
use petgraph::graphmap::{GraphMap, NodeTrait};
use petgraph::stable_graph::StableGraph;
use petgraph::{Direction, EdgeType};

impl<N: MemoryProfile, E: MemoryProfile, Ty: EdgeType, Ix: IndexType> MemoryProfile
    for Graph<N, E, Ty, Ix>
{
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let fields = walk.fields(at, Self::shape());
        let (nodes, edges) = self.capacity();
        let (node, edge) = (size_of::<Node<N, Ix>>(), size_of::<Edge<E, Ix>>());
        walk.block_of(self.raw_nodes().as_ptr().addr(), nodes * node);
        vector(node, nodes, self.node_count()).add(self.node_weights(), walk, fields.at(0));
        walk.block_of(self.raw_edges().as_ptr().addr(), edges * edge);
        vector(edge, edges, self.edge_count()).add(self.edge_weights(), walk, fields.at(1));
    }

    fn shape() -> &'static Shape {
        frames!("nodes", "edges")
    }
}

/// Returns a vector whose slots up to `len` are occupied.
fn vector(size: usize, capacity: usize, len: usize) -> Slots {
    Slots { size, capacity, occupied: len, kept: len, certain: true }
}

/// Removed nodes and edges leave vacant slots.
impl<N: MemoryProfile, E: MemoryProfile, Ty: EdgeType, Ix: IndexType> MemoryProfile
    for StableGraph<N, E, Ty, Ix>
{
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let fields = walk.fields(at, Self::shape());
        let (nodes, edges) = self.capacity();
        if let Some(node) = self.node_weights().next() {
            walk.block_of((&raw const *node).addr(), size_of::<N>());
        }
        // Vacant slots in front of the last occupied one stay when the graph shrinks. Those behind
        // it stay too, but their number is not public.
        let (size, occupied) = (size_of::<Node<Option<N>, Ix>>(), self.node_count());
        let slots = Slots { size, capacity: nodes, occupied, kept: nodes, certain: true };
        slots.add(self.node_weights(), walk, fields.at(0));
        if let Some(edge) = self.edge_weights().next() {
            walk.block_of((&raw const *edge).addr(), size_of::<E>());
        }
        let (size, occupied) = (size_of::<Edge<Option<E>, Ix>>(), self.edge_count());
        let slots = Slots { size, capacity: edges, occupied, kept: edges, certain: true };
        slots.add(self.edge_weights(), walk, fields.at(1));
    }

    fn shape() -> &'static Shape {
        frames!("nodes", "edges")
    }
}

/// The maps are private, and so are the capacities of the vectors of neighbours.
impl<N, E: MemoryProfile, Ty: EdgeType, S: BuildHasher> MemoryProfile for GraphMap<N, E, Ty, S>
where
    N: NodeTrait + MemoryProfile,
{
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let fields = walk.fields(at, Self::shape());
        let (nodes, edges) = self.capacity();
        add_nodes(self, nodes, walk, fields.at(0));
        let at = fields.at(1);
        let count = self.edge_count();
        add_but_values::<(N, N), E>(&RawMap::unread(count, edges), walk, at);
        let keys = walk.keys(at);
        walk.inline(keys, <(N, N)>::shape(), count);
        add_values(self.all_edges().map(|(_, _, edge)| edge), count, walk, at);
    }

    fn shape() -> &'static Shape {
        frames!("nodes", "edges")
    }
}

/// The map's values are vectors of neighbours. A node is `Copy`, so it owns nothing.
fn add_nodes<N: NodeTrait + MemoryProfile, E, Ty: EdgeType, S: BuildHasher>(
    graph: &GraphMap<N, E, Ty, S>,
    capacity: usize,
    walk: &mut Walk<'_>,
    at: Position,
) {
    let count = graph.node_count();
    add_but_values::<N, Vec<()>>(&RawMap::unread(count, capacity), walk, at);
    let keys = walk.keys(at);
    walk.inline(keys, N::shape(), count);
    walk.leaf(at, LeafKind::Inline, count * size_of::<Vec<()>>());
    // An edge is stored at both of its nodes.
    let mut neighbours = 0;
    for (index, (start, end, _)) in graph.all_edges().enumerate() {
        if !walk.should_continue(at, graph.edge_count() - index) {
            break;
        }
        neighbours += if start == end { 1 } else { 2 };
    }
    walk.estimated(at, LeafKind::Nodes, neighbours * size_of::<(N, Direction)>());
    walk.count_allocations(at, count.min(neighbours));
    if neighbours == 0 && count != 0 {
        // A zero-byte estimate leaves no mark, but nodes may have had edges.
        walk.opaque(at, OpaqueReason::Foreign);
    }
}

impl_flat! { Direction, petgraph::Directed, petgraph::Undirected }

impl_flat! {
    [Ix: IndexType] NodeIndex<Ix>;
    [Ix: IndexType] EdgeIndex<Ix>;
}
