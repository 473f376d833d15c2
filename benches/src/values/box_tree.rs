//! A binary tree of a million boxes, of random shape.

use crate::{Bar, Large, Peer, Subject, Workload, peers, xorshift::Xorshift};
use allocative::Allocative;
use deepsize::DeepSizeOf;
use get_size2::GetSize;
use memprof::MemoryProfile;

/// A [`Tree`] of a million nodes.
pub const WORKLOAD: Workload = Workload {
    name: "box tree",
    bar: Bar::OverHand(4.5),
    beats_allocative: false,
    size: 1_000_000,
    large: Large::SeveralCaches,
    build: |size| Subject::new(|| build(size), exact, peers()),
};

/// A tree.
#[derive(Debug, Default, MemoryProfile, GetSize, DeepSizeOf, Allocative)]
pub struct Tree {
    /// The top of the tree.
    pub root: Option<Box<Node>>,
}

/// A node with the trees below it.
#[derive(Debug, MemoryProfile, GetSize, DeepSizeOf, Allocative)]
pub struct Node {
    /// The value of the node.
    pub value: u64,
    /// The smaller values.
    pub left: Option<Box<Self>>,
    /// The larger values.
    pub right: Option<Box<Self>>,
}

fn peers() -> Vec<Peer<Tree>> {
    let [tree, total] = peers::memprof();
    let [allocative_total, _] = peers::allocative();
    vec![
        tree,
        total,
        peers::absent(peers::MEM_DBG, "its derive bounds every field's type: E0275"),
        peers::get_size2(),
        peers::deepsize(),
        peers::absent(peers::DATASIZE, "its constants of a recursive type form a cycle: E0391"),
        allocative_total,
        peers::absent(peers::ALLOCATIVE_TREE, "takes more than ten seconds"),
    ]
}

/// Returns a search tree of `size` values, as if they were inserted in random order. It is some
/// dozens of levels deep.
pub fn build(size: usize) -> Tree {
    Tree { root: subtree(&mut Xorshift::new(12), 0, size) }
}

fn subtree(random: &mut Xorshift, first: u64, size: usize) -> Option<Box<Node>> {
    let below = size.checked_sub(1)?;
    let smaller = random.below(size);
    let value = first + smaller as u64;
    let left = subtree(random, first, smaller);
    Some(Box::new(Node { value, left, right: subtree(random, value + 1, below - smaller) }))
}

/// Returns the exact bytes. A stack of pointers is faster than recursion, and cannot overflow.
pub fn exact(tree: &Tree) -> usize {
    let mut bytes = size_of_val(tree);
    let mut waiting: Vec<&Node> = Vec::with_capacity(64);
    waiting.extend(tree.root.as_deref());
    while let Some(node) = waiting.pop() {
        bytes += size_of::<Node>();
        waiting.extend(node.right.as_deref());
        waiting.extend(node.left.as_deref());
    }
    bytes
}
