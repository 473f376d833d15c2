//! The finished subtrees of frozen values, by identity.

use super::changes;
use crate::frame::LeafKind;
use crate::position::Position;
use crate::state::{Image, Obstacle, Structure, Subtree, WalkState};
use core::fmt;
use core::hash::{BuildHasherDefault, Hasher};
use std::collections::HashMap;
use std::sync::Arc;

/// The finished subtrees of the frozen values that earlier walks met.
///
/// This type contains only numbers: no handle, reference or pointer to a value. `Profiler` of the
/// crate `memprof-profile` wraps it.
///
/// ```
/// use memprof_core::large::{Frozen, Remembered};
/// use memprof_core::tree::Collected;
///
/// let names = vec![Frozen::new(vec![String::from("alpha")]); 3];
/// let mut remembered = Remembered::new();
/// for reused in [0, 1] {
///     remembered.begin();
///     let collected = Collected::remembering("names", &names, &mut remembered, None);
///     remembered.forget_unmet();
///     assert_eq!(collected, Collected::of("names", &names));
///     assert_eq!(remembered.reuse().reused(), reused);
/// }
/// ```
#[derive(Default)]
pub struct Remembered {
    records: Vec<Record>,
    /// The indices of the records, by identity.
    index: HashMap<u64, u32, BuildHasherDefault<IdentityHasher>>,
    structures: Structures,
    /// The number of the current walk. The first one has the number 1.
    walk: u64,
    /// The first walk since [`begin`](Self::begin).
    first_walk: u64,
    /// True if the observer of the walk wants addresses.
    wants_addresses: bool,
    /// True if a walk since [`begin`](Self::begin) was stopped.
    is_partial: bool,
    /// The index of the record that was found last. The next search probably finds the record after
    /// it, because each walk meets the values in the same order.
    last: u32,
    /// The amounts of all records. One list contains them, so that a walk reads them in the order
    /// of their addresses.
    amounts: Vec<u64>,
    /// The number of elements of `amounts` that no record uses any more.
    unused_amounts: usize,
    reuse: Reuse,
}

/// After a stopped walk, a value is forgotten only if the last `KEPT_WALKS` walks did not meet it.
const KEPT_WALKS: u64 = 16;

/// The numbers of frozen values that the last profile reused and walked. For values that cannot be
/// reused, it has the reasons.
///
/// ```
/// use memprof::large::{Frozen, Obstacle, Profiler};
/// use std::sync::Arc;
///
/// let plain = vec![Frozen::new(vec![1_u8; 100]); 3];
/// let with_handle = Frozen::new(Arc::new(String::from("alpha")));
/// let values = (plain, with_handle);
/// let mut profiler = Profiler::new();
/// let _ = (profiler.profile(&values), profiler.profile(&values));
/// let reuse = profiler.last();
/// assert_eq!((reuse.reused(), reuse.walked()), (1, 1));
/// assert!(reuse.refused().eq([(Obstacle::SingleHandle, 1)]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reuse {
    reused: u64,
    walked: u64,
    refused: [u64; Obstacle::ALL.len()],
}

impl Reuse {
    /// Returns the number of values whose bytes were known from an earlier profile.
    pub const fn reused(&self) -> u64 {
        self.reused
    }

    /// Returns the number of values that were visited: new ones and those of
    /// [`refused`](Self::refused).
    pub const fn walked(&self) -> u64 {
        self.walked
    }

    /// Returns the numbers of values that every profile has to visit, grouped by the first obstacle
    /// that was found in each.
    pub fn refused(&self) -> impl Iterator<Item = (Obstacle, u64)> {
        let refused = self.refused;
        Obstacle::ALL
            .iter()
            .map(move |&obstacle| (obstacle, refused[obstacle as usize]))
            .filter(|&(_, count)| count != 0)
    }
}

/// The facts about a frozen value that a walk needs before it adds the contents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) identity: u64,
    /// The address that identifies the allocation.
    pub(super) address: usize,
    pub(super) size: usize,
    pub(super) align: usize,
    /// The kind of the value's inline bytes if it is not visited.
    pub(super) lump: LeafKind,
    /// The number of handles when the counter of changes was read.
    pub(super) strong: usize,
    /// The counter of changes.
    pub(super) changes: usize,
}

/// A frozen value that an earlier walk met.
struct Record {
    facts: Facts,
    /// The first walk that met the value.
    first_met: u64,
    /// The last walk that met the value.
    met: u64,
    check: Check,
    contents: Contents,
    /// The addresses of blocks to report, if they are known.
    addresses: Option<Box<[usize]>>,
}

