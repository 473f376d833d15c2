//! The state of a walk: the growing tree of names, and everything else that the walk found. The
//! tree has one node per path, so its size does not depend on the number of values.
//!
//! Inline bytes are split over the fields of their types. The walk only counts the values of each
//! type at each path, because the split depends on the type alone. At the end, the counts are split
//! over the fields, and over the fields of the fields.
//!
//! A followed reference does not own its target, so a walk cannot know whether the root owns the
//! target too and counts it twice. In safe code it can: behind a handle to shared memory, as one of
//! several values that are profiled together, as the root itself, or as a part of another target.
//! In each of these cases the targets are marked. Finding out more would need the ranges of all
//! blocks.

use crate::list::{Id, List};
use crate::shape::{Content, Field, NodeId, Position, Shape, Split};
use crate::sharing::{ContextId, Sharing};
use crate::sort::sort_by;
use crate::tensor;
use crate::words::{Device, Frame, KEYS, LeafKind, OTHER, OpaqueReason, Role, SHARED, type_frame};
use core::any::type_name_of_val;
use core::hash::{Hash, Hasher};
use core::ops::Range;
use node::{COMMON, Entries, NONE};
use pending::PendingSums;
pub use pending::Tally;
use std::collections::{HashMap, HashSet, hash_map};
use std::hash::DefaultHasher;

mod node;
mod pending;
mod scratch;

pub(crate) use node::{Child, Counter, Counters, Node, Rare};
pub(crate) use pending::Elements;
pub(crate) use scratch::{Folds, Place, ScratchRoot};

/// The shape of nodes at which the walk has met no shape yet.
static NO_SHAPE: Shape = Shape::lump::<()>(&[]);

/// The field of nodes that belong to no field of a type.
static UNNAMED: Field = Field::frame("");
static KEYS_FIELD: Field = Field::frame(KEYS);
static SHARED_FIELD: Field = Field::frame(SHARED);
/// The field of nodes that are named after the concrete type of trait objects.
static TYPE_FIELD: Field = Field::frame("");
static INLINE_FIELD: Field = Field::frame(LeafKind::Inline.as_str());

/// A name of a node that is not that of a field.
#[derive(Clone, Copy)]
enum Bracket {
    Keys,
    Shared,
}

impl Bracket {
    const ALL: [Self; 2] = [Self::Keys, Self::Shared];

    fn field(self) -> &'static Field {
        match self {
            Self::Keys => &KEYS_FIELD,
            Self::Shared => &SHARED_FIELD,
        }
    }

    fn child_of(self, node: &mut Node) -> &mut Child {
        match self {
            Self::Keys => &mut node.keys,
            Self::Shared => &mut node.shared,
        }
    }
}

/// The growing tree, and everything else that the walk found.
#[derive(Debug, Default)]
pub(crate) struct WalkState {
    pub(crate) nodes: List<Node, NodeId>,
    rare: List<Rare>,
    pub(crate) pending: PendingSums,
    pub(crate) sharing: Sharing,
    /// The hashes of the values of shareable types that the walk met.
    seen: HashSet<u128>,
    /// The values of shareable types that equal a value met earlier.
    repeated: Vec<Repeated>,
    followed: Followed,
    field_sets: Vec<FieldSet>,
    /// The entries of keyed maps, by the map's node and the key.
    entries: Entries,
    /// The nodes of the concrete types of trait objects, by the objects' node and the address of the
    /// type's name, with this name.
    types: HashMap<(NodeId, usize), (NodeId, &'static str)>,
    pub(crate) root_type: &'static str,
    /// The buffer into which keys are formatted. It contains the name of the last key.
    pub(crate) name: String,
    /// Each mark is in the list of its node.
    marks: List<Marked>,
    /// Each shape is in the list of its node.
    others: List<OtherShape>,
    pub(crate) tensors: tensor::LargestTensors,
}

/// The attributes of the fields above a node, and whether the node is in an entry of a keyed map.
#[derive(PartialEq, Eq)]
struct Scope {
    role: Option<Role>,
    in_leaf: bool,
    in_entry: bool,
}

#[derive(Debug)]
struct FieldSet {
    shape: &'static Shape,
    owner: NodeId,
    base: NodeId,
    /// The number of values whose inline bytes are already split.
    split: u64,
}

/// An element of a node's list: a shape that the walk met there, and its first field.
#[derive(Debug)]
struct OtherShape {
    shape: &'static Shape,
    base: Child,
    next: Option<Id<OtherShape>>,
}

/// An element of a node's list: a reason why the node is not exact, or the bytes on a device.
#[derive(Debug)]
pub(crate) struct Marked {
    pub(crate) mark: Mark,
    pub(crate) count: u64,
    next: Option<Id<Self>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Mark {
    /// The count is the estimated bytes of this kind on this device.
    Estimated(LeafKind, Device),
    /// The count is the number of values that were not read for this reason.
    Opaque(OpaqueReason),
    /// The count is the bytes of data in the memory of a device other than the host.
    OnDevice(Device),
}

const BAD_INDEX: Mark = Mark::Opaque(OpaqueReason::BadIndex);

impl WalkState {
    pub(crate) fn new() -> Self {
        let mut state = Self::default();
        // A small value has a few names, which take a single allocation.
        state.nodes.0.reserve(8);
        state.add(&UNNAMED, NodeId::ROOT);
        state
    }

