//! Shared allocations: each is counted once, and the handles to it are recorded.

mod batch;
mod equal;
mod ownership;
mod policy;
mod table;

#[cfg(test)]
mod tests;

pub(crate) use batch::{BATCH, Batch, Unresolved};
use core::ops::AddAssign;
pub(crate) use equal::{Duplicates, Equal};
use ownership::OwnershipGraph;
pub(crate) use policy::Apart;
pub use policy::SharingPolicy;
use table::AllocationTable;

/// The context of memory that only the root owns.
pub(crate) const ROOT: u32 = 0;

/// The context of the memory that a drawn element owns alone.
pub(crate) const DRAWN: u32 = 1;

/// The shared allocations met in a walk, and the handles to them. Each such allocation is a
/// context.
///
/// Every context has a number from 1 up, and 0 is the memory that only the root owns.
/// [`Context::own`] counts the bytes added while the context is the current one, so it excludes
/// nested contexts. All totals of a profile are computed from these numbers at the end, and do not
/// depend on the order of the walk.
#[derive(Debug, Default)]
pub(crate) struct Sharing {
    table: AllocationTable,
    contexts: Vec<Context>,
    /// Handles inside shared memory, as pairs: the context that contains the handle, and the
    /// handle's target.
    edges: Vec<(u32, u32)>,
    /// True if some contexts are values that are checked for equality.
    has_values: bool,
    context: u32,
    /// Bytes added to the current context since the last switch. This is 0 while the current
    /// context is the root.
    current: u64,
}

#[derive(Debug)]
struct Context {
    own: u64,
    strong: u32,
    kind: ContextKind,
}

/// The kind of a context. Some contexts are not shared allocations but values that are checked for
/// equality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ContextKind {
    Shared,
    /// A value inside a shared allocation.
    ValueInShared,
    /// A value that only the root owns, possibly inside another such value.
    Value,
}

/// The totals of the shared allocations in one profile.
///
/// They exclude allocations with a single handle, which are not shared. They include allocations
/// that only `Weak` handles keep, because the number of those handles is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shared {
    /// The number of shared allocations, which have more than one handle.
    pub allocations: u64,
    /// The number of handles to these allocations that the walk met.
    pub handles: u64,
    /// The bytes of these allocations, each counted once.
    pub bytes: u64,
    /// The bytes of the whole profile if every handle had its own copy. In a cycle of handles, the
    /// handle that closes the cycle adds no copy.
    pub bytes_if_unshared: u64,
    /// The bytes that would remain if the root were dropped, because a handle exists that the walk
    /// did not meet. That handle is outside the root, or in opaque contents if the profile is not
    /// exact.
    pub externally_held_bytes: u64,
}

impl AddAssign for Shared {
    fn add_assign(&mut self, more: Self) {
        let Self { allocations, handles, bytes, bytes_if_unshared, externally_held_bytes } = more;
        for (sum, more) in [
            (&mut self.allocations, allocations),
            (&mut self.handles, handles),
            (&mut self.bytes, bytes),
            (&mut self.bytes_if_unshared, bytes_if_unshared),
            (&mut self.externally_held_bytes, externally_held_bytes),
        ] {
            *sum = sum.saturating_add(more);
        }
    }
}

impl Sharing {
    /// Returns the number of contexts.
    pub(crate) fn len(&self) -> usize {
        self.contexts.len()
    }

    /// Forgets everything, and begins the draw of an element. The memory that the element owns is a
    /// context too, so that every handle is an edge.
    pub(crate) fn begin_draw(&mut self) {
        if self.contexts.len() > 1 {
            *self = Self::default();
        }
        self.contexts.clear();
        self.contexts.push(Context { own: 0, strong: 1, kind: ContextKind::Value });
        (self.context, self.current) = (DRAWN, 0);
    }

    /// Returns the number of handles that the current draw met.
    pub(crate) fn drawn_handles(&self) -> usize {
        self.edges.len()
    }

    /// Returns for each context the part that counts in the current draw. Each handle accounts for
    /// an equal share of its allocation. `factors` has the number of handles that each handle of
    /// the draw represents.
    pub(crate) fn parts(&self, factors: &[f64]) -> Vec<f64> {
        let root_handles = vec![0; self.contexts.len()];
        let ownership = OwnershipGraph::new(&self.contexts, root_handles, &self.edges);
        ownership.parts(&self.edges, factors)
    }