/// The result of the check whether a value must be visited. It is valid in one walk, whose number
/// it contains.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    /// The value has not been checked.
    Never,
    /// In the walk with this number, the value needs no visit, or is being checked.
    Passed(u64),
    Failed(u64),
}

/// The contents of a frozen value.
enum Contents {
    Known {
        structure: u32,
        /// The index of the first amount.
        amounts: usize,
        /// For each frozen value inside, the number of its node in the structure, and its identity.
        nested: Box<[(u32, u64)]>,
    },
    Refused(Obstacle),
}

/// The result of a search for a value.
pub(super) enum Found {
    /// The contents of the value were added.
    Added,
    /// The value is visited in every walk.
    Refused,
    /// The value is to be visited and remembered.
    New,
}

impl Remembered {
    /// Returns a `Remembered` without values.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a profile, which may consist of several walks.
    pub fn begin(&mut self) {
        self.first_walk = self.walk + 1;
        self.is_partial = false;
        self.reuse = Reuse::default();
    }

    /// Forgets the values that no walk since [`begin`](Self::begin) met.
    ///
    /// If one of these walks was stopped, keeps the values that recent walks met, because the
    /// stopped walk may not have reached them.
    pub fn forget_unmet(&mut self) {
        let kept_walks = if self.is_partial { KEPT_WALKS } else { 0 };
        let oldest = self.first_walk.saturating_sub(kept_walks);
        let mut index = 0;
        while let Some(record) = self.records.get(index) {
            if record.met >= oldest {
                index += 1;
                continue;
            }
            let forgotten = self.records.swap_remove(index);
            self.index.remove(&forgotten.facts.identity);
            if let Some(moved) = self.records.get(index) {
                self.index.insert(moved.facts.identity, index as u32);
            }
            self.release(&forgotten.contents);
        }
        if 2 * self.unused_amounts > self.amounts.len() {
            self.remove_unused_amounts();
        }
    }

    /// Releases the structure and the amounts of a record.
    fn release(&mut self, contents: &Contents) {
        if let Contents::Known { structure, .. } = *contents {
            self.unused_amounts += self.structures.amounts(structure);
            self.structures.release(structure);
        }
    }

    /// Copies the amounts of the records into a new list.
    fn remove_unused_amounts(&mut self) {
        let mut used = Vec::with_capacity(self.amounts.len() - self.unused_amounts);
        for record in &mut self.records {
            if let Contents::Known { structure, amounts, .. } = &mut record.contents {
                let end = *amounts + self.structures.amounts(*structure);
                let moved = &self.amounts[core::mem::replace(amounts, used.len())..end];
                used.extend_from_slice(moved);
            }
        }
        self.amounts = used;
        self.unused_amounts = 0;
    }

    /// Returns the numbers of values that were reused and visited since [`begin`](Self::begin).
    pub fn reuse(&self) -> Reuse {
        self.reuse
    }

    /// Returns the number of remembered values.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns whether no value is remembered.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Begins a walk, whose observer may want addresses.
    pub(crate) fn begin_walk(&mut self, wants_addresses: bool) {
        self.walk += 1;
        self.wants_addresses = wants_addresses;
        self.last = 0;
        self.structures.images_of(self.walk);
    }

    /// Ends a walk, which may have been stopped.
    pub(crate) fn end_walk(&mut self, is_partial: bool) {
        self.is_partial |= is_partial;
    }

    /// Returns the index of a value.
    #[inline]
    pub(super) fn find(&mut self, identity: u64) -> Option<u32> {
        let is_at = |&index: &u32| {
            self.records.get(index as usize).is_some_and(|record| record.facts.identity == identity)
        };
        let near = [self.last, self.last + 1].into_iter().find(is_at);
        self.last = near.or_else(|| self.index.get(&identity).copied())?;
        Some(self.last)
    }

    /// Returns a value's number of handles, if this number has not changed since it was last read.
    ///
    /// Reading the counter of changes is faster. The number of handles is beside the value, and
    /// nothing else here reads that memory.
    #[inline]
    pub(super) fn known_handles(&mut self, identity: u64, changes: usize) -> Option<usize> {
        let index = self.find(identity)?;
        let facts = &self.records[index as usize].facts;
        (facts.changes == changes).then_some(facts.strong)
    }

    /// Records that the walk met a value, with its current number of handles.
    #[inline]
    pub(super) fn meet(&mut self, index: u32, facts: &Facts) {
        let record = &mut self.records[index as usize];
        record.met = self.walk;
        record.facts = *facts;
    }

    /// Returns the facts about a value inside a remembered one.
    pub(super) fn facts(&self, index: u32) -> Facts {
        self.records[index as usize].facts
    }

