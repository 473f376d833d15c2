//! Shared allocations: each is counted once, and the handles to it are recorded.
//!
//! A table has the shared allocations met so far, by address. Most of a walk over handles is
//! lookups, and most of a lookup is a cache miss. The table uses linear probing and is at most half
//! full, so a lookup usually reads one cache line, and the loop over a slice of handles prefetches
//! the slots of later handles. On 2 M handles to 200,000 allocations, a tree takes 2.8 times a
//! hand-written sum, which takes 6.5 ns per handle, and 3.5 times without the prefetch. Four lanes
//! in each cache line that are compared at once, and several passes over batches of addresses, took
//! 2.9 times, with 150 more lines.
//!
//! Reference counting shows what happens to shared memory when the root is dropped. Dropping the
//! root drops its handles. A context without a handle is freed, which drops the handles inside it,
//! and so on. What is not freed is held by a handle that the walk did not meet, directly or through
//! other contexts, or only by a cycle of handles, which leaks. Earlier, a walk from the contexts
//! with unknown handles decided both questions at once, and so called cycles freed.

use crate::layout::prefetch;
use crate::list::{Id, List, Number};
use core::ops::AddAssign;

mod dominators;
mod holders;
mod weak;

pub use holders::Holders;
use holders::Trace;
pub(crate) use holders::TreeNode;
pub(crate) use weak::AddressHasher;
use weak::{KeptByWeak, WeakHandles};

/// The number of a context; `None` is the memory that only the root owns.
pub(crate) type ContextId = Option<Id<Context>>;

/// The shared allocations met in a walk, and the handles to them. Each such allocation is a
/// context.
///
/// [`Context::own`] counts the bytes added while the context is the current one, so it excludes
/// nested contexts. All totals of a profile are computed from these numbers at the end, and do not
/// depend on the order of the walk.
#[derive(Debug, Default)]
pub(crate) struct Sharing {
    table: AllocationTable,
    contexts: List<Context>,
    /// Handles inside shared memory, as pairs: the context that contains the handle, and the
    /// handle's target.
    edges: Vec<Edge>,
    /// True if only the addresses are needed, because the walk computes the total alone.
    is_set: bool,
    context: ContextId,
    /// Bytes added to the current context since the last switch. This is 0 while the current
    /// context is the root.
    current: u64,
    weak: WeakHandles,
    /// The allocations that weak handles keep, at the end of the walk.
    kept_by_weak: Vec<KeptByWeak>,
    /// All handles, if the walk keeps them.
    trace: Option<Box<Trace>>,
}

/// A shared allocation, or a value that is examined like one.
#[derive(Debug)]
pub(crate) struct Context {
    own: u64,
    kind: Kind,
}

type PerContext<T> = List<T, Id<Context>>;

/// A context that contains a handle, and the handle's target.
type Edge = (Id<Context>, Id<Context>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// An allocation that `strong` handles keep alive; 0 if their number is unknown.
    Shared { strong: u32 },
    /// A value that is compared with equal values.
    Value {
        /// True if it is inside another context, and so freed with that context.
        in_context: bool,
        /// True if it is inside a shared allocation.
        in_shared: bool,
    },
    /// The target of a followed reference. Its owner is unknown, but not the root.
    Target,
    /// An allocation without what its value owns, which `weak` handles keep. All owning handles
    /// together count as one.
    Weak { weak: u32 },
}

/// The totals of the shared allocations in one profile.
///
/// They exclude allocations with a single handle, which are not shared. They include allocations
/// that only `Weak` handles keep, because the number of those handles is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[non_exhaustive]
pub struct Shared {
    /// The number of shared allocations, which have more than one handle.
    pub allocations: u64,
    /// The number of handles to these allocations that the walk met.
    pub handles: u64,
    /// The bytes of these allocations, each counted once.
    pub bytes: u64,
    /// The bytes of the whole profile if every handle had its own copy of its allocation, but not
    /// of what that allocation leads to.
    pub bytes_if_unshared: u64,
    /// The bytes that stay allocated when the root is dropped, because a handle that the walk did
    /// not meet keeps them alive, directly or through other allocations. A `Weak` keeps an allocation,
    /// but not what its value owns elsewhere.
    pub externally_held_bytes: u64,
    /// The bytes that stay allocated when the root is dropped, because only handles in a cycle keep
    /// them alive. If the walk could not read everything, such bytes count as externally held.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::tree::is_zero"))]
    pub leaked_bytes: u64,
    /// True if `externally_held_bytes` is an upper bound: the walk could not read everything, or a
    /// number of handles is unknown or changed during the walk.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
    pub is_upper_bound: bool,
}

