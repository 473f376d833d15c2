//! The finished profile: a tree of names whose leaves carry the bytes.

use crate::frame::Kind;
use crate::paths::{Mark, Marked, Node, Paths};
use crate::sharing::Shared;
use crate::{MemoryProfile, Opaque, Role, Walk};
use core::ops::AddAssign;

/// Where the bytes of a value are, by name.
///
/// ```
/// use memprof_core::Profile;
///
/// let names = vec![String::from("alpha"), String::from("beta")];
/// let profile = Profile::named("names", &names);
/// assert_eq!(profile.total_bytes(), 24 + 2 * 24 + 5 + 4);
/// assert_eq!(profile.to_folded(), "names 81\n");
/// assert!(profile.is_exact());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Profile {
    pub(crate) root: Branch,
    pub(crate) shared: Shared,
}

/// A name in the tree, with the leaves and the branches below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) bytes: u64,
    pub(crate) counts: Counts,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) opaque: Vec<(Opaque, u64)>,
    pub(crate) children: Vec<Branch>,
}

/// Bytes of one kind at one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub(crate) kind: Kind,
    pub(crate) bytes: u64,
    pub(crate) estimated_bytes: u64,
}

/// What was counted at one path, apart from bytes; what is below it does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Values that collections at this path hold.
    pub values: u64,
    /// Allocations.
    pub allocations: u64,
    /// Nodes of trees and lists.
    pub nodes: u64,
    /// Pieces of shared memory first met here.
    pub objects: u64,
    /// Handles that keep those pieces alive, met by the walk or not.
    pub handles: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.values = self.values.saturating_add(other.values);
        self.allocations = self.allocations.saturating_add(other.allocations);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.objects = self.objects.saturating_add(other.objects);
        self.handles = self.handles.saturating_add(other.handles);
    }
}

impl Profile {
    /// Profiles `root`, and names the tree after its type.
    ///
    /// # Cost
    /// About what a hand-written sum over the same values costs; flat elements are not visited.
    pub fn of<T: MemoryProfile + ?Sized>(root: &T) -> Self {
        Self::named(last_segment(root.type_name()), root)
    }

    /// Profiles `root` under a name of your choice.
    pub fn named<T: MemoryProfile + ?Sized>(name: &str, root: &T) -> Self {
        Self::finish(name, &Walk::run(root))
    }

    fn finish(name: &str, paths: &Paths) -> Self {
        let mut root = Grown::new(&paths.nodes, &paths.marks).branch(0, Role::default());
        name.clone_into(&mut root.name);
        let shared = paths.sharing.totals(root.bytes);
        Self { root, shared }
    }

    /// All bytes: the root's own and everything it owns, shared memory counted once.
    pub fn total_bytes(&self) -> u64 {
        self.root.bytes
    }

    /// The root of the tree.
    pub fn root(&self) -> &Branch {
        &self.root
    }

    /// What is shared, and what it would take if it were not.
    pub fn shared(&self) -> Shared {
        self.shared
    }

    /// Whether every byte is known: nothing opaque, nothing estimated, nothing skipped that owns.
    pub fn is_exact(&self) -> bool {
        self.root.is_exact()
    }
}

impl Branch {
    /// The frame: a field, a variant, a key, or a bracketed name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the bytes serve, inherited unless the field says.
    pub fn role(&self) -> Role {
        self.role
    }

    /// All bytes here and below.
    pub fn total_bytes(&self) -> u64 {
        self.bytes
    }

    /// What was counted here, not below.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The leaves right here, in the order of [`Kind::ALL`].
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// How many values here could not be seen, and why.
    pub fn opaque(&self) -> &[(Opaque, u64)] {
        &self.opaque
    }

    /// The branches below, sorted by name.
    pub fn children(&self) -> &[Branch] {
        &self.children
    }

    /// Whether every byte here and below is known.
    pub fn is_exact(&self) -> bool {
        self.opaque.is_empty()
            && self.leaves.iter().all(|leaf| leaf.estimated_bytes == 0)
            && self.children.iter().all(Self::is_exact)
    }

    fn is_empty(&self) -> bool {
        self.bytes == 0
            && self.counts == Counts::default()
            && self.opaque.is_empty()
            && self.children.is_empty()
    }

    /// Adds what another branch of the same name holds.
    pub(crate) fn merge(&mut self, other: Self) {
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.counts += other.counts;
        for leaf in other.leaves {
            self.add_leaf(leaf);
        }
        for (why, count) in other.opaque {
            self.add_opaque(why, count);
        }
        for child in other.children {
            match self.children.binary_search_by(|known| known.name.cmp(&child.name)) {
                Ok(known) => self.children[known].merge(child),
                Err(place) => self.children.insert(place, child),
            }
        }
    }