    /// Returns whether every walk has to visit the value. If so, counts it as visited.
    #[inline]
    pub(super) fn is_refused(&mut self, index: u32) -> bool {
        let Contents::Refused(obstacle) = self.records[index as usize].contents else {
            return false;
        };
        self.reuse.walked += 1;
        self.reuse.refused[obstacle as usize] += 1;
        true
    }

    /// Returns whether the contents of a value can be added without a visit.
    ///
    /// The contents themselves never change. But a walk also needs the numbers of handles to the
    /// frozen values inside, which only a visit can read. So each of those values must have been
    /// met in this walk, or its number of handles must be unchanged.
    #[inline]
    pub(super) fn is_reusable(&mut self, index: u32) -> bool {
        match &self.records[index as usize].contents {
            Contents::Refused(_) => false,
            Contents::Known { nested, .. } if nested.is_empty() => true,
            Contents::Known { .. } => self.nested_are_reusable(index),
        }
    }

    /// Returns whether all nested values can be added without a visit. The search does not recurse,
    /// because values may nest deeply.
    #[inline(never)]
    fn nested_are_reusable(&mut self, index: u32) -> bool {
        let (passed, failed) = (Check::Passed(self.walk), Check::Failed(self.walk));
        if self.records[index as usize].check == failed {
            return false;
        }
        let mut path = vec![(index, 0)];
        while let Some((index, child)) = path.last_mut() {
            let record = &mut self.records[*index as usize];
            record.check = passed;
            let Contents::Known { nested, .. } = &record.contents else { break };
            let Some(&(_, identity)) = nested.get(*child) else {
                path.pop();
                continue;
            };
            *child += 1;
            match self.nested(identity) {
                // The contents of the nested value are already counted.
                Some(nested) if self.records[nested as usize].met == self.walk => {}
                Some(nested) if self.records[nested as usize].check == passed => {}
                Some(nested) if self.is_unchanged(nested) => path.push((nested, 0)),
                _ => {
                    for (index, _) in path {
                        self.records[index as usize].check = failed;
                    }
                    return false;
                }
            }
        }
        true
    }

    fn nested(&self, identity: u64) -> Option<u32> {
        self.index.get(&identity).copied()
    }

    /// Returns whether a nested value can be added without a visit. Ignores the values nested in
    /// it.
    fn is_unchanged(&self, index: u32) -> bool {
        let Record { facts, check, contents, addresses, .. } = &self.records[index as usize];
        let Contents::Known { structure, .. } = *contents else { return false };
        (addresses.is_some() || !self.wants_addresses)
            && *check != Check::Failed(self.walk)
            && facts.changes == changes::of(facts.identity)
            && self.structures.merges_anywhere(structure)
    }

    /// Adds the contents of a value. For each frozen value inside, calls `add_nested` with its
    /// identity, index and node.
    #[inline]
    pub(super) fn add(
        &mut self,
        index: u32,
        tree: &mut WalkState,
        at: Position,
        mut add_nested: impl FnMut(u64, u32, u32),
    ) -> Found {
        let record = &mut self.records[index as usize];
        let Contents::Known { structure, amounts, nested } = &record.contents else {
            return Found::New;
        };
        let Ok((structure, image)) = self.structures.image(*structure, tree, at) else {
            return Found::New;
        };
        record.met = self.walk;
        tree.add_amounts(image, structure, &self.amounts[*amounts..]);
        for &(node, identity) in nested {
            if let Some(&index) = self.index.get(&identity) {
                add_nested(identity, index, image.of(node));
            }
        }
        self.reuse.reused += 1;
        Found::Added
    }

    /// Returns the addresses to report for a value, if they are known.
    pub(super) fn addresses(&self, index: u32) -> Option<&[usize]> {
        self.records[index as usize].addresses.as_deref()
    }

    /// Remembers the contents of a value that was visited, and the frozen values inside.
    ///
    /// The addresses are remembered only if an earlier profile met the value. A new value may have
    /// blocks that the observer does not know yet, because the program made them after the profile
    /// began.
    pub(super) fn remember(
        &mut self,
        facts: &Facts,
        subtree: Subtree,
        nested: Box<[(u32, u64)]>,
        reports_addresses: bool,
    ) {
        self.reuse.walked += 1;
        let structure = self.structures.intern(subtree.structure);
        let amounts = self.amounts.len();
        self.amounts.extend_from_slice(&subtree.amounts);
        let is_old = self
            .find(facts.identity)
            .is_some_and(|index| self.records[index as usize].first_met < self.first_walk);
        let addresses = (reports_addresses && is_old).then(|| subtree.addresses.into());
        self.store(facts, Contents::Known { structure, amounts, nested }, addresses);
    }