impl AddAssign for Shared {
    fn add_assign(&mut self, more: Self) {
        let Self { allocations, handles, bytes, bytes_if_unshared, .. } = more;
        let Self { externally_held_bytes, leaked_bytes, is_upper_bound, .. } = more;
        self.is_upper_bound = self.is_upper_bound || is_upper_bound;
        for (sum, more) in [
            (&mut self.allocations, allocations),
            (&mut self.handles, handles),
            (&mut self.bytes, bytes),
            (&mut self.bytes_if_unshared, bytes_if_unshared),
            (&mut self.externally_held_bytes, externally_held_bytes),
            (&mut self.leaked_bytes, leaked_bytes),
        ] {
            *sum = sum.saturating_add(more);
        }
    }
}

impl Sharing {
    /// Returns an empty set of addresses, for a walk that computes the total alone.
    pub(crate) fn set() -> Self {
        Self { is_set: true, ..Self::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.contexts.len()
    }

    /// Returns the bytes of all contexts except the first `len`. Returns 0 if the walk met every
    /// handle to these contexts, because no unvisited value can then lead to one of them.
    pub(crate) fn movable_bytes(&self, len: usize) -> u64 {
        let mut handles = self.root_handles();
        for &(_, to) in &self.edges {
            let handles = &mut handles[to];
            *handles = handles.saturating_add(1);
        }
        let later = self.contexts.0.iter().zip(&handles.0).skip(len);
        let is_held_elsewhere = |(context, &met): (&Context, &u32)| match context.kind {
            Kind::Shared { strong } => strong == 0 || met < strong,
            Kind::Value { .. } | Kind::Weak { .. } => false,
            Kind::Target => true,
        };
        if !later.clone().any(is_held_elsewhere) {
            return 0;
        }
        later.map(|(context, _)| context.own).fold(0, u64::saturating_add)
    }

    pub(crate) fn has_handles_of_root(&self) -> bool {
        self.table.slots.iter().any(|slot| slot.root_handles != 0)
    }

    /// Returns whether an allocation is known, without counting a handle to it.
    pub(crate) fn is_known(&mut self, address: usize) -> bool {
        self.table.find(address).is_some()
    }

    pub(crate) fn context(&self) -> ContextId {
        self.context
    }

    /// Makes the root the current context, in which added bytes count nowhere. Returns the context
    /// to pass to [`resume`](Self::resume), until which no other context may become the current one.
    #[inline]
    pub(crate) fn pause(&mut self) -> ContextId {
        self.context.take()
    }

    #[inline]
    pub(crate) fn resume(&mut self, context: ContextId) {
        self.context = context;
    }

    /// Adds bytes to the current context.
    ///
    /// If the current context is the root, this function stores nothing. If every leaf added to one
    /// sum, the stores would depend on each other and take longer than the rest of the walk.
    #[inline]
    pub(crate) fn add(&mut self, bytes: usize) {
        if self.context.is_some() {
            self.current = self.current.saturating_add(bytes as u64);
        }
    }

    /// Reserves for at most about a million, because the number of allocations is a guess.
    pub(crate) fn reserve(&mut self, allocations: usize) {
        let allocations = allocations.min(1 << 20);
        self.table.reserve(allocations);
        if !self.is_set {
            self.contexts.0.reserve(allocations);
        }
    }

    #[inline]
    pub(crate) fn prefetch_handle(&self, address: usize) {
        self.table.prefetch(address);
    }

    /// Like [`record_handle`](Self::record_handle), but counts no handle inside shared memory.
    #[inline]
    pub(crate) fn record_handle_of_root(&mut self, address: usize) -> bool {
        self.context.is_none() && self.table.count(address)
    }

    /// Counts a handle to `address` if the address is known, and returns whether it is known.
    pub(crate) fn record_handle(&mut self, address: usize) -> bool {
        let Some((context, root_handles)) = self.table.find(address) else { return false };
        match self.context {
            None => *root_handles = root_handles.saturating_add(1),
            Some(outer) => self.edges.push((outer, context)),
        }
        true
    }

    /// Adds a shared allocation with a first handle from the current context, and makes the
    /// allocation the current context. If the allocation is already known, only counts the handle
    /// and returns `None`.
    #[expect(clippy::inline_always, reason = "as for `Walk::enter_shared`, which calls this")]
    #[inline(always)]
    pub(crate) fn enter(&mut self, address: usize, strong: usize) -> Option<ContextId> {
        let (outer, new) = (self.context, self.contexts.next());
        let known = self.table.find_or_insert(address, new, u32::from(outer.is_none()));
        if self.is_set {
            return known.is_none().then_some(None);
        }
        let context = known.as_ref().map_or(new, |known| known.0);
        if let Some(outer) = outer {
            self.edges.push((outer, context));
        } else if let Some((_, root_handles)) = known {
            *root_handles = root_handles.saturating_add(1);
        }
        if context != new {
            return None;
        }
        let strong = u32::try_from(strong).unwrap_or(u32::MAX);
        self.contexts.push(Context { own: 0, kind: Kind::Shared { strong } });
        Some(self.switch(Some(context)))
    }

    /// Returns the value's context and the previous one.
    pub(crate) fn enter_value(&mut self) -> (ContextId, ContextId) {
        let (in_context, in_shared) = match self.context {
            None => (false, false),
            Some(outer) => match self.contexts[outer].kind {
                Kind::Shared { .. } => (true, true),
                Kind::Value { in_shared, .. } => (true, in_shared),
                Kind::Target | Kind::Weak { .. } => (true, false),
            },
        };
        let outer = self.enter_kind(Kind::Value { in_context, in_shared });
        (self.context, outer)
    }

    /// Returns the previous context.
    pub(crate) fn enter_target(&mut self) -> ContextId {
        self.enter_kind(Kind::Target)
    }

    fn enter_kind(&mut self, kind: Kind) -> ContextId {
        if self.is_set {
            return None;
        }
        let context = self.contexts.push(Context { own: 0, kind });
        if let Some(outer) = self.context {
            self.edges.push((outer, context));
        }
        self.switch(Some(context))
    }

    pub(crate) fn own_bytes(&self, context: ContextId) -> u64 {
        context.map_or(0, |context| self.contexts[context].own)
    }

    /// Makes `context` the current one and returns the previous one.
    #[inline]
    pub(crate) fn switch(&mut self, context: ContextId) -> ContextId {
        let outer = core::mem::replace(&mut self.context, context);
        let bytes = core::mem::take(&mut self.current);
        if let Some(outer) = outer {
            let own = &mut self.contexts[outer].own;
            *own = own.saturating_add(bytes);
        }
        outer
    }

    /// The walk found `total` bytes, and read all contents if `is_complete` is true.
    pub(crate) fn totals(&self, total: u64, is_complete: bool) -> Shared {
        if self.len() == 0 {
            return Shared { bytes_if_unshared: total, ..Shared::default() };
        }
        let Ownership { fates, handles, is_certain } =
            Ownership::new(&self.contexts, self.root_handles(), &self.edges);
        let mut shared = Shared {
            bytes_if_unshared: total,
            is_upper_bound: !(is_complete && is_certain),
            ..Shared::default()
        };
        let add = |sum: &mut u64, bytes: u64| *sum = sum.saturating_add(bytes);
        // A value is copied with the context around it, which was entered before.
        let mut copies: PerContext<u64> =
            handles.0.iter().map(|&handles| handles.saturating_sub(1)).collect();
        for &(from, to) in &self.edges {
            if let Kind::Value { .. } = self.contexts[to].kind {
                copies[to] = copies[from];
            }
        }
        let own = self.own_by_fate();
        for ((id, context), fate) in self.contexts.numbered().zip(fates.0) {
            if let Kind::Shared { .. } = context.kind {
                shared.allocations += 1;
                shared.handles += handles[id];
            }
            add(&mut shared.bytes_if_unshared, context.own.saturating_mul(copies[id]));
            if matches!(context.kind, Kind::Shared { .. } | Kind::Value { in_shared: true, .. }) {
                add(&mut shared.bytes, context.own);
            }
            match fate {
                Fate::Freed => {}
                Fate::Leaked if !shared.is_upper_bound => {
                    add(&mut shared.leaked_bytes, own[id]);
                }
                Fate::Leaked | Fate::Held => {
                    add(&mut shared.externally_held_bytes, own[id]);
                }
            }
        }
        shared
    }
}

/// The initial number of slots, which take 16 KiB. With fewer slots, a small array with a few shared
/// values would grow the table repeatedly.
const FIRST_SLOTS: usize = 1024;

/// A map from the address of each shared allocation to the number of its context. It also counts
/// the handles to each allocation that the walk met outside shared memory.
#[derive(Debug, Default)]
struct AllocationTable {
    /// The number of slots is 0, or a power of two.
    slots: Box<[Slot]>,
    /// A hash shifted right by this number of bits is the index of a slot.
    shift: u32,
    len: usize,
}

/// An allocation. The address 0 marks a free slot.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    address: usize,
    context: ContextId,
    root_handles: u32,
}

