//! The tree of names that a walk collects, the attributes of its leaves, and a builder of trees
//! from files.
//!
//! | question | item |
//! |---|---|
//! | What did a walk collect? | [`Collected`], [`NameTree`] |
//! | What is a name with bytes below it? | [`Branch`], [`BranchId`], [`Children`], [`Counts`] |
//! | What are bytes of one kind? | [`Leaf`], [`LeafKind`] |
//! | What are the bytes for, and which memory are they in? | [`Role`], [`Device`], [`Origin`] |
//! | How many tensors did a walk visit, and which are the largest? | [`Tensors`], [`TensorRecord`] |
//! | Why were contents not read? | [`OpaqueReason`] |
//! | Which names do not come from a field? | [`KEYS`], [`SHARED`], [`OTHER`] |
//! | How do I build a tree from a file? | [`Builder`], [`Plain`], [`Own`] |

// All branches are in one list, in which each precedes those below it, and what few branches have
// is in lists of its own. A branch takes 32 bytes and a leaf 24, so the tree of a million names
// fits into 100 MB, and a comparison holds two of them.
//
// A tree is built branch by branch (`Builder`), or from nodes (`merge`): the paths of a walk, the
// branches of several trees that are joined, or those of one tree in its plain form. Nodes with the
// same path become one branch, and siblings are sorted by name. Nodes are prefetched, because those
// of a million names are not in a cache.

use crate::layout::prefetch;
use crate::list::{List, Number};
use core::num::NonZeroU32;
use core::ops::{AddAssign, Range};
use std::borrow::Cow;

pub use crate::collected::Collected;
pub use crate::sort::{same_bytes, sort_by, sort_by_text};
pub use crate::tensor::{TensorRecord, Tensors};
pub use crate::words::{
    Device, Frame, KEYS, KeywordError, LeafKind, OTHER, OpaqueReason, Origin, Role, SHARED,
    is_hostile, write_escaped,
};

/// A tree of names whose leaves carry bytes.
///
/// Trees are equal if they have the same origin, and the same branches with equal names, leaves and
/// counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct NameTree {
    names: String,
    branches: Branches,
}

impl NameTree {
    /// Joins several trees into one, each below the new root. Trees with the same name add up.
    ///
    /// Memory that several trees share is counted in each tree. The origin of the result is the
    /// least exact origin of the parts.
    pub fn joined<'p>(name: &'p str, parts: impl IntoIterator<Item = &'p Self>) -> Self {
        let parts: Vec<Branch<'p>> = parts.into_iter().map(Self::root).collect();
        let origin = parts.iter().map(|part| part.origin()).max();
        let source = JoinSource { parts, name: Branch::name };
        merge(&source, name, None, origin.unwrap_or_default())
    }

    /// Returns the tree with its names as folded stacks write them. Branches add up if their names
    /// become equal.
    pub fn with_frames(&self) -> Self {
        let root = self.root();
        let frames: Vec<String> =
            root.subtree().map(|branch| Frame(branch.name()).to_string()).collect();
        let name = |branch: Branch<'_>| frames[branch.id().index()].as_str();
        let source = JoinSource { parts: Vec::new(), name };
        merge(&source, name(root), Some(root), self.origin())
    }

    /// Returns a tree of counters. Each leaf is a path below the new root, the device of the bytes,
    /// and their number.
    ///
    /// Bytes with the same path and device add up. A counter with the value 0 is still a branch.
    /// Frames beyond [`MAX_DEPTH`] are left out.
    pub fn of_counters(
        name: &str,
        leaves: impl IntoIterator<Item = (Vec<String>, Device, u64)>,
    ) -> Self {
        let mut leaves: Vec<Counter> = leaves.into_iter().collect();
        for (path, ..) in &mut leaves {
            path.truncate(MAX_DEPTH - 1);
        }
        merge(&CounterSource, name, (leaves.as_slice(), 0), Origin::Counters)
    }

    /// Returns the tree of a branch and of everything below it.
    pub fn of_branch(root: Branch<'_>) -> Self {
        let source = JoinSource { parts: Vec::new(), name: Branch::name };
        merge(&source, root.name(), Some(root), root.origin())
    }

    /// Returns the root.
    pub fn root(&self) -> Branch<'_> {
        self.branches.root(&self.names)
    }

    /// Returns all bytes.
    pub fn total_bytes(&self) -> u64 {
        self.branches.bytes()
    }

    /// Returns the kind of source from which the tree was created.
    pub fn origin(&self) -> Origin {
        self.branches.origin
    }

    /// Returns the plain form: the tree without the bracketed frames that only describe the line
    /// above them.
    ///
    /// # Cost
    /// Reads the name of every branch. Builds another tree if it finds such a frame, and copies
    /// nothing otherwise.
    pub fn plain(&self) -> Plain<'_> {
        Plain::of(&self.names, &self.branches)
    }

    /// Returns the tree with all its frames, as the type that [`plain`](Self::plain) returns.
    pub fn detailed(&self) -> Plain<'_> {
        Plain::detailed(&self.names, &self.branches)
    }
}