    /// Remembers that every walk has to visit a value.
    pub(super) fn refuse(&mut self, facts: &Facts, obstacle: Obstacle) {
        self.reuse.walked += 1;
        self.reuse.refused[obstacle as usize] += 1;
        self.store(facts, Contents::Refused(obstacle), None);
    }

    /// Counts a value that was visited, but only in part.
    pub(super) fn count_partial(&mut self) {
        self.reuse.walked += 1;
    }

    fn store(&mut self, facts: &Facts, contents: Contents, addresses: Option<Box<[usize]>>) {
        let (facts, met, check) = (*facts, self.walk, Check::Never);
        let new = Record { facts, first_met: met, met, check, contents, addresses };
        let index = *self.index.entry(facts.identity).or_insert(self.records.len() as u32);
        let Some(known) = self.records.get_mut(index as usize) else {
            self.records.push(new);
            return;
        };
        let new = Record { first_met: known.first_met, ..new };
        let old = core::mem::replace(known, new);
        self.release(&old.contents);
    }
}

impl fmt::Debug for Remembered {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Remembered")
            .field("values", &self.len())
            .field("reuse", &self.reuse)
            .finish_non_exhaustive()
    }
}

/// The structures of all remembered values, each once.
#[derive(Default)]
struct Structures {
    list: Vec<Option<Shared>>,
    /// The indices of the free elements of the list.
    free: Vec<u32>,
    numbers: HashMap<Arc<Structure>, u32>,
    walk: u64,
}

/// A structure that several values may have.
struct Shared {
    structure: Arc<Structure>,
    values: usize,
    merges_anywhere: bool,
    /// The images of the structure in one walk, each with the node at which it was added.
    images: Vec<(u32, Image)>,
    walk: u64,
}

/// The maximum number of images that are kept for a structure. Most types need one or two.
const MAX_IMAGES: usize = 8;

impl Structures {
    fn images_of(&mut self, walk: u64) {
        self.walk = walk;
    }

    fn intern(&mut self, structure: Structure) -> u32 {
        if let Some(&number) = self.numbers.get(&structure) {
            if let Some(shared) = &mut self.list[number as usize] {
                shared.values += 1;
            }
            return number;
        }
        let merges_anywhere = structure.merges_anywhere();
        let structure = Arc::new(structure);
        let (images, walk) = (Vec::new(), 0);
        let shared =
            Shared { structure: Arc::clone(&structure), values: 1, merges_anywhere, images, walk };
        let number = self.free.pop().unwrap_or_else(|| {
            self.list.push(None);
            self.list.len() as u32 - 1
        });
        self.list[number as usize] = Some(shared);
        self.numbers.insert(structure, number);
        number
    }

    fn release(&mut self, number: u32) {
        let Some(shared) = &mut self.list[number as usize] else { return };
        shared.values -= 1;
        if shared.values == 0 {
            self.numbers.remove(&*shared.structure);
            self.list[number as usize] = None;
            self.free.push(number);
        }
    }

    /// Returns the number of amounts of a value with this structure.
    fn amounts(&self, number: u32) -> usize {
        self.list[number as usize].as_ref().map_or(0, |shared| shared.structure.amounts())
    }

    fn merges_anywhere(&self, number: u32) -> bool {
        self.list[number as usize].as_ref().is_some_and(|shared| shared.merges_anywhere)
    }

    /// Returns a structure and its image at a position.
    #[inline]
    fn image(
        &mut self,
        number: u32,
        tree: &mut WalkState,
        at: Position,
    ) -> Result<(&Structure, &Image), Obstacle> {
        let Some(shared) = &mut self.list[number as usize] else { return Err(Obstacle::Folded) };
        let Shared { structure, images, walk, .. } = shared;
        if *walk != self.walk {
            *walk = self.walk;
            images.clear();
        }
        let node = tree.number(at);
        let known = images.iter().position(|image| image.0 == node);
        // The steps of keyed maps depend on the names that exist, so their images are never reused.
        let index = match known {
            Some(index) if !structure.is_keyed() => index,
            _ => {
                let image = tree.image(at, structure)?;
                if images.len() == MAX_IMAGES || structure.is_keyed() {
                    images.clear();
                }
                images.push((node, image));
                images.len() - 1
            }
        };
        Ok((structure, &images[index].1))
    }
}

/// A hasher for identities, which are consecutive numbers. It uses Fibonacci hashing.
#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(self.0 << 8 | u64::from(byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, identity: u64) {
        self.0 = identity.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}