impl AllocationTable {
    /// Returns the index at which the search for an address starts: the high bits of Fibonacci
    /// hashing, which depend on all bits of the address.
    #[inline]
    fn home(&self, address: usize) -> usize {
        address.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as usize) >> self.shift
    }

    #[inline]
    fn prefetch(&self, address: usize) {
        if !self.slots.is_empty() {
            prefetch((&raw const self.slots[0]).addr() + self.home(address) * size_of::<Slot>());
        }
    }

    /// Counts a handle to `address` if the table has this address. Returns whether it does.
    #[inline]
    fn count(&mut self, address: usize) -> bool {
        let Some(index) = self.index(address) else { return false };
        let slot = &mut self.slots[index];
        if slot.address != address {
            return false;
        }
        slot.root_handles = slot.root_handles.saturating_add(1);
        true
    }

    #[inline]
    fn find(&mut self, address: usize) -> Option<(Id<Context>, &mut u32)> {
        let index = self.index(address)?;
        let slot = &mut self.slots[index];
        let context = slot.context.filter(|_| slot.address == address)?;
        Some((context, &mut slot.root_handles))
    }

    /// The slot is free if the table lacks the address. Returns `None` if there are no slots.
    #[inline]
    fn index(&self, address: usize) -> Option<usize> {
        let last = self.slots.len().checked_sub(1)?;
        let mut index = self.home(address) & last;
        while self.slots[index].address != address && self.slots[index].address != 0 {
            index = (index + 1) & last;
        }
        Some(index)
    }

    /// If the table already has an allocation at `address`, returns its number and count.
    fn find_or_insert(
        &mut self,
        address: usize,
        context: Id<Context>,
        root_handles: u32,
    ) -> Option<(Id<Context>, &mut u32)> {
        if 2 * (self.len + 1) > self.slots.len() {
            self.grow(2 * self.slots.len());
        }
        let index = self.index(address)?;
        let slot = &mut self.slots[index];
        if let Some(known) = slot.context {
            return Some((known, &mut slot.root_handles));
        }
        *slot = Slot { address, context: Some(context), root_handles };
        self.len += 1;
        None
    }

    /// Reserves slots for more allocations at once, instead of doubling the table repeatedly.
    fn reserve(&mut self, allocations: usize) {
        let slots = (2 * (self.len + allocations)).next_power_of_two();
        if allocations != 0 && slots > self.slots.len() {
            self.grow(slots);
        }
    }

    #[cold]
    fn grow(&mut self, slots: usize) {
        let slots = slots.max(FIRST_SLOTS);
        self.shift = usize::BITS - slots.trailing_zeros();
        let old = core::mem::replace(&mut self.slots, vec![Slot::default(); slots].into());
        for slot in old.into_iter().filter(|slot| slot.address != 0) {
            if let Some(index) = self.index(slot.address) {
                self.slots[index] = slot;
            }
        }
    }

    /// Returns the number of handles met outside shared memory, for each context.
    fn root_handles(&self, contexts: usize) -> PerContext<u32> {
        let mut handles = PerContext::from(vec![0; contexts]);
        for slot in &self.slots {
            if let Some(context) = slot.context {
                handles[context] = slot.root_handles;
            }
        }
        handles
    }
}