    /// Returns the bytes of all contexts except the first `len`. Returns 0 if the walk met every
    /// handle to these contexts, because no unvisited value can then lead to one of them.
    pub(crate) fn movable_bytes(&self, len: usize) -> u64 {
        let mut handles = self.table.root_handles(self.contexts.len());
        for &(_, to) in &self.edges {
            let handles = &mut handles[to as usize];
            *handles = handles.saturating_add(1);
        }
        let later = self.contexts.iter().zip(&handles[1..]).skip(len);
        let is_held_elsewhere = |(context, &met): (&Context, &u32)| {
            context.strong == 0 || context.kind == ContextKind::Shared && met < context.strong
        };
        if !later.clone().any(is_held_elsewhere) {
            return 0;
        }
        later.map(|(context, _)| context.own).fold(0, u64::saturating_add)
    }

    /// Returns whether an allocation is known, without counting a handle to it.
    pub(crate) fn is_known(&mut self, address: usize) -> bool {
        self.table.find(address).is_some()
    }

    pub(crate) fn context(&self) -> u32 {
        self.context
    }

    /// Makes the root the current context, in which added bytes count nowhere. Returns the context
    /// to pass to [`resume`](Self::resume), until which no other context may become the current one.
    #[inline]
    pub(crate) fn pause(&mut self) -> u32 {
        core::mem::replace(&mut self.context, ROOT)
    }

    /// Ends a pause.
    #[inline]
    pub(crate) fn resume(&mut self, context: u32) {
        self.context = context;
    }

    /// Adds bytes to the current context.
    ///
    /// If the current context is the root, this function stores nothing. If every leaf added to one
    /// sum, the stores would depend on each other and take longer than the rest of the walk.
    #[inline]
    pub(crate) fn add(&mut self, bytes: usize) {
        self.add_bytes(bytes as u64);
    }

    /// Adds bytes to the current context like [`add`](Self::add).
    #[inline]
    pub(crate) fn add_bytes(&mut self, bytes: u64) {
        if self.context != ROOT {
            self.current = self.current.saturating_add(bytes);
        }
    }

    /// Counts handles to known allocations and returns the indices of the other handles.
    #[inline(never)]
    pub(crate) fn record_handles(&mut self, mut batch: Batch) -> Unresolved {
        if self.context == ROOT {
            self.table.count_known(&mut batch);
        } else {
            batch.filter_unknown(|address, _| !self.record_handle(address));
        }
        batch.into_unresolved()
    }

    /// Reserves capacity for `contexts` more contexts, at most for about a million because the
    /// number is a guess.
    pub(crate) fn reserve(&mut self, contexts: usize) {
        let contexts = contexts.min(1 << 20);
        self.table.reserve(contexts);
        self.contexts.reserve(contexts);
    }

    /// Counts a handle to `address` if the context is the root and the address is in its home
    /// group. Returns whether it did. With few shared allocations this is the common case.
    #[inline]
    pub(crate) fn record_handle_fast(&mut self, address: usize) -> bool {
        self.context == ROOT && self.table.count_in_home_group(address)
    }

    /// Counts a handle to `address` if the address is known, and returns whether it is known.
    pub(crate) fn record_handle(&mut self, address: usize) -> bool {
        let Some((context, root_handles)) = self.table.find(address) else { return false };
        if self.context == ROOT {
            *root_handles = root_handles.saturating_add(1);
        } else {
            self.edges.push((self.context, context));
        }
        true
    }

    /// Adds a shared allocation with a first handle from the current context, and makes the
    /// allocation the current context. If the allocation is already known, only counts the handle
    /// and returns `None`.
    #[inline]
    pub(crate) fn enter(&mut self, address: usize, strong: usize) -> Option<u32> {
        let (outer, new) = (self.context, self.contexts.len() as u32 + 1);
        let known = self.table.find_or_insert(address, new, u32::from(outer == ROOT));
        let context = known.as_ref().map_or(new, |known| known.0);
        if outer != ROOT {
            self.edges.push((outer, context));
        } else if let Some((_, root_handles)) = known {
            *root_handles = root_handles.saturating_add(1);
        }
        if context != new {
            return None;
        }
        let strong = u32::try_from(strong).unwrap_or(u32::MAX);
        self.contexts.push(Context { own: 0, strong, kind: ContextKind::Shared });
        Some(self.switch(context))
    }

