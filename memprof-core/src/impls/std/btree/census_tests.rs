//! Trees whose nodes are known, and addresses that cannot be from a tree.

use super::{CAPACITY, Census, NodeCount};

/// A node with keys eight bytes apart, and the nodes between these keys.
enum Node {
    Leaf { at: usize, len: usize },
    Inner { at: usize, children: Vec<Node> },
}

use Node::{Inner, Leaf};

impl Node {
    fn key(&self, index: usize) -> usize {
        let (Leaf { at, .. } | Inner { at, .. }) = self;
        at + index * 8
    }

    fn walk(&self, census: &mut Census) {
        match self {
            Leaf { len, .. } => (0..*len).for_each(|index| census.add_key(self.key(index))),
            Inner { children, .. } => {
                for (index, child) in children.iter().enumerate() {
                    if index > 0 {
                        census.add_key(self.key(index - 1));
                    }
                    child.walk(census);
                }
            }
        }
    }

    fn census(&self) -> Option<NodeCount> {
        let mut census = Census::new(8);
        self.walk(&mut census);
        census.finish()
    }
}

/// Returns full nodes without gaps in memory, so that one node's keys start where another's end.
fn packed(height: u32, next: &mut usize) -> Node {
    let at = *next;
    *next += CAPACITY * 8;
    match height {
        0 => Leaf { at, len: CAPACITY },
        _ => Inner { at, children: (0..=CAPACITY).map(|_| packed(height - 1, next)).collect() },
    }
}

fn inner(at: usize, leaves: &[(usize, usize)]) -> Node {
    Inner { at, children: leaves.iter().map(|&(at, len)| Leaf { at, len }).collect() }
}

#[test]
fn the_nodes_of_a_tree_are_counted_from_its_keys() {
    assert_eq!(Leaf { at: 4096, len: 7 }.census(), Some(NodeCount { leaves: 1, inner: 0 }));
    let two_levels = inner(8192, &[(4096, 5), (12288, 11), (16384, 6)]);
    assert_eq!(two_levels.census(), Some(NodeCount { leaves: 3, inner: 1 }));
    let halves = [(4096, 8192), (65536, 69632)].map(|(at, leaf)| {
        let leaves: Vec<(usize, usize)> = (0..6).map(|index| (leaf + index * 1024, 5)).collect();
        inner(at, &leaves)
    });
    let three_levels = Inner { at: 131_072, children: halves.into() };
    assert_eq!(three_levels.census(), Some(NodeCount { leaves: 12, inner: 3 }));
}

#[test]
fn adjacent_nodes_are_distinguished() {
    for height in 0..4 {
        let leaves = 12_usize.pow(height);
        let inner = (0..height).map(|level| 12_usize.pow(level)).sum();
        assert_eq!(packed(height, &mut 4096).census(), Some(NodeCount { leaves, inner }));
    }
}

#[test]
fn addresses_outside_a_tree_give_no_census() {
    let cases: [(&str, Vec<usize>); 7] = [
        ("no keys", vec![]),
        ("a key too many in one row", (0..12).map(|index| 4096 + index * 8).collect()),
        ("an array of a hundred", (0..100).map(|index| 4096 + index * 8).collect()),
        ("keys far apart", (0..100).map(|index| 4096 + index * 64).collect()),
        ("keys backwards", (0..100).map(|index| 65536 - index * 8).collect()),
        ("one address", vec![4096; 50]),
        ("the tree ends with an inner key", [4096, 4104, 4112, 4120, 4128, 9000].into()),
    ];
    for (case, addresses) in cases {
        let mut census = Census::new(8);
        for address in addresses {
            census.add_key(address);
        }
        assert_eq!(census.finish(), None, "{case}");
    }
}

#[test]
fn nodes_that_are_too_short_give_no_census() {
    assert_eq!(inner(8192, &[(4096, 4), (12288, 11)]).census(), None, "a leaf of four");
    let sparse = |at, leaf| inner(at, &[(leaf, 5), (leaf + 1024, 5)]);
    let sparse_tree =
        Inner { at: 131_072, children: vec![sparse(4096, 8192), sparse(65536, 69632)] };
    assert_eq!(sparse_tree.census(), None, "inner nodes of one key each");
}

#[test]
fn zero_sized_keys_give_no_census() {
    let mut census = Census::new(0);
    (0..5).for_each(|_| census.add_key(4096));
    assert_eq!(census.finish(), None);
}

#[test]
fn random_addresses_give_no_census() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for len in 11..200 {
        let mut census = Census::new(8);
        for _ in 0..len {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            census.add_key(4096 + (state >> 52) as usize * 8);
        }
        assert_eq!(census.finish(), None, "{len} addresses");
    }
}
