//! The tree of names while it grows: one node per path, however many values there are.

use crate::frame::{KEYS, Kind, SHARED};
use crate::opaque::Opaque;
use crate::role::Role;
use crate::shape::{Content, Shape};
use crate::sharing::{Equal, Sharing};
use crate::views::Frame;
use crate::walk::{At, Walk};
use crate::watch::Watch;
use crate::{Device, tensor};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The absence of a node; the root, which is nobody's child, has number 0.
pub(crate) const NO_NODE: u32 = 0;

/// The shape of nodes at which no shape was met yet.
static NO_SHAPE: Shape = Shape::lump::<()>(&[]);

/// The growing tree, with what the walk found outside it.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    pub(crate) nodes: Vec<Node>,
    pub(crate) sharing: Sharing,
    pub(crate) equal: Equal,
    /// Targets of references, by address and size.
    pub(crate) followed: HashSet<(usize, usize)>,
    /// Guards held now.
    pub(crate) guards: u32,
    pub(crate) watch: Watch,
    /// First nodes of all blocks of fields, and their shapes.
    blocks: Vec<Block>,
    /// Entries of keyed maps: (map's node, key) to the entry's node.
    entries: HashMap<(u32, Box<str>), u32>,
    /// The names that keyed maps at a node may give to their entries.
    pub(crate) names: HashMap<u32, BTreeSet<String>>,
    pub(crate) marks: Vec<Marked>,
    pub(crate) tensors: tensor::Found,
    /// Bytes of data that are in a device's memory and not the host's.
    pub(crate) on_devices: BTreeMap<(u32, Device), u64>,
}

