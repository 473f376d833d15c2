//! A count of the nodes of a B-tree, made from the addresses of its keys.
//!
//! In key order, the keys of one leaf follow each other in memory. The first key that does not
//! follow the previous one is in an inner node, and the key after it starts another leaf:
//!
//! ```text
//!            [ e         j ]              inner node: e, then j directly after it
//!           /      |        \
//!  [a b c d]   [f g h i]   [k l m]        leaves
//! ```
//!
//! So the walk, which visits the keys anyway, finds every node without reading a node.

/// The number of keys that a node can hold. Every node except the root has at least `MIN_LEN` keys.
pub(crate) const CAPACITY: usize = 11;
const MIN_LEN: usize = 5;
/// The maximum number of keys for which a tree is certainly a single leaf, because two leaves need
/// a key above them.
pub(crate) const MAX_SINGLE_LEAF_LEN: usize = 2 * MIN_LEN;
/// The maximum number of levels counted. A tree with more levels would hold more than 6^24 keys.
const MAX_LEVELS: usize = 24;

/// The nodes of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NodeCount {
    pub(crate) leaves: usize,
    pub(crate) inner: usize,
}

impl NodeCount {
    /// Returns the nodes of a typical tree of `len` keys, with leaves that are two thirds full.
    pub(crate) fn estimate(len: usize) -> Self {
        let leaves = len.div_ceil(8);
        Self { leaves, inner: leaves.saturating_sub(1).div_ceil(7) }
    }

    /// Returns the nodes of a tree that was built from `len` keys in order. Every node is full,
    /// except the last ones. Between two neighbouring nodes at one height, there is one key of a
    /// higher level.
    pub(crate) fn compact(len: usize) -> Self {
        let leaves = if len == 0 { 0 } else { (len + 1).div_ceil(CAPACITY + 1) };
        let (mut inner, mut below) = (0, leaves);
        while below > 1 {
            below = below.div_ceil(CAPACITY + 1);
            inner += below;
        }
        Self { leaves, inner }
    }

    /// Returns the minimum number of leaves that hold `len` keys. Inner nodes are not counted.
    pub(crate) fn minimum(len: usize) -> Self {
        Self { leaves: len.div_ceil(CAPACITY), inner: 0 }
    }
}

/// A census in progress. It records the addresses of all keys in order.
#[derive(Debug)]
pub(crate) struct Census {
    key_size: usize,
    /// The address that the next key of the current leaf would have; 0 if the next key starts a
    /// leaf.
    next_in_leaf: usize,
    leaf_len: usize,
    shortest_leaf: usize,
    leaves: usize,
    too_high: bool,
    levels: [Level; MAX_LEVELS],
}

/// The inner nodes at one height above the leaves.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// The address that the next key of the current node would have; 0 if there is no current node.
    next: usize,
    /// The number of keys of the current node.
    len: usize,
    /// The number of keys of the shortest completed node.
    shortest: usize,
    keys: usize,
    nodes: usize,
}

impl Level {
    const NONE: Self = Self { next: 0, len: 0, shortest: usize::MAX, keys: 0, nodes: 0 };

    fn end_node(&mut self) {
        self.shortest = self.shortest.min(self.len);
        self.next = 0;
    }
}

impl Census {
    pub(crate) fn new(key_size: usize) -> Self {
        Self {
            key_size,
            next_in_leaf: 0,
            leaf_len: 0,
            shortest_leaf: usize::MAX,
            leaves: 0,
            too_high: false,
            levels: [Level::NONE; MAX_LEVELS],
        }
    }

    /// Records the address of the next key.
    #[inline]
    pub(crate) fn add_key(&mut self, address: usize) {
        if self.next_in_leaf == address && self.leaf_len < CAPACITY {
            self.leaf_len += 1;
            self.next_in_leaf = address + self.key_size;
        } else if self.next_in_leaf == 0 {
            self.leaves += 1;
            self.leaf_len = 1;
            self.next_in_leaf = address + self.key_size;
        } else {
            self.add_inner_key(address);
        }
    }

    fn add_inner_key(&mut self, address: usize) {
        self.end_leaf();
        for level in &mut self.levels {
            // A full node cannot hold another key, even if one follows it in memory.
            let known = level.next == address && level.len < CAPACITY;
            if known || level.next == 0 {
                level.keys += 1;
                level.nodes += usize::from(!known);
                level.len = if known { level.len + 1 } else { 1 };
                level.next = address + self.key_size;
                return;
            }
            // The key that was added last ended the level's current node. The next key at this
            // height starts another node.
            level.end_node();
        }
        self.too_high = true;
    }

    fn end_leaf(&mut self) {
        self.shortest_leaf = self.shortest_leaf.min(self.leaf_len);
        self.leaf_len = 0;
        self.next_in_leaf = 0;
    }

    /// Returns the nodes if the addresses are those of a B-tree. In a B-tree every node has a
    /// permitted number of keys, and every node except the root is the child of another.
    pub(crate) fn finish(mut self) -> Option<NodeCount> {
        // Zero-sized keys all have one address, which reveals nothing.
        if self.next_in_leaf == 0 || self.key_size == 0 || self.too_high {
            return None;
        }
        self.end_leaf();
        let mut below = self.leaves;
        let mut inner = 0;
        for level in self.levels.iter_mut().take_while(|level| level.nodes > 0) {
            level.end_node();
            let is_only = level.nodes == 1;
            if level.keys + level.nodes != below || (!is_only && level.shortest < MIN_LEN) {
                return None;
            }
            below = level.nodes;
            inner += level.nodes;
        }
        let is_only = self.leaves == 1;
        (below == 1 && (is_only || self.shortest_leaf >= MIN_LEN))
            .then_some(NodeCount { leaves: self.leaves, inner })
    }
}

#[cfg(test)]
mod tests;