    pub(crate) fn of_total() -> Self {
        let mut state = Self::new();
        state.sharing = Sharing::set();
        state
    }

    /// Computes everything that is only known at the end of the walk.
    pub(crate) fn finish(&mut self, is_stopped: bool) {
        self.sharing.end_weak_handles();
        self.end_sums();
        self.split_inline_bytes();
        self.mark_followed();
        self.count_duplicates();
        if is_stopped {
            let folds = self.folds();
            self.raise_unvisited(&folds);
        }
    }

    /// Keeps a handle at a position, in a context, and to a known address.
    #[inline(never)]
    pub(crate) fn keep_handle(&mut self, at: Position, from: ContextId, address: usize) {
        let node = self.number(at);
        self.sharing.keep_handle(from, address, node);
    }

    #[inline]
    pub(crate) fn node(&mut self, at: Position) -> &mut Node {
        let index = at.node.index();
        // This comparison replaces the bounds check that indexing needs anyway.
        if index < self.nodes.len() { &mut self.nodes.0[index] } else { self.node_past_shape(at) }
    }

    #[inline]
    pub(crate) fn first_field(&mut self, at: Position, shape: &'static Shape) -> NodeId {
        let node = self.node(at);
        if core::ptr::eq(node.shape, shape) {
            node.base.or_root()
        } else {
            self.find_or_add_fields(at, shape)
        }
    }

    /// Not inlined, so that it is compiled once instead of once per type.
    #[inline(never)]
    pub(crate) fn first_field_of_call(&mut self, at: Position, shape: &'static Shape) -> NodeId {
        self.first_field(at, shape)
    }

    #[cold]
    #[inline(never)]
    fn node_past_shape(&mut self, at: Position) -> &mut Node {
        let node = self.number(at);
        &mut self.nodes[node]
    }

    #[inline]
    pub(crate) fn count(&mut self, at: Position, counter: Counter, more: u64) {
        let sum = match (counter as usize).checked_sub(COMMON) {
            None => &mut self.node(at).counters[counter as usize],
            Some(rare) => &mut self.rare(at).counters[rare],
        };
        *sum = sum.saturating_add(more);
    }

    #[inline(never)]
    pub(crate) fn add_leaf(&mut self, at: Position, kind: LeafKind, bytes: usize) {
        self.count(at, Counter::of(kind), bytes as u64);
        self.sharing.add(bytes);
    }

    #[inline(never)]
    fn add_allocations(&mut self, at: Position, tally: Tally) {
        let used = tally.len.min(tally.capacity);
        let spare = tally.capacity - used;
        let node = self.node(at);
        node.add(Counter::Data, used);
        node.add(Counter::Spare, spare);
        node.add_allocations(tally.allocations);
        node.add_excess(tally.capacity, spare);
        self.sharing.add(tally.capacity);
    }

    #[inline(never)]
    pub(crate) fn rare(&mut self, at: Position) -> &mut Rare {
        let rare = self.node(at).rare.unwrap_or_else(|| {
            let rare = self.rare.push(Rare::new());
            self.node(at).rare = Some(rare);
            rare
        });
        &mut self.rare[rare]
    }

    /// All counters are 0 if the node has none.
    pub(crate) fn rare_of(&self, node: &Node) -> &Rare {
        node.rare.map_or(&NONE, |rare| &self.rare[rare])
    }