/// The fate of a context when the root is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Freed,
    /// A handle outside the root keeps the context, directly or through other contexts.
    Held,
    /// Only handles in a cycle keep the context.
    Leaked,
}

#[derive(Debug)]
struct Ownership {
    fates: PerContext<Fate>,
    handles: PerContext<u64>,
    /// False if a number of handles is unknown or changed during the walk.
    is_certain: bool,
}

impl Ownership {
    /// Returns the fates of `contexts`, from the number of the root's handles to each context and
    /// the handles inside contexts, as pairs of the context that contains a handle and its target.
    fn new(contexts: &List<Context>, root_handles: PerContext<u32>, edges: &[Edge]) -> Self {
        let mut handles: PerContext<u64> = root_handles.0.into_iter().map(u64::from).collect();
        let mut is_certain = true;
        // The handles to each context that were not dropped yet.
        let mut left: PerContext<u64> = Vec::with_capacity(contexts.len()).into();
        for (context, &dropped) in contexts.0.iter().zip(&handles.0) {
            left.push(match context.kind {
                Kind::Shared { strong: 0 } => {
                    is_certain = false;
                    u64::MAX
                }
                Kind::Shared { strong } => u64::from(strong).saturating_sub(dropped),
                Kind::Value { in_context, .. } => in_context.into(),
                Kind::Target => u64::MAX,
                Kind::Weak { weak } => u64::from(weak).saturating_sub(dropped),
            });
        }
        for &(_, to) in edges {
            handles[to] += 1;
        }
        is_certain &= contexts.0.iter().zip(&handles.0).all(|(context, &met)| match context.kind {
            Kind::Shared { strong: count } | Kind::Weak { weak: count } => {
                count == 0 || met <= count.into()
            }
            Kind::Value { .. } | Kind::Target => true,
        });
        let targets = Targets::new(contexts.len(), edges.iter().copied());
        let mut fates = PerContext::from(vec![Fate::Leaked; contexts.len()]);
        let mut found: Vec<Id<Context>> =
            left.numbered().filter(|(_, left)| **left == 0).map(|(id, _)| id).collect();
        while let Some(context) = found.pop() {
            fates[context] = Fate::Freed;
            for &target in targets.of(context) {
                let left = &mut left[target];
                if *left != 0 && *left != u64::MAX {
                    *left -= 1;
                    if *left == 0 {
                        found.push(target);
                    }
                }
            }
        }
        // Handles inside contexts that are not freed.
        let mut inside = PerContext::from(vec![0_u64; contexts.len()]);
        for &(from, to) in edges {
            inside[to] += u64::from(fates[from] != Fate::Freed);
        }
        let held = left.numbered().zip(&inside.0).filter(|((_, left), inside)| left > inside);
        found.extend(held.map(|((id, _), _)| id));
        while let Some(context) = found.pop() {
            if core::mem::replace(&mut fates[context], Fate::Held) == Fate::Leaked {
                let targets = targets.of(context).iter().copied();
                found.extend(targets.filter(|&target| fates[target] == Fate::Leaked));
            }
        }
        Self { fates, handles, is_certain }
    }
}