/// The largest depth of branches read from files. The limit also bounds the nesting of a profile's
/// views, which nest like its branches.
///
/// Names nest like types, and the compiler limits types to 128 levels by default.
pub const MAX_DEPTH: usize = 1024;

/// The number of a branch in the list of all branches of a tree. A branch has a lower number than
/// those below it, and their numbers follow its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BranchId(NonZeroU32);

impl BranchId {
    /// The root.
    pub const ROOT: Self = Self(NonZeroU32::MIN);

    /// Returns the number of the branch at an index of the list.
    pub fn at(index: usize) -> Self {
        Self(NonZeroU32::MIN.saturating_add(index as u32))
    }

    /// Returns the index of the branch in the list, which is 0 for the root.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// Returns the number of the next branch in the list.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl Number for BranchId {
    fn at(index: usize) -> Self {
        Self::at(index)
    }

    fn index(self) -> usize {
        self.index()
    }
}

/// All branches of a tree without their names. The root is first, each branch precedes those below
/// it, and siblings are sorted by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Branches {
    records: List<Record, BranchId>,
    leaves: Vec<Leaf>,
    facts: Vec<Fact>,
    /// The amount of each fact. The list is separate because a fact with its amount would take 16
    /// bytes instead of 10.
    amounts: Vec<u64>,
    /// The kind of source from which the tree was created, which limits what the tree can contain.
    origin: Origin,
}

/// One branch. Its leaves and facts end where those of the next branch begin.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Record {
    name: Name,
    /// The first branch after this one and everything below it.
    end: BranchId,
    leaves: u32,
    facts: u32,
    /// All bytes here and below.
    bytes: u64,
}

/// The range of a name in the text that contains all names of a tree.
///
/// The struct is packed because padding would make a record 40 bytes large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(Rust, packed(4))]
pub(crate) struct Name {
    at: usize,
    len: u32,
}

/// A further property of a branch: a field of [`Counts`] by its number, or an opaque reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    Count(u8),
    Opaque(OpaqueReason),
}

/// A name in the tree, with the leaves and the branches below it.
#[derive(Clone, Copy)]
pub struct Branch<'p> {
    names: &'p str,
    branches: &'p Branches,
    id: BranchId,
}

impl Name {
    fn of(self, names: &str) -> &str {
        &names[self.at..self.at + self.len as usize]
    }
}

impl Branches {
    /// `names` contains the names of all branches.
    fn root<'p>(&'p self, names: &'p str) -> Branch<'p> {
        self.at(BranchId::ROOT, names)
    }

    fn at<'p>(&'p self, id: BranchId, names: &'p str) -> Branch<'p> {
        Branch { names, branches: self, id }
    }

    fn bytes(&self) -> u64 {
        self.records[BranchId::ROOT].bytes
    }

    fn name(&self, id: BranchId) -> Name {
        self.records[id].name
    }