    /// Makes a value a context of its own. Returns that context and the previous one.
    pub(crate) fn enter_value(&mut self) -> (u32, u32) {
        self.enter_context_of_value(1)
    }

    /// Makes the target of a reference a context of its own. The number of references to it is
    /// unknown. Returns the previous context.
    pub(crate) fn enter_target(&mut self) -> u32 {
        self.enter_context_of_value(0).1
    }

    fn enter_context_of_value(&mut self, strong: u32) -> (u32, u32) {
        let outer = self.context;
        let kind = match outer.checked_sub(1).map(|outer| self.contexts[outer as usize].kind) {
            None | Some(ContextKind::Value) => ContextKind::Value,
            Some(ContextKind::Shared | ContextKind::ValueInShared) => ContextKind::ValueInShared,
        };
        self.has_values = true;
        self.contexts.push(Context { own: 0, strong, kind });
        let context = self.contexts.len() as u32;
        if outer != ROOT {
            self.edges.push((outer, context));
        }
        (context, self.switch(context))
    }

    /// Returns the bytes added while a context was the current one.
    fn own_bytes(&self, context: u32) -> u64 {
        self.contexts[context as usize - 1].own
    }

    /// Makes `context` the current one and returns the previous one.
    #[inline]
    pub(crate) fn switch(&mut self, context: u32) -> u32 {
        let outer = core::mem::replace(&mut self.context, context);
        let bytes = core::mem::take(&mut self.current);
        if outer != ROOT {
            self.contexts[outer as usize - 1].own =
                self.contexts[outer as usize - 1].own.saturating_add(bytes);
        }
        outer
    }

    /// Computes the totals of a walk that found `total` bytes.
    pub(crate) fn totals(&self, total: u64) -> Shared {
        let mut totals = Totals::default();
        let root_handles = self.table.root_handles(self.contexts.len());
        if self.edges.is_empty() && !self.has_values {
            for (context, &handles) in self.contexts.iter().zip(&root_handles[1..]) {
                totals.add(context, handles.into(), handles.into(), handles < context.strong);
            }
        } else {
            let ownership = OwnershipGraph::new(
                &self.contexts,
                self.with_value_handles(&root_handles[1..]),
                &self.edges,
            );
            let (copies, externally_held) = (ownership.copies(), ownership.externally_held());
            for (index, context) in self.contexts.iter().enumerate() {
                totals.add(
                    context,
                    ownership.handles[index],
                    copies[index],
                    externally_held[index],
                );
            }
        }
        let alone = total.saturating_sub(totals.in_contexts);
        Shared {
            bytes_if_unshared: alone.saturating_add(totals.shared.bytes_if_unshared),
            ..totals.shared
        }
    }

    /// Returns, for each context, the number of handles to it that lie in memory that only the root
    /// owns. A value that is in no other context counts as having one handle.
    fn with_value_handles(&self, root_handles: &[u32]) -> Vec<u64> {
        let is_value = |context: &Context| u64::from(context.kind == ContextKind::Value);
        let mut handles: Vec<u64> = self.contexts.iter().map(is_value).collect();
        for &(_, to) in &self.edges {
            handles[to as usize - 1] = 0;
        }
        for (handles, &met) in handles.iter_mut().zip(root_handles) {
            *handles += u64::from(met);
        }
        handles
    }
}

/// Sums over all contexts.
#[derive(Default)]
struct Totals {
    /// The totals, without memory outside the contexts.
    shared: Shared,
    /// The bytes of all contexts.
    in_contexts: u64,
}

impl Totals {
    #[inline]
    fn add(&mut self, context: &Context, handles: u64, copies: u64, externally_held: bool) {
        let Self { shared, in_contexts } = self;
        *in_contexts = in_contexts.saturating_add(context.own);
        if context.kind != ContextKind::Value {
            shared.bytes = shared.bytes.saturating_add(context.own);
        }
        if context.kind == ContextKind::Shared {
            shared.allocations += 1;
            shared.handles += handles;
        }
        let unshared = context.own.saturating_mul(copies);
        shared.bytes_if_unshared = shared.bytes_if_unshared.saturating_add(unshared);
        if externally_held {
            shared.externally_held_bytes = shared.externally_held_bytes.saturating_add(context.own);
        }
    }
}