    pub(crate) fn add_leaf(&mut self, leaf: Leaf) {
        match self.leaves.binary_search_by_key(&leaf.kind, |known| known.kind) {
            Ok(known) => {
                let known = &mut self.leaves[known];
                known.bytes = known.bytes.saturating_add(leaf.bytes);
                known.estimated_bytes = known.estimated_bytes.saturating_add(leaf.estimated_bytes);
            }
            Err(place) => self.leaves.insert(place, leaf),
        }
    }

    fn add_opaque(&mut self, why: Opaque, count: u64) {
        match self.opaque.binary_search_by_key(&why, |known| known.0) {
            Ok(known) => self.opaque[known].1 += count,
            Err(place) => self.opaque.insert(place, (why, count)),
        }
    }

    /// Adds up everything below into one `[data]` leaf right here.
    fn collapse(&mut self) {
        let mut estimated_bytes = 0;
        let values = self.counts.values;
        for child in core::mem::take(&mut self.children) {
            let mut child = child;
            child.collapse();
            self.counts += child.counts;
            child.leaves.iter().for_each(|leaf| estimated_bytes += leaf.estimated_bytes);
            child.opaque.into_iter().for_each(|(why, count)| self.add_opaque(why, count));
        }
        self.counts.values = values;
        estimated_bytes += self.leaves.iter().map(|leaf| leaf.estimated_bytes).sum::<u64>();
        self.leaves = vec![Leaf { kind: Kind::Data, bytes: self.bytes, estimated_bytes }];
    }
}

impl Leaf {
    /// What the bytes are for.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How many bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many of the bytes are an estimate: 0 for an exact leaf.
    pub fn estimated_bytes(&self) -> u64 {
        self.estimated_bytes
    }
}

/// The nodes of a walk that has ended, being turned into branches.
struct Grown<'n> {
    nodes: &'n [Node],
    marks: &'n [Marked],
    children: Vec<Vec<u32>>,
}

impl<'n> Grown<'n> {
    fn new(nodes: &'n [Node], marks: &'n [Marked]) -> Self {
        let mut children = vec![Vec::new(); nodes.len()];
        for (index, node) in nodes.iter().enumerate().skip(1) {
            children[node.parent as usize].push(index as u32);
        }
        Self { nodes, marks, children }
    }

    /// Recursion is as deep as types nest, not as values do.
    fn branch(&self, index: u32, inherited: Role) -> Branch {
        let node = &self.nodes[index as usize];
        let role = node.role.unwrap_or(inherited);
        let counts = Counts {
            values: node.values,
            allocations: node.allocations,
            nodes: node.tree_nodes,
            objects: node.pieces,
            handles: node.holders,
        };
        let mut branch =
            Branch { name: node.name.clone().into_owned(), role, counts, ..Branch::default() };
        for (kind, &bytes) in Kind::ALL.into_iter().zip(&node.bytes) {
            if bytes > 0 {
                branch.leaves.push(Leaf { kind, bytes, estimated_bytes: 0 });
            }
        }
        for marked in self.marks.iter().filter(|marked| marked.node == index) {
            match marked.mark {
                Mark::Opaque(why) => branch.add_opaque(why, marked.count),
                Mark::Estimated(kind) => {
                    branch.add_leaf(Leaf { kind, bytes: 0, estimated_bytes: marked.count });
                }
            }
        }
        let children = self.children[index as usize].iter().map(|&child| self.branch(child, role));
        let mut children: Vec<Branch> = children.filter(|child| !child.is_empty()).collect();
        children.sort_by(|a, b| a.name.cmp(&b.name));
        for child in children {
            branch.bytes = branch.bytes.saturating_add(child.bytes);
            match branch.children.last_mut() {
                Some(last) if last.name == child.name => last.merge(child),
                _ => branch.children.push(child),
            }
        }
        branch.bytes =
            branch.leaves.iter().map(|leaf| leaf.bytes).fold(branch.bytes, u64::saturating_add);
        if node.leaf {
            branch.collapse();
        }
        branch
    }
}

/// All bytes of `root` and what it owns; the total of a [`Profile`] without the tree.
pub fn total_bytes<T: MemoryProfile + ?Sized>(root: &T) -> u64 {
    Walk::run(root).total()
}

/// `Vec` of `alloc::vec::Vec<my::Type>`; types without a name are called what they are.
pub(crate) fn last_segment(type_name: &str) -> &str {
    let name = type_name.strip_prefix("dyn ").unwrap_or(type_name);
    match name.as_bytes().first() {
        Some(b'(') => "tuple",
        Some(b'[') if is_array(name) => "array",
        Some(b'[') => "slice",
        Some(b'&' | b'*') => "pointer",
        _ => {
            let path = &name[..name.find(['<', ' ']).unwrap_or(name.len())];
            path.rsplit("::").next().unwrap_or(path)
        }
    }
}

/// Whether a bracketed type has a length: `[u8; 4]`, not `[[u8; 4]]`.
fn is_array(name: &str) -> bool {
    let inside = name.strip_suffix(']').unwrap_or(name);
    inside.rsplit_once("; ").is_some_and(|(_, len)| len.bytes().all(|byte| byte.is_ascii_digit()))
}