    fn range(&self, id: BranchId, start: fn(&Record) -> u32, all: usize) -> Range<usize> {
        // Numbers begin with 1, so the number of a branch is the index of the next one.
        let next = self.records.0.get(id.0.get() as usize);
        let end = next.map_or(all, |next| start(next) as usize);
        start(&self.records[id]) as usize..end
    }
}

impl<'p> Branch<'p> {
    /// Returns the frame: a field, a variant, a key, or a bracketed name.
    pub fn name(self) -> &'p str {
        self.record().name.of(self.names)
    }

    /// Returns all bytes of the branch and of the branches below it.
    pub fn total_bytes(self) -> u64 {
        self.record().bytes
    }

    /// Returns the branch's own bytes, which are the sum of the [`leaves`](Self::leaves).
    pub fn own_bytes(self) -> u64 {
        self.leaves().iter().map(|leaf| leaf.bytes).sum()
    }

    /// Returns the branch's own counts, without those of the branches below it.
    pub fn counts(self) -> Counts {
        let mut counts = [0; Counts::FIELDS];
        for (fact, count) in self.facts() {
            if let Fact::Count(field) = fact {
                counts[usize::from(field)] = count;
            }
        }
        Counts::from_array(counts)
    }

    /// Returns the branch's own leaves, in the order of [`LeafKind::ALL`].
    pub fn leaves(self) -> &'p [Leaf] {
        let all = self.branches.leaves.len();
        &self.branches.leaves[self.branches.range(self.id, |record| record.leaves, all)]
    }

    /// Returns the branch's own opaque reasons, each with its number of values.
    pub fn opaque(self) -> impl Iterator<Item = (OpaqueReason, u64)> + use<'p> {
        self.facts().filter_map(|(fact, count)| match fact {
            Fact::Opaque(reason) => Some((reason, count)),
            Fact::Count(_) => None,
        })
    }

    /// Returns the branches directly below, sorted by name.
    pub fn children(self) -> Children<'p> {
        Children { next: Self { id: self.id.next(), ..self }, end: self.end() }
    }

    /// Returns the branch with this name directly below.
    ///
    /// # Cost
    /// Costs at most one comparison for each branch directly below. Nothing is allocated.
    pub fn child(self, name: &str) -> Option<Self> {
        self.children().find(|child| child.name() == name)
    }

    /// Returns this branch and everything below it. Each branch precedes those below it.
    pub fn subtree(self) -> impl ExactSizeIterator<Item = Self> + use<'p> {
        let all = self.id.index()..self.end().index();
        all.map(move |index| Self { id: BranchId::at(index), ..self })
    }

    /// Returns whether all bytes of the branch and of the branches below it are exact. Only bytes
    /// of [values](Origin::Values) can be exact.
    pub fn is_exact(self) -> bool {
        self.origin() == Origin::Values && !self.is_marked()
    }

    /// Returns whether any bytes of the branch, or of the branches below it, are estimated, or any
    /// contents opaque.
    pub fn is_marked(self) -> bool {
        self.subtree().any(|branch| {
            branch.opaque().next().is_some()
                || branch.leaves().iter().any(|leaf| leaf.estimated_bytes > 0)
        })
    }

    /// Returns the bytes of the branch and of the branches below it on each device, starting with
    /// the host. A device without bytes is left out. The list is empty if the tree was read from
    /// [folded stacks](Origin::Folded).
    pub fn devices(self) -> Vec<(Device, u64)> {
        if self.origin() == Origin::Folded {
            return Vec::new();
        }
        let mut devices: Vec<(Device, u64)> = Vec::new();
        for leaf in self.subtree().flat_map(Self::leaves).filter(|leaf| leaf.bytes() > 0) {
            match devices.binary_search_by_key(&leaf.device(), |&(device, _)| device) {
                Ok(known) => devices[known].1 = devices[known].1.saturating_add(leaf.bytes()),
                Err(at) => devices.insert(at, (leaf.device(), leaf.bytes())),
            }
        }
        devices
    }

    /// Returns the kind of source from which the tree was created.
    pub fn origin(self) -> Origin {
        self.branches.origin
    }

    /// Returns the number of this branch in the list of all branches.
    pub fn id(self) -> BranchId {
        self.id
    }

    /// Returns the number of the first branch after this one and everything below it.
    pub fn end(self) -> BranchId {
        self.record().end
    }

    fn record(self) -> &'p Record {
        &self.branches.records[self.id]
    }

    fn facts(self) -> impl Iterator<Item = (Fact, u64)> + use<'p> {
        let Branches { facts, amounts, .. } = self.branches;
        let range = self.branches.range(self.id, |record| record.facts, facts.len());
        facts[range.clone()].iter().copied().zip(amounts[range].iter().copied())
    }
}