    pub(crate) fn counters(&self, node: &Node) -> Counters<u64> {
        let rare = self.rare_of(node);
        core::array::from_fn(|index| match index.checked_sub(COMMON) {
            None => node.counters[index],
            Some(index) => rare.counters[index],
        })
    }

    /// In the order of [`LeafKind::ALL`].
    pub(crate) fn all_bytes(&self, node: &Node) -> [u64; LeafKind::ALL.len()] {
        Counter::bytes_in(&self.counters(node))
    }

    pub(crate) fn name_of(&self, node: &Node) -> &str {
        node.entry.map_or(node.field.name, |entry| self.entries.name(entry))
    }

    /// Marks the node if the position is past the node's shape.
    pub(crate) fn number(&mut self, at: Position) -> NodeId {
        let (node, is_past_shape) = at.node.untagged();
        if is_past_shape && !self.marks(node).any(|known| known.mark == BAD_INDEX) {
            self.mark(node, BAD_INDEX, 1);
        }
        node
    }

    fn add(&mut self, field: &'static Field, parent: NodeId) -> NodeId {
        self.nodes.push(Node::new(field, parent))
    }

    /// Called if another shape was last met at the position.
    #[cold]
    #[inline(never)]
    fn find_or_add_fields(&mut self, at: Position, shape: &'static Shape) -> NodeId {
        let node = self.number(at);
        let base = self
            .fields_at(node, shape)
            .or_else(|| self.fields_above(node, shape))
            .unwrap_or_else(|| self.add_field_set(node, shape));
        let here = &mut self.nodes[node];
        let last = (core::mem::replace(&mut here.shape, shape), here.base);
        here.base = base.into();
        if !core::ptr::eq(last.0, &raw const NO_SHAPE)
            && !self.others(node).any(|other| core::ptr::eq(other.shape, last.0))
        {
            let next = self.rare(Position::node(node)).others;
            let first = self.others.push(OtherShape { shape: last.0, base: last.1, next });
            self.rare(Position::node(node)).others = Some(first);
        }
        base
    }

    fn others(&self, node: NodeId) -> impl Iterator<Item = &OtherShape> {
        let first = self.rare_of(&self.nodes[node]).others;
        self.others.linked(first, |other| other.next)
    }

    fn fields_at(&self, node: NodeId, shape: &'static Shape) -> Option<NodeId> {
        let here = &self.nodes[node];
        let base = here.base.get().filter(|_| here.shape.is(shape));
        base.or_else(|| self.others(node).find(|other| other.shape.is(shape))?.base.get())
    }

    /// Returns the fields of the nearest enclosing value of the same type. A recursive type thus
    /// folds: its values share the nodes of one path instead of adding `next;next;next`.
    ///
    /// Only a node with the same attributes qualifies. Nodes below a `leaf` stay below it. Nodes
    /// with a role keep the role, and nodes in an entry of a keyed map stay in the entry.
    fn fields_above(&self, mut node: NodeId, shape: &'static Shape) -> Option<NodeId> {
        let scope = self.scope(node);
        while node != NodeId::ROOT {
            node = self.nodes[node].parent;
            let base = self.fields_at(node, shape).filter(|_| self.scope(node) == scope);
            if base.is_some() {
                return base;
            }
        }
        None
    }

    fn scope(&self, mut node: NodeId) -> Scope {
        let mut scope = Scope { role: None, in_leaf: false, in_entry: false };
        loop {
            let here = &self.nodes[node];
            scope.role = scope.role.or(here.field.role);
            scope.in_leaf |= here.field.leaf;
            scope.in_entry |= here.is_entry();
            if node == NodeId::ROOT {
                return scope;
            }
            node = here.parent;
        }
    }

    pub(crate) fn is_in_entry(&mut self, at: Position) -> bool {
        let node = self.number(at);
        self.scope(node).in_entry
    }

    fn add_field_set(&mut self, owner: NodeId, shape: &'static Shape) -> NodeId {
        let base = self.nodes.next();
        for field in shape.fields {
            let parent = match field.parent {
                0 => owner,
                entry => base.plus(u32::from(entry) - 1),
            };
            self.add(field, parent);
        }
        if shape.fields.is_empty() {
            // A field set needs a node that counts its values.
            self.add(&INLINE_FIELD, owner);
        }
        self.field_sets.push(FieldSet { shape, owner, base, split: 0 });
        base
    }

