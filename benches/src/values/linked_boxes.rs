//! A linked list of boxes, a million deep: recursion into it overflows the stack.

use crate::{Bar, Large, Peer, Subject, Workload, peers};
use deepsize::DeepSizeOf;
use memprof::MemoryProfile;

/// A [`List`] of a million nodes.
pub const WORKLOAD: Workload = Workload {
    name: "box list",
    bar: Bar::OverHand(4.5),
    beats_allocative: false,
    size: 1_000_000,
    large: Large::SeveralCaches,
    build: |size| Subject::new(|| build(size), exact, peers()),
};

/// A list.
#[derive(Debug, Default, MemoryProfile, DeepSizeOf)]
pub struct List {
    /// The first node.
    pub head: Option<Box<Node>>,
}

/// A node of a list.
#[derive(Debug, MemoryProfile, DeepSizeOf)]
pub struct Node {
    /// The value of the node.
    pub value: u64,
    /// The rest of the list.
    pub next: Option<Box<Self>>,
}

/// Drops the nodes in a loop, because recursion would overflow the stack here too.
impl Drop for List {
    fn drop(&mut self) {
        while let Some(mut node) = self.head.take() {
            self.head = node.next.take();
        }
    }
}

fn peers() -> Vec<Peer<List>> {
    const OVERFLOWS: &str = "overflows a stack of 8 MiB";
    let [tree, total] = peers::memprof();
    vec![
        tree,
        total,
        peers::absent(peers::MEM_DBG, "its derive bounds every field's type: E0275"),
        peers::absent(peers::GET_SIZE2, OVERFLOWS),
        // This works only by chance: the optimiser turns its recursion into a loop.
        peers::deepsize(),
        peers::absent(peers::DATASIZE, "its constants of a recursive type form a cycle: E0391"),
        peers::absent(peers::ALLOCATIVE_TOTAL, OVERFLOWS),
        peers::absent(peers::ALLOCATIVE_TREE, OVERFLOWS),
    ]
}

/// Returns a list of `size` nodes.
pub fn build(size: usize) -> List {
    let mut list = List::default();
    for value in 0..size as u64 {
        list.head = Some(Box::new(Node { value, next: list.head.take() }));
    }
    list
}

/// Returns the exact bytes.
pub fn exact(list: &List) -> usize {
    let mut bytes = size_of_val(list);
    let mut next = &list.head;
    while let Some(node) = next {
        bytes += size_of::<Node>();
        next = &node.next;
    }
    bytes
}