/// Prints the branch, its own contents, and the number of branches directly below.
impl core::fmt::Debug for Branch<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Branch")
            .field("name", &self.name())
            .field("total_bytes", &self.total_bytes())
            .field("counts", &self.counts())
            .field("leaves", &self.leaves())
            .field("opaque", &self.opaque().collect::<Vec<_>>())
            .field("children", &self.children().count())
            .finish()
    }
}

/// An iterator over the branches directly below a branch. [`Branch::children`] returns it.
#[derive(Clone, Debug)]
#[must_use]
pub struct Children<'p> {
    next: Branch<'p>,
    end: BranchId,
}

impl<'p> Iterator for Children<'p> {
    type Item = Branch<'p>;

    fn next(&mut self) -> Option<Branch<'p>> {
        if self.next.id >= self.end {
            return None;
        }
        let child = self.next;
        self.next.id = child.end();
        Some(child)
    }
}

/// Bytes of one kind at one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    bytes: u64,
    estimated_bytes: u64,
    device: Device,
    kind: LeafKind,
    role: Role,
    /// True if the plain form moved the leaf from a map's `[keys]` branch to the map's branch.
    /// Views name such a leaf `[keys]`.
    of_keys: bool,
}

impl Leaf {
    /// Returns a leaf of `bytes` exact bytes in the host's memory.
    pub fn new(kind: LeafKind, role: Role, bytes: u64) -> Self {
        Self { bytes, estimated_bytes: 0, device: Device::Cpu, kind, role, of_keys: false }
    }

    /// Returns the same leaf in the memory of a device.
    #[must_use]
    pub fn on(self, device: Device) -> Self {
        Self { device, ..self }
    }

    /// Returns the same leaf with this number of estimated bytes.
    #[must_use]
    pub fn estimated(self, estimated_bytes: u64) -> Self {
        Self { estimated_bytes, ..self }
    }

    /// Returns the kind of the bytes.
    pub fn kind(&self) -> LeafKind {
        self.kind
    }

    /// Returns the role of the bytes. The nearest field with a role, at or above the bytes,
    /// determines it.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Returns the memory that the bytes are in.
    pub fn device(&self) -> Device {
        self.device
    }

    /// Returns the number of bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the number of estimated bytes, which is 0 for an exact leaf.
    pub fn estimated_bytes(&self) -> u64 {
        self.estimated_bytes
    }

    /// Returns whether the bytes are a map's keys. This is only possible in the `Plain` form.
    pub fn is_of_keys(&self) -> bool {
        self.of_keys
    }

    /// Returns whether the leaf has a meaning even without bytes, because it marks contents that
    /// were not read.
    pub fn is_mark(&self) -> bool {
        matches!(self.kind, LeafKind::Opaque | LeafKind::Skipped)
    }

    /// Returns the key that distinguishes the leaves of one branch. Leaves are listed in the order
    /// of this key.
    pub fn key(&self) -> (LeafKind, Role, Device, bool) {
        (self.kind, self.role, self.device, self.of_keys)
    }
}