    #[inline]
    pub(crate) fn keys(&mut self, at: Position) -> NodeId {
        self.node(at).keys.get().unwrap_or_else(|| self.add_keys(at))
    }

    #[cold]
    #[inline(never)]
    fn add_keys(&mut self, at: Position) -> NodeId {
        let node = self.number(at);
        self.find_or_add(Bracket::Keys, node)
    }

    /// Also counts a shared allocation at that node.
    pub(crate) fn shared_node(&mut self, at: Position, strong: usize) -> NodeId {
        let node = self.number(at);
        let shared = self.find_or_add(Bracket::Shared, node);
        self.rare(Position::node(shared)).add_shared(strong);
        shared
    }

    fn find_or_add(&mut self, bracket: Bracket, node: NodeId) -> NodeId {
        if let Some(known) = bracket.child_of(&mut self.nodes[node]).get() {
            return known;
        }
        let above = self.bracketed_above(node, bracket);
        let found = above.unwrap_or_else(|| self.add(bracket.field(), node));
        *bracket.child_of(&mut self.nodes[node]) = found.into();
        found
    }

    /// Searches the consecutive `[keys]` and `[shared]` nodes that end at `node`. Returns the one
    /// with this name.
    ///
    /// Types without a frame of their own fold here. Otherwise `struct Link(Option<Rc<Link>>)`
    /// would grow `[shared];[shared];[shared]`.
    fn bracketed_above(&self, mut node: NodeId, wanted: Bracket) -> Option<NodeId> {
        loop {
            let here = &self.nodes[node];
            if core::ptr::eq(here.field, wanted.field()) {
                return Some(node);
            }
            if !Bracket::ALL.iter().any(|bracket| core::ptr::eq(here.field, bracket.field())) {
                return None;
            }
            node = here.parent;
        }
    }

    pub(crate) fn find_entry(&mut self, at: Position, name: &str) -> Option<NodeId> {
        let node = self.number(at);
        self.entries.find(node, name)
    }

    pub(crate) fn reserve_entries(&mut self, entries: usize) {
        self.entries.reserve(entries);
    }

    /// Returns the entry [`OTHER`] if the name is new and `cap` names exist.
    pub(crate) fn named_entry(&mut self, at: Position, name: &str, cap: usize) -> NodeId {
        if let Some(known) = self.find_entry(at, name) {
            return known;
        }
        let rare = self.rare(at);
        if name != OTHER && (rare.names as usize) < cap {
            rare.names += 1;
            rare.cap = u32::try_from(cap).unwrap_or(u32::MAX);
            return self.add_entry(at, name);
        }
        self.find_entry(at, OTHER).unwrap_or_else(|| self.add_entry(at, OTHER))
    }

    pub(crate) fn add_entry(&mut self, at: Position, name: &str) -> NodeId {
        let node = self.number(at);
        self.add_named(node, name, &UNNAMED)
    }

    fn add_named(&mut self, parent: NodeId, name: &str, field: &'static Field) -> NodeId {
        let node = self.add(field, parent);
        self.nodes[node].entry = Some(self.entries.add(parent, name, node));
        node
    }

    #[inline(never)]
    pub(crate) fn node_of_type(&mut self, at: Position, type_name: &'static str) -> NodeId {
        let owner = self.number(at);
        let key = (owner, type_name.as_ptr().addr());
        if let Some(&(node, _)) = self.types.get(&key) {
            return node;
        }
        let node = self.find_or_add_type(owner, type_name);
        self.types.insert(key, (node, type_name));
        node
    }

    /// Finds the node of the nearest enclosing value of a concrete type, or adds one. So a recursive
    /// type folds, like the fields of a struct.
    fn find_or_add_type(&mut self, owner: NodeId, type_name: &'static str) -> NodeId {
        let (frame, scope) = (type_frame(type_name), self.scope(owner));
        let mut above = owner;
        loop {
            let node = &self.nodes[above];
            let is_of_type = match above {
                NodeId::ROOT => self.root_type == type_name,
                _ => {
                    core::ptr::eq(node.field, &raw const TYPE_FIELD) && self.name_of(node) == frame
                }
            };
            if is_of_type && self.scope(above) == scope {
                return above;
            }
            if above == NodeId::ROOT {
                let known = self.entries.find(owner, frame);
                return known.unwrap_or_else(|| self.add_named(owner, frame, &TYPE_FIELD));
            }
            above = node.parent;
        }
    }