/// The targets of each vertex of a graph, in one list.
struct Targets<V, T> {
    targets: Vec<T>,
    /// The start of each vertex's targets, which end where those of the next vertex start. The last
    /// element is the end of all targets.
    starts: List<u32, V>,
}

impl<V: Number, T: Number> Targets<V, T> {
    /// `edges` are pairs of a vertex and its target.
    fn new(vertices: usize, edges: impl ExactSizeIterator<Item = (V, T)> + Clone) -> Self {
        let mut starts = List::<u32, V>::from(vec![0; vertices + 1]);
        for (from, _) in edges.clone() {
            starts[from] += 1;
        }
        let mut end = 0;
        for start in &mut starts.0 {
            end += *start;
            *start = end;
        }
        // Each start is now the end of the vertex's targets, so this fills each list backwards.
        let mut targets = vec![T::at(0); edges.len()];
        for (from, to) in edges {
            let slot = &mut starts[from];
            *slot -= 1;
            targets[*slot as usize] = to;
        }
        Self { targets, starts }
    }

    fn of(&self, vertex: V) -> &[T] {
        let (start, end) = (self.starts[vertex], self.starts.0[vertex.index() + 1]);
        &self.targets[start as usize..end as usize]
    }
}

#[cfg(test)]
mod tests;