/// Defines the counts, their names in files and their order once.
macro_rules! counts {
    ($($(#[$doc:meta])* $field:ident,)*) => {
        /// The counts at one path, other than bytes. They do not include counts below the path.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(default))]
        #[non_exhaustive]
        pub struct Counts {
            $(
                $(#[$doc])*
                #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zero"))]
                pub $field: u64,
            )*
        }

        impl Counts {
            /// The number of fields.
            pub const FIELDS: usize = Self::NAMES.len();

            /// The keys of the fields in JSON and YAML, in the order of [`to_array`](Self::to_array).
            pub const NAMES: &'static [&'static str] = &[$(stringify!($field)),*];

            /// Returns the fields as an array.
            pub fn to_array(self) -> [u64; Self::FIELDS] {
                [$(self.$field),*]
            }

            /// Returns the counts from an array in the order of [`to_array`](Self::to_array).
            pub fn from_array([$($field),*]: [u64; Self::FIELDS]) -> Self {
                Self { $($field),* }
            }
        }
    };
}

counts! {
    /// Values in collections at this path.
    values,
    /// Allocations.
    allocations,
    /// Nodes of trees and lists.
    nodes,
    /// Shared allocations first met here.
    shared_allocations,
    /// Handles that keep those allocations alive, whether the walk met these handles or not.
    handles,
    /// Values of types marked `#[profile(shareable)]` that equal a value met before, but do not
    /// share its memory.
    duplicates,
    /// The bytes of these duplicates. Sharing the values would save these bytes, minus the bytes of
    /// the handles.
    duplicate_bytes,
    /// All bytes of the buffers here, used and unused. 0 if none of them has excess capacity.
    buffer_bytes,
    /// The bytes of these buffers that `shrink_to_fit` frees.
    shrinkable_bytes,
    /// The bytes of these buffers that are freed if each B-tree is rebuilt from its entries in
    /// order.
    compactable_bytes,
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(crate) fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        let mut sums = self.to_array();
        for (sum, other) in sums.iter_mut().zip(other.to_array()) {
            *sum = sum.saturating_add(other);
        }
        *self = Self::from_array(sums);
    }
}

/// A branch's own contents.
#[derive(Debug, Default)]
pub struct Own {
    /// The leaves, sorted by key, without duplicate keys.
    leaves: Vec<Leaf>,
    /// The counts at the branch.
    pub counts: Counts,
    /// The number of values for each opaque reason, sorted by reason, without duplicates.
    opaque: Vec<(OpaqueReason, u64)>,
}

impl Own {
    /// Returns the leaves, sorted by key.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// Returns the opaque reasons, each with its number of values, sorted by reason.
    pub fn opaque(&self) -> &[(OpaqueReason, u64)] {
        &self.opaque
    }

    /// Adds a leaf. Bytes with the same [key](Leaf::key) add up.
    pub fn add_leaf(&mut self, leaf: Leaf) {
        match self.leaves.binary_search_by_key(&leaf.key(), Leaf::key) {
            Ok(known) => {
                let known = &mut self.leaves[known];
                known.bytes = known.bytes.saturating_add(leaf.bytes);
                known.estimated_bytes = known.estimated_bytes.saturating_add(leaf.estimated_bytes);
            }
            Err(index) => self.leaves.insert(index, leaf),
        }
    }

    /// Adds values that were not read, with the reason.
    pub fn add_opaque(&mut self, reason: OpaqueReason, count: u64) {
        match self.opaque.binary_search_by_key(&reason, |known| known.0) {
            Ok(known) => self.opaque[known].1 = self.opaque[known].1.saturating_add(count),
            Err(index) => self.opaque.insert(index, (reason, count)),
        }
    }

    /// Removes all contents but keeps the memory for reuse.
    pub fn clear(&mut self) {
        self.leaves.clear();
        self.counts = Counts::default();
        self.opaque.clear();
    }
}

/// A builder of a tree, for example from a file. Begin a branch, add the branches below it, then
/// end it.
///
/// ```
/// use memprof_core::tree::{Builder, Leaf, LeafKind, Origin, Own, Role};
///
/// let mut builder = Builder::default();
/// builder.begin("root", &Own::default());
/// let mut own = Own::default();
/// own.add_leaf(Leaf::new(LeafKind::Data, Role::Data, 12));
/// builder.begin("name", &own);
/// builder.end();
/// builder.end();
/// assert_eq!(builder.finish(Origin::Folded).total_bytes(), 12);
/// ```
#[derive(Debug, Default)]
pub struct Builder {
    names: String,
    branches: Branches,
    /// The open branches, from the root down.
    open: Vec<BranchId>,
    overflowed: bool,
}

impl Builder {
    /// Begins a branch below the innermost open one and returns its number.
    ///
    /// The branches directly below a branch must be added in the order of their names.
    pub fn begin(&mut self, name: &str, own: &Own) -> BranchId {
        let at = self.names.len();
        let mut len = u32::try_from(name.len()).unwrap_or(u32::MAX);
        while !name.is_char_boundary(len as usize) {
            len -= 1;
        }
        self.names.push_str(&name[..len as usize]);
        self.begin_named(Name { at, len }, own)
    }

    /// Begins a branch whose name is already in the text of all names.
    fn begin_named(&mut self, name: Name, own: &Own) -> BranchId {
        let branches = &mut self.branches;
        let (leaves, facts) = (branches.leaves.len() as u32, branches.facts.len() as u32);
        branches.leaves.extend_from_slice(&own.leaves);
        for (field, count) in own.counts.to_array().into_iter().enumerate() {
            if count > 0 {
                branches.facts.push(Fact::Count(field as u8));
                branches.amounts.push(count);
            }
        }
        branches.facts.extend(own.opaque.iter().map(|&(reason, _)| Fact::Opaque(reason)));
        branches.amounts.extend(own.opaque.iter().map(|&(_, count)| count));
        let end = BranchId::ROOT;
        let id = branches.records.push(Record { name, end, leaves, facts, bytes: 0 });
        self.open.push(id);
        own.leaves.iter().for_each(|leaf| self.add_bytes(id, leaf.bytes));
        id
    }

    /// Ends the innermost open branch. Does nothing if none is open.
    pub fn end(&mut self) {
        let Some(id) = self.open.pop() else { return };
        let end = self.branches.records.next();
        let record = &mut self.branches.records[id];
        record.end = end;
        let bytes = record.bytes;
        if let Some(&parent) = self.open.last() {
            self.add_bytes(parent, bytes);
        }
    }

    fn add_bytes(&mut self, id: BranchId, bytes: u64) {
        let sum = &mut self.branches.records[id].bytes;
        self.overflowed |= sum.checked_add(bytes).is_none();
        *sum = sum.saturating_add(bytes);
    }

    /// Returns the open branches, from the root down.
    pub fn open(&self) -> &[BranchId] {
        &self.open
    }

    /// Returns whether a sum overflowed. Such a sum is `u64::MAX`.
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// Returns the bytes found so far in a branch.
    ///
    /// # Panics
    /// Panics if there is no such branch.
    pub fn bytes(&self, id: BranchId) -> u64 {
        self.branches.records[id].bytes
    }

    /// Returns the name of a branch.
    ///
    /// # Panics
    /// Panics if there is no such branch.
    pub fn name(&self, id: BranchId) -> &str {
        self.branches.name(id).of(&self.names)
    }

    /// Ends all open branches and returns the tree.
    ///
    /// # Panics
    /// Panics if no branch was begun.
    pub fn finish(mut self, origin: Origin) -> NameTree {
        assert!(self.branches.records.len() > 0, "a tree has a root");
        while !self.open.is_empty() {
            self.end();
        }
        let Self { mut names, mut branches, .. } = self;
        branches.origin = origin;
        // In a small tree, the unused capacity is not worth a reallocation.
        if branches.records.len() > 64 {
            names.shrink_to_fit();
            branches.records.0.shrink_to_fit();
            branches.leaves.shrink_to_fit();
            branches.facts.shrink_to_fit();
            branches.amounts.shrink_to_fit();
        }
        NameTree { names, branches }
    }
}

/// The number of nodes between the prefetch of a node and its visit.
const AHEAD: usize = 6;

/// A hierarchy of named nodes.
pub(crate) trait NodeSource<'f> {
    type Node: Copy;

    /// Adds the contents at a node to `own`, and the nodes below it with their names to `below`.
    fn visit(&self, node: Self::Node, own: &mut Own, below: &mut Vec<(&'f str, Self::Node)>);

    /// Prefetches a node that will be visited soon. A small source need not prefetch.
    fn prefetch(&self, node: Self::Node) {
        let _ = node;
    }

    /// Returns the range of a node's name if the tree shares the text of all names with the source.
    fn name(&self, node: Self::Node) -> Option<Name> {
        let _ = node;
        None
    }
}

/// Returns the tree with a root of this name, which is made from a node.
pub(crate) fn merge<'f, F: NodeSource<'f>>(
    source: &F,
    name: &'f str,
    root: F::Node,
    origin: Origin,
) -> NameTree {
    let mut below = Vec::with_capacity(16);
    below.push((name, root));
    // The names of a small tree take a single allocation.
    let names = String::with_capacity(if source.name(root).is_some() { 0 } else { 64 });
    let builder = Builder { names, ..Builder::default() };
    let mut merger = Merger { source, below, own: Own::default(), builder };
    merger.branch(0..1);
    merger.builder.finish(origin)
}

struct Merger<'m, 'f, F: NodeSource<'f>> {
    source: &'m F,
    /// A stack with the nodes below each branch, from the root to the current branch.
    below: Vec<(&'f str, F::Node)>,
    own: Own,
    builder: Builder,
}

impl<'f, F: NodeSource<'f>> Merger<'_, 'f, F> {
    /// The depth of the recursion is the nesting depth of types, not of values.
    fn branch(&mut self, group: Range<usize>) {
        let (name, node) = self.below[group.start];
        let start = self.below.len();
        self.own.clear();
        for member in group {
            self.source.visit(self.below[member].1, &mut self.own, &mut self.below);
        }
        match self.source.name(node) {
            Some(name) => self.builder.begin_named(name, &self.own),
            None => self.builder.begin(name, &self.own),
        };
        let below = &mut self.below[start..];
        // Nodes from a single branch of a finished tree are already sorted. The check avoids
        // sorting a million keys again.
        if !below.is_sorted_by_key(|node| node.0) {
            sort_by_text(below, |node| node.0.as_bytes(), |byte| byte);
        }
        let end = self.below.len();
        let mut first = start;
        while first < end {
            if let Some(later) = self.below[first..end].get(AHEAD) {
                prefetch(later.0.as_ptr().addr());
                self.source.prefetch(later.1);
            }
            let name = self.below[first].0;
            let same = self.below[first..end].iter().take_while(|node| node.0 == name).count();
            self.branch(first..first + same);
            first += same;
        }
        self.below.truncate(start);
        self.builder.end();
    }
}

/// A tree in its plain form. The names are those of the original tree.
#[derive(Debug)]
pub struct Plain<'p> {
    names: &'p str,
    branches: Cow<'p, Branches>,
}

impl<'p> Plain<'p> {
    /// Builds the plain form.
    fn of(names: &'p str, branches: &'p Branches) -> Self {
        let root = branches.root(names);
        if !root.subtree().any(is_bracketed) {
            return Self::detailed(names, branches);
        }
        let node = Node { id: BranchId::ROOT, of_keys: false };
        let merged = merge(&PlainSource { names, branches }, root.name(), node, branches.origin);
        Self { names, branches: Cow::Owned(merged.branches) }
    }

    /// Returns the tree as it is, with its bracketed frames.
    fn detailed(names: &'p str, branches: &'p Branches) -> Self {
        Self { names, branches: Cow::Borrowed(branches) }
    }

    /// Returns the root.
    pub fn root(&self) -> Branch<'_> {
        self.branches.root(self.names)
    }

    /// Returns a branch by its number.
    pub fn at(&self, id: BranchId) -> Branch<'_> {
        self.branches.at(id, self.names)
    }

    /// Returns the name of one of the branches, with the lifetime of the original tree.
    pub fn name(&self, branch: Branch<'_>) -> &'p str {
        self.branches.name(branch.id()).of(self.names)
    }
}