    /// Returns the folded stack of a node's path in the plain form. The first frame is `root`.
    pub(crate) fn path(&self, node: NodeId, root: &str) -> String {
        if node == NodeId::ROOT {
            return Frame(root).to_string();
        }
        let here = &self.nodes[node];
        let mut path = self.path(here.parent, root);
        let name = self.name_of(here);
        if !here.field.frameless && !matches!(name, KEYS | SHARED) {
            path.push(';');
            path.push_str(&Frame(name).to_string());
        }
        path
    }

    pub(crate) fn mark_sampled(
        &mut self,
        node: NodeId,
        kind: LeafKind,
        device: Device,
        bytes: u64,
    ) {
        // The walk may have marked the same bytes as estimated.
        let mark = Mark::Estimated(kind, device);
        let all = match device {
            Device::Cpu => self.counters(&self.nodes[node])[Counter::of(kind) as usize],
            _ => self.count_of(node, Mark::OnDevice(device)),
        };
        let marked = self.count_of(node, mark);
        self.mark(node, mark, bytes.min(all.saturating_sub(marked)));
    }

    fn count_of(&self, node: NodeId, mark: Mark) -> u64 {
        self.marks(node).find(|known| known.mark == mark).map_or(0, |mark| mark.count)
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.marks
            .0
            .iter()
            .all(|marked| !matches!(marked.mark, Mark::Opaque(_)) || marked.count == 0)
    }

    /// A mark that was moved to another node has a count of 0.
    pub(crate) fn marks(&self, node: NodeId) -> impl Iterator<Item = &Marked> {
        self.marks.linked(self.nodes[node].marks, |marked| marked.next)
    }

    pub(crate) fn mark(&mut self, node: NodeId, mark: Mark, count: u64) {
        let first = self.nodes[node].marks;
        let mut next = first;
        while let Some(known) = next {
            let known = &mut self.marks[known];
            if known.mark == mark {
                known.count = known.count.saturating_add(count);
                return;
            }
            next = known.next;
        }
        let first = self.marks.push(Marked { mark, count, next: first });
        self.nodes[node].marks = Some(first);
    }
}

impl WalkState {
    #[inline(never)]
    pub(crate) fn add_inline(&mut self, at: Position, shape: &'static Shape, count: usize) {
        let (mut shape, mut count) = (shape, count);
        loop {
            match shape.split {
                Split::Lump(kind) => {
                    return self.add_leaf(at, kind, shape.size.saturating_mul(count));
                }
                Split::Fields => {
                    let first = Position::node(self.first_field(at, shape));
                    self.node(first).instances += count as u64;
                    return self.sharing.add(shape.size * count);
                }
                Split::Values { inner, times } => {
                    let inner = inner();
                    let padding = shape.size - times.saturating_mul(inner.size);
                    if padding != 0 {
                        self.add_leaf(at, LeafKind::Padding, padding.saturating_mul(count));
                    }
                    (shape, count) = (inner, count.saturating_mul(times));
                }
            }
        }
    }

    pub(crate) fn split_inline_bytes(&mut self) {
        // Splitting a field set adds values to the field sets of the structs inside. These usually
        // follow in the list. If a recursive type folded, these sets may precede the current one,
        // and then another round splits them. A type cannot contain itself, so the number of rounds
        // is at most the depth to which structs nest.
        while self.split_field_sets() {}
    }

    /// Includes the field sets that splitting adds. Returns whether any had values to split.
    fn split_field_sets(&mut self) -> bool {
        let (mut number, mut any) = (0, false);
        while let Some(field_set) = self.field_sets.get_mut(number) {
            let &mut FieldSet { shape, owner, base, ref mut split } = field_set;
            let values = self.nodes[base].instances;
            let count = (values - core::mem::replace(split, values)) as usize;
            if count != 0 {
                any = true;
                self.split(shape, owner, base, count);
            }
            number += 1;
        }
        any
    }