/// One path. The counters that every value touches come first.
#[derive(Debug)]
pub(crate) struct Node {
    /// The shape met last at this path; its fields start at `base`.
    pub(crate) shape: &'static Shape,
    pub(crate) base: u32,
    pub(crate) keys: u32,
    pub(crate) bytes: [u64; Kind::ALL.len()],
    pub(crate) allocations: u64,
    pub(crate) values: u64,
    pub(crate) tree_nodes: u64,
    /// At the first node of a block: values whose own bytes are still to be split over the block.
    pub(crate) instances: u64,
    pub(crate) shared: u32,
    /// Pieces of shared memory first counted here, and the handles that keep them alive.
    pub(crate) pieces: u64,
    pub(crate) holders: u64,
    pub(crate) parent: u32,
    pub(crate) name: Cow<'static, str>,
    pub(crate) role: Option<Role>,
    pub(crate) leaf: bool,
    /// The other shapes met at this path: values of several types may hang under one name.
    others: Vec<(&'static Shape, u32)>,
}

/// The attributes of fields above a node, and whether a map's key names one of them.
#[derive(PartialEq, Eq)]
struct Scope {
    role: Option<Role>,
    in_leaf: bool,
    in_entry: bool,
}

#[derive(Debug)]
struct Block {
    shape: &'static Shape,
    owner: u32,
    base: u32,
    /// Values whose own bytes were split already.
    split: u64,
}

/// What keeps a profile from being exact, and where.
#[derive(Debug)]
pub(crate) struct Marked {
    pub(crate) node: u32,
    pub(crate) mark: Mark,
    pub(crate) count: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// So many bytes of the kind, in the device's memory, are an estimate.
    Estimated(Kind, Device),
    /// So many values could not be seen.
    Opaque(Opaque),
}

impl Node {
    fn new(name: Cow<'static, str>, parent: u32) -> Self {
        Self {
            shape: &NO_SHAPE,
            base: NO_NODE,
            keys: NO_NODE,
            bytes: [0; Kind::ALL.len()],
            allocations: 0,
            values: 0,
            tree_nodes: 0,
            instances: 0,
            shared: NO_NODE,
            pieces: 0,
            holders: 0,
            parent,
            name,
            role: None,
            leaf: false,
            others: Vec::new(),
        }
    }
}

impl Node {
    /// Whether the key of a map names this node.
    pub(crate) fn is_entry(&self) -> bool {
        matches!(self.name, Cow::Owned(_))
    }
}

impl Paths {
    pub(crate) fn new() -> Self {
        Self { nodes: vec![Node::new(Cow::Borrowed(""), NO_NODE)], ..Self::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub(crate) fn node(&mut self, at: At) -> &mut Node {
        &mut self.nodes[at.node as usize]
    }

    fn add(&mut self, name: Cow<'static, str>, parent: u32) -> u32 {
        self.nodes.push(Node::new(name, parent));
        (self.nodes.len() - 1) as u32
    }

    /// The first field of `shape` below `node`, for a shape that is not the one met last there.
    #[cold]
    #[inline(never)]
    pub(crate) fn find_or_add_fields(&mut self, node: u32, shape: &'static Shape) -> u32 {
        let base = self
            .block_at(node, shape)
            .or_else(|| self.block_above(node, shape))
            .unwrap_or_else(|| self.add_block(node, shape));
        let node = &mut self.nodes[node as usize];
        let last = (core::mem::replace(&mut node.shape, shape), node.base);
        node.base = base;
        if !core::ptr::eq(last.0, &raw const NO_SHAPE)
            && !node.others.iter().any(|&(other, _)| core::ptr::eq(other, last.0))
        {
            node.others.push(last);
        }
        base
    }

    fn block_at(&self, node: u32, shape: &'static Shape) -> Option<u32> {
        let node = &self.nodes[node as usize];
        if node.base != NO_NODE && node.shape.is(shape) {
            return Some(node.base);
        }
        node.others.iter().find(|(other, _)| other.is(shape)).map(|&(_, base)| base)
    }

    /// The fields of a value of the same type that this one is part of: recursive types fold onto
    /// themselves instead of growing `next;next;next`.
    ///
    /// Only onto a place where the same attributes hold: what lies below a `leaf` stays there, and
    /// so do roles and the entries of keyed maps.
    fn block_above(&self, mut node: u32, shape: &'static Shape) -> Option<u32> {
        let scope = self.scope(node);
        while node != NO_NODE {
            node = self.nodes[node as usize].parent;
            if let Some(base) = self.block_at(node, shape)
                && self.scope(node) == scope
            {
                return Some(base);
            }
        }
        None
    }

    /// The attributes that hold at a node.
    fn scope(&self, mut node: u32) -> Scope {
        let mut scope = Scope { role: None, in_leaf: false, in_entry: false };
        loop {
            let here = &self.nodes[node as usize];
            scope.role = scope.role.or(here.role);
            scope.in_leaf |= here.leaf;
            scope.in_entry |= here.is_entry();
            if node == NO_NODE {
                return scope;
            }
            node = here.parent;
        }
    }

    fn add_block(&mut self, owner: u32, shape: &'static Shape) -> u32 {
        let base = self.nodes.len() as u32;
        for field in shape.fields {
            let parent = match field.parent {
                0 => owner,
                entry => base + u32::from(entry) - 1,
            };
            let mut node = Node::new(Cow::Borrowed(field.name), parent);
            node.role = field.role;
            node.leaf = field.leaf;
            self.nodes.push(node);
        }
        if shape.fields.is_empty() {
            // A block needs a node to count its values in.
            self.add(Cow::Borrowed(Kind::Inline.frame()), owner);
        }
        self.blocks.push(Block { shape, owner, base, split: 0 });
        base
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn add_keys(&mut self, node: u32) -> u32 {
        let above = self.bracketed_above(node, |parent, node| parent.keys == node);
        let keys = above.unwrap_or_else(|| self.add(Cow::Borrowed(KEYS), node));
        self.nodes[node as usize].keys = keys;
        keys
    }

    /// The `[shared]` node below `node`, with one more piece counted there.
    pub(crate) fn shared_node(&mut self, node: u32, strong: usize) -> u32 {
        let mut shared = self.nodes[node as usize].shared;
        if shared == NO_NODE {
            let above = self.bracketed_above(node, |parent, node| parent.shared == node);
            shared = above.unwrap_or_else(|| self.add(Cow::Borrowed(SHARED), node));
            self.nodes[node as usize].shared = shared;
        }
        let node = &mut self.nodes[shared as usize];
        node.pieces += 1;
        node.holders = node.holders.saturating_add(strong as u64);
        shared
    }

    /// The node of the wanted kind in the run of `[keys]` and `[shared]` that ends at `node`.
    ///
    /// Types without a frame of their own fold here: `struct Link(Option<Rc<Link>>)` would grow
    /// `[shared];[shared];[shared]`.
    fn bracketed_above(&self, mut node: u32, wanted: fn(&Node, u32) -> bool) -> Option<u32> {
        loop {
            let parent = self.nodes[node as usize].parent;
            let above = &self.nodes[parent as usize];
            if node == NO_NODE || (above.keys != node && above.shared != node) {
                return None;
            }
            if wanted(above, node) {
                return Some(node);
            }
            node = parent;
        }
    }

    pub(crate) fn find_or_add_entry(&mut self, node: u32, name: &str) -> u32 {
        if let Some(&entry) = self.entries.get(&(node, name.into())) {
            return entry;
        }
        let entry = self.add(Cow::Owned(name.to_owned()), node);
        self.entries.insert((node, name.into()), entry);
        entry
    }

    #[cold]
    pub(crate) fn estimated(&mut self, at: At, kind: Kind, device: Device, bytes: usize) {
        self.mark(at.node, Mark::Estimated(kind, device), bytes as u64);
    }

    #[cold]
    pub(crate) fn opaque(&mut self, node: u32, why: Opaque, count: u64) {
        self.mark(node, Mark::Opaque(why), count);
    }

    /// A node's path in the plain form, spelled as folded stacks spell it, the root named `root`.
    pub(crate) fn spelled(&self, mut node: u32, root: &str) -> String {
        let mut frames = Vec::new();
        while node != NO_NODE {
            let here = &self.nodes[node as usize];
            if !matches!(here.name.as_ref(), KEYS | SHARED) {
                frames.push(Frame(&here.name).to_string());
            }
            node = here.parent;
        }
        frames.push(Frame(root).to_string());
        frames.reverse();
        frames.join(";")
    }

    fn mark(&mut self, node: u32, mark: Mark, count: u64) {
        let known = self.marks.iter_mut().find(|known| known.node == node && known.mark == mark);
        match known {
            Some(known) => known.count = known.count.saturating_add(count),
            None => self.marks.push(Marked { node, mark, count }),
        }
    }

    /// Splits the own bytes of all values over their fields.
    pub(crate) fn finish(&mut self) {
        // Splitting an outer block adds values to the blocks of structs inside it, perhaps to one
        // that was made earlier, where a recursive type folded. It ends: a type cannot contain itself.
        while let Some(index) = self.next_unsplit() {
            self.split(index);
        }
    }

    /// All bytes, once [finished](Self::finish).
    pub(crate) fn total(&self) -> u64 {
        let on_host = self.nodes.iter().flat_map(|node| node.bytes);
        on_host.chain(self.on_devices.values().copied()).fold(0, u64::saturating_add)
    }

    fn next_unsplit(&self) -> Option<usize> {
        self.blocks
            .iter()
            .position(|block| block.split != self.nodes[block.base as usize].instances)
    }

    fn split(&mut self, index: usize) {
        let Block { shape, owner, base, ref mut split } = self.blocks[index];
        let instances = self.nodes[base as usize].instances;
        let count = (instances - *split) as usize;
        *split = instances;
        let mut padding = shape.size;
        let mut walk = Walk::over(core::mem::take(self));
        for (field, node) in shape.fields.iter().zip(base..) {
            padding -= field.size;
            let at = At::node(node);
            match field.content {
                Content::Typed(inline) => inline(&mut walk, at, count),
                Content::Lump(kind) => walk.leaf(at, kind, count * field.size),
                Content::Skipped { owns } => {
                    walk.leaf(at, Kind::Skipped, count * field.size);
                    if owns {
                        walk.paths.mark(node, Mark::Opaque(Opaque::Skipped), count as u64);
                    }
                }
            }
        }
        walk.leaf(At::node(owner), Kind::Padding, count * padding);
        *self = walk.paths;
    }
}