fn is_bracketed(branch: Branch<'_>) -> bool {
    matches!(branch.name(), KEYS | SHARED)
}

/// Returns whether any branch below this one has a name of its own.
fn has_names(branch: Branch<'_>) -> bool {
    branch.children().any(|child| !is_bracketed(child) || has_names(child))
}

struct PlainSource<'p> {
    names: &'p str,
    branches: &'p Branches,
}

#[derive(Clone, Copy)]
struct Node {
    id: BranchId,
    of_keys: bool,
}

impl<'p> NodeSource<'p> for PlainSource<'p> {
    type Node = Node;

    fn visit(&self, node: Node, own: &mut Own, below: &mut Vec<(&'p str, Node)>) {
        flatten(self.branches.at(node.id, self.names), node.of_keys, own, below);
    }

    fn name(&self, node: Node) -> Option<Name> {
        Some(self.branches.name(node.id))
    }
}

fn flatten<'p>(branch: Branch<'p>, of_keys: bool, own: &mut Own, below: &mut Vec<(&'p str, Node)>) {
    for &leaf in branch.leaves() {
        own.add_leaf(Leaf { of_keys, ..leaf });
    }
    let mut counts = branch.counts();
    if of_keys {
        // Keys are not values of the map, so only the counts of their allocations and handles are
        // kept.
        counts = Counts { values: 0, nodes: 0, ..counts };
    }
    own.counts += counts;
    branch.opaque().for_each(|(reason, count)| own.add_opaque(reason, count));
    for child in branch.children() {
        match child.name() {
            SHARED => flatten(child, of_keys, own, below),
            KEYS if !has_names(child) => flatten(child, true, own, below),
            name => below.push((name, Node { id: child.id(), of_keys: false })),
        }
    }
}