    fn split(&mut self, shape: &'static Shape, owner: NodeId, base: NodeId, count: usize) {
        let mut padding = shape.size;
        for (field, index) in shape.fields.iter().zip(0..) {
            let node = base.plus(index);
            padding -= field.size;
            let at = Position::node(node);
            match field.content {
                Content::Typed(shape) => self.add_inline(at, shape(), count),
                Content::Lump(kind) => self.add_leaf(at, kind, count * field.size),
                Content::Skipped { owns } => {
                    self.add_leaf(at, LeafKind::Skipped, count * field.size);
                    if owns {
                        self.mark(node, Mark::Opaque(OpaqueReason::Skipped), count as u64);
                    }
                }
            }
        }
        self.add_leaf(Position::node(owner), LeafKind::Padding, count * padding);
    }
}

/// A value of a shareable type that equals a value met earlier.
#[derive(Debug)]
struct Repeated {
    node: NodeId,
    /// The value's context, which accumulates the bytes that the value owns.
    context: ContextId,
    /// The value's inline bytes.
    bytes: u64,
}

impl WalkState {
    /// Records whether an equal value was met earlier. Returns the previous context.
    pub(crate) fn enter_shareable<T: Hash + ?Sized>(
        &mut self,
        at: Position,
        value: &T,
    ) -> ContextId {
        let is_new = self.seen.insert(fingerprint(value));
        let (context, outer) = self.sharing.enter_value();
        if !is_new {
            let (node, bytes) = (self.number(at), size_of_val(value) as u64);
            self.repeated.push(Repeated { node, context, bytes });
        }
        outer
    }

    /// Counts the values that equal a value met earlier, once the walk is finished.
    fn count_duplicates(&mut self) {
        for Repeated { node, context, bytes } in core::mem::take(&mut self.repeated) {
            let owned = self.sharing.own_bytes(context);
            let at = Position::node(node);
            self.count(at, Counter::Duplicates, 1);
            self.count(at, Counter::DuplicateBytes, bytes.saturating_add(owned));
        }
    }
}

/// Returns 128 bits that are equal for equal values of one type. They are the same in every run of
/// the program, so profiles are reproducible. The chance that two of a million different values have
/// equal bits is one in 10²⁶.
fn fingerprint<T: Hash + ?Sized>(value: &T) -> u128 {
    let half = |half: u8| {
        let mut hasher = DefaultHasher::new();
        half.hash(&mut hasher);
        type_name_of_val(value).hash(&mut hasher);
        value.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}

#[derive(Debug, Default)]
struct Followed {
    /// The node of each target, by address and size.
    targets: HashMap<(usize, usize), NodeId>,
    roots: Vec<Range<usize>>,
}

impl Followed {
    /// Returns the nodes of the targets that overlap another target or a root.
    fn overlapping(&self) -> Vec<NodeId> {
        let targets = self
            .targets
            .iter()
            .map(|(&(address, size), &node)| (address..address.saturating_add(size), Some(node)));
        let roots = self.roots.iter().map(|root| (root.clone(), None));
        let mut ranges: Vec<_> = targets.chain(roots).filter(|range| !range.0.is_empty()).collect();
        sort_by(&mut ranges, |(a, _), (b, _)| (a.start, a.end).cmp(&(b.start, b.end)));
        let mut overlapping = Vec::new();
        let (mut end, mut last) = (0, None);
        for (range, node) in ranges {
            if range.start < end {
                overlapping.extend(last.into_iter().chain(node));
            }
            if range.end > end {
                (end, last) = (range.end, node);
            }
        }
        overlapping
    }
}

impl WalkState {
    pub(crate) fn add_root<T: ?Sized>(&mut self, root: &T) {
        let start = (&raw const *root).addr();
        self.followed.roots.push(start..start.saturating_add(size_of_val(root)));
    }

    /// Returns the previous context, or `None` if the walk already followed the target.
    pub(crate) fn enter_target<T: ?Sized>(
        &mut self,
        at: Position,
        target: &T,
    ) -> Option<ContextId> {
        let node = self.number(at);
        let hash_map::Entry::Vacant(new) =
            self.followed.targets.entry(((&raw const *target).addr(), size_of_val(target)))
        else {
            return None;
        };
        new.insert(node);
        // A handle inside the target is not one of the root's handles.
        Some(self.sharing.enter_target())
    }

    /// Marks the targets of followed references that the root may own too.
    fn mark_followed(&mut self) {
        if self.followed.targets.is_empty() {
            return;
        }
        let may_own = self.followed.roots.len() > 1 || self.sharing.has_handles_of_root();
        let nodes: Vec<NodeId> = if may_own {
            self.followed.targets.values().copied().collect()
        } else {
            self.followed.overlapping()
        };
        for node in nodes {
            self.mark(node, Mark::Opaque(OpaqueReason::Followed), 1);
        }
    }
}
