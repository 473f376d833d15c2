//! Shared nodes: two million handles, in random order, to two hundred thousand nodes.

use crate::{Bar, Large, Subject, Workload, hand, peers, xorshift::Xorshift};
use allocative::Allocative;
use datasize::DataSize;
use deepsize::DeepSizeOf;
use get_size2::GetSize;
use mem_dbg::MemSize;
use memprof::MemoryProfile;
use std::sync::Arc;

/// `Vec<Arc<Node>>`.
pub const WORKLOAD: Workload = Workload {
    name: "shared nodes, 10 handles each",
    bar: Bar::OverHand(1.8),
    beats_allocative: false,
    size: 2_000_000,
    large: Large::SeveralCaches,
    build: |size| Subject::new(|| build(size), exact, peers::all()),
};

/// A node of a graph.
#[derive(Debug, MemoryProfile, MemSize, GetSize, DeepSizeOf, DataSize, Allocative)]
#[mem_size(rec)]
pub struct Node {
    /// The name of the node.
    pub name: String,
    /// The edges of the node.
    pub edges: Vec<u32>,
}

/// Returns `size` handles, ten for each node.
pub fn build(size: usize) -> Vec<Arc<Node>> {
    let mut random = Xorshift::new(8);
    let mut handles = Vec::new();
    for index in 0..size / 10 {
        let edges = (0..random.below(12)).map(|_| random.below(size / 10) as u32).collect();
        let node = Arc::new(Node { name: format!("node_{index}"), edges });
        handles.extend((0..10).map(|_| Arc::clone(&node)));
    }
    random.shuffle(&mut handles);
    handles
}

/// Returns the exact bytes.
#[allow(clippy::ptr_arg, reason = "the vector's own bytes count")]
pub fn exact(handles: &Vec<Arc<Node>>) -> usize {
    let mut bytes = size_of_val(handles) + handles.capacity() * size_of::<Arc<Node>>();
    let mut visited = hand::Visited::new(handles.len() / 10);
    for handle in handles {
        if visited.insert(Arc::as_ptr(handle).addr()) {
            bytes += hand::arc_bytes::<Node>();
            bytes += handle.name.capacity() + handle.edges.capacity() * size_of::<u32>();
        }
    }
    bytes
}
