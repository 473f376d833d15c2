//! Random graphs of vectors, and estimates of graphs of maps.

use crate::asserted::{assert_exact, assert_near};
use crate::random::Random;
use crate::values::Value;
use memprof::{MemoryProfile, Profile, total_bytes};
use petgraph::graph::{DiGraph, Graph, IndexType, NodeIndex, UnGraph};
use petgraph::graphmap::{DiGraphMap, UnGraphMap};
use petgraph::stable_graph::StableGraph;
use petgraph::{Direction, EdgeType};

macro_rules! graphs {
    ($($graph:ident)*) => {$(
        impl<N: Value, E: Value, Ty: EdgeType + 'static, Ix: IndexType> Value
            for $graph<N, E, Ty, Ix>
        {
            fn random(random: &mut Random) -> Self {
                random.container(|random| {
                    let mut graph = Self::with_capacity(random.capacity(), random.capacity());
                    for _ in 0..random.below(4) {
                        for node in N::several(random).into_iter().take(50) {
                            graph.add_node(node);
                        }
                        let indices: Vec<NodeIndex<Ix>> = graph.node_indices().collect();
                        for edge in E::several(random).into_iter().take(50) {
                            if indices.is_empty() {
                                break;
                            }
                            let mut end = || indices[random.below(indices.len())];
                            graph.add_edge(end(), end(), edge);
                        }
                        match random.below(6) {
                            0 => graph.retain_nodes(|_, _| random.flip()),
                            1 => graph.retain_edges(|_, _| random.flip()),
                            2 => graph = graph.clone(),
                            3 => graph.shrink_to_fit(),
                            4 => graph.clear_edges(),
                            _ => {}
                        }
                    }
                    graph
                })
            }
        }
    )*};
}

graphs! { Graph StableGraph }

#[test]
fn nodes_and_edges_have_frames() {
    let graph = assert_exact(|| {
        let mut graph: DiGraph<String, Vec<u8>> = DiGraph::new();
        let ends = ["a", "bb"].map(|name| graph.add_node(name.to_owned()));
        graph.add_edge(ends[0], ends[1], vec![0; 100]);
        graph
    });
    let profile = Profile::of(&graph);
    let bytes = |frame: &str| profile.bytes_at(frame).expect("it is a frame");
    assert!(bytes("edges") >= 100 + 24 + 16 && bytes("nodes") >= 3 + 2 * (24 + 8), "{profile:?}");
    assert_eq!(total_bytes(&graph), profile.total_bytes());
}

#[test]
fn a_graph_of_scalars_shrinks_to_its_nodes_and_edges() {
    let mut graph: UnGraph<(), (), u8> = UnGraph::with_capacity(100, 100);
    let node = graph.add_node(());
    graph.add_edge(node, node, ());
    assert_eq!(total_bytes(&graph), 48 + 100 * 2 + 100 * 4);
    graph.shrink_to_fit();
    assert_eq!(total_bytes(&graph), 48 + 2 + 4);
}

#[test]
fn graphs_of_maps_are_estimates() {
    for nodes in [1, 10, 100, 1_000] {
        let edges = || (0..nodes * 3).map(|edge| (edge % nodes, edge * 7 % nodes, [0_u8; 20]));
        assert_near(30, || DiGraphMap::<u32, [u8; 20]>::from_edges(edges()));
        assert_near(30, || UnGraphMap::<u32, [u8; 20]>::from_edges(edges()));
    }
}

#[test]
fn edges_of_a_graph_of_maps_are_counted_with_all_they_own() {
    let graph: DiGraphMap<u32, Vec<u8>> =
        (0..10).map(|node| (node, node + 1, vec![0; 1_000])).collect();
    assert!(Profile::of(&graph).bytes_at("edges").is_some_and(|bytes| bytes > 10_000));
}

#[test]
fn an_empty_graph_of_maps_is_marked() {
    assert!(!Profile::of(&DiGraphMap::<u32, u8>::new()).is_exact());
}

#[test]
fn indices_own_nothing() {
    assert!(NodeIndex::<u32>::is_flat() && Direction::is_flat());
}