/// A path below the root, the device of the bytes there, and the number of bytes.
type Counter = (Vec<String>, Device, u64);

struct CounterSource;

impl<'c> NodeSource<'c> for CounterSource {
    /// Counters below a node, and the depth of the node.
    type Node = (&'c [Counter], usize);

    fn visit(
        &self,
        (counters, depth): Self::Node,
        own: &mut Own,
        below: &mut Vec<(&'c str, Self::Node)>,
    ) {
        for counter in counters {
            let (path, device, bytes) = counter;
            if let Some(name) = path.get(depth) {
                below.push((name, (core::slice::from_ref(counter), depth + 1)));
            } else if *bytes > 0 {
                let leaf = Leaf::new(LeafKind::Data, Role::default(), *bytes);
                own.add_leaf(leaf.on(*device));
            }
        }
    }
}

/// The branches that a tree joins, which are directly below the root, and the name of a branch.
struct JoinSource<'p, N> {
    parts: Vec<Branch<'p>>,
    name: N,
}

impl<'p, 'f, N: Fn(Branch<'p>) -> &'f str> NodeSource<'f> for JoinSource<'p, N> {
    /// `None` is the new root, which belongs to no part.
    type Node = Option<Branch<'p>>;

    fn visit(&self, node: Self::Node, own: &mut Own, below: &mut Vec<(&'f str, Self::Node)>) {
        let named = |branch| ((self.name)(branch), Some(branch));
        let Some(branch) = node else {
            below.extend(self.parts.iter().copied().map(named));
            return;
        };
        branch.leaves().iter().for_each(|leaf| own.add_leaf(*leaf));
        branch.opaque().for_each(|(reason, count)| own.add_opaque(reason, count));
        own.counts += branch.counts();
        below.extend(branch.children().map(named));
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::Leaf;
    use super::Record;

    /// A comparison holds two trees in limited memory, so a branch must stay this small. The sizes
    /// are not checked by a constant assertion because `-Zrandomize-layout` changes the sizes.
    #[test]
    fn a_branch_takes_half_a_cache_line_and_a_leaf_less() {
        assert_eq!((size_of::<Record>(), size_of::<Leaf>()), (32, 24));
    }
}
