//! Branches: names, with their leaves and the branches below them.
//!
//! A comparison holds two trees of a million names in limited memory. So all branches are in one
//! list, in which each precedes those below it, and what few branches have is in lists of its own. A
//! branch takes 32 bytes and a leaf 24.

use crate::list::{List, Number};
use crate::words::{Device, LeafKind, OpaqueReason, Origin, Role};
use core::num::NonZeroU32;
use core::ops::{AddAssign, Range};

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
pub(crate) struct Branches {
    pub(crate) records: List<Record, BranchId>,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) facts: Vec<Fact>,
    /// The amount of each fact. The list is separate because a fact with its amount would take 16
    /// bytes instead of 10.
    pub(crate) amounts: Vec<u64>,
    /// The kind of source that the tree was made from, which limits what the tree can contain.
    pub(crate) origin: Origin,
}

/// One branch. Its leaves and facts end where those of the next branch begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) name: Name,
    /// The first branch after this one and everything below it.
    pub(crate) end: BranchId,
    pub(crate) leaves: u32,
    pub(crate) facts: u32,
    /// All bytes here and below.
    pub(crate) bytes: u64,
}

/// The range of a name in the text that contains all names of a tree.
///
/// The struct is packed because padding would make a record 40 bytes large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(Rust, packed(4))]
pub(crate) struct Name {
    pub(crate) at: usize,
    pub(crate) len: u32,
}

/// A further property of a branch: a field of [`Counts`] by its number, or an opaque reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
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
    pub(crate) fn of(self, names: &str) -> &str {
        &names[self.at..self.at + self.len as usize]
    }
}

impl Branches {
    /// Returns the root. `names` contains the names of all branches.
    pub(crate) fn root<'p>(&'p self, names: &'p str) -> Branch<'p> {
        self.at(BranchId::ROOT, names)
    }

    /// Returns a branch by its number.
    pub(crate) fn at<'p>(&'p self, id: BranchId, names: &'p str) -> Branch<'p> {
        Branch { names, branches: self, id }
    }

    /// Sets the origin.
    pub(crate) fn with_origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// Returns all bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.records[BranchId::ROOT].bytes
    }

    pub(crate) fn name(&self, id: BranchId) -> Name {
        self.records[id].name
    }

    fn range(&self, id: BranchId, start: fn(&Record) -> u32, all: usize) -> Range<usize> {
        let next = self.records.0.get(id.next().index());
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

    /// Returns the branch's own leaves, in the order of
    /// [`LeafKind::ALL`](crate::tree::LeafKind::ALL).
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
    /// Takes at most one comparison for each branch directly below. Nothing is allocated.
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

    /// Returns the kind of source that the tree was made from.
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
    pub(crate) bytes: u64,
    pub(crate) estimated_bytes: u64,
    pub(crate) device: Device,
    pub(crate) kind: LeafKind,
    pub(crate) role: Role,
    /// True if the plain form moved the leaf from a map's `[keys]` branch to the map's branch.
    /// Views name such a leaf `[keys]`.
    pub(crate) of_keys: bool,
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
        #[non_exhaustive]
        pub struct Counts {
            $($(#[$doc])* pub $field: u64,)*
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

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        let mut sums = self.to_array();
        for (sum, other) in sums.iter_mut().zip(other.to_array()) {
            *sum = sum.saturating_add(other);
        }
        *self = Self::from_array(sums);
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
