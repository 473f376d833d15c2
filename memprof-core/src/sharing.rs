//! Shared allocations: each is counted once, and the handles to it are recorded.

mod equal;
mod ownership;
mod table;

#[cfg(test)]
mod tests;

use core::ops::AddAssign;
pub(crate) use equal::Equal;
use ownership::{Fate, Ownership};
use table::AllocationTable;

/// The context of memory that only the root owns.
pub(crate) const ROOT: u32 = 0;

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
    /// True if only the addresses are needed, because the walk computes the total alone.
    is_set: bool,
    context: u32,
    /// Bytes added to the current context since the last switch. This is 0 while the current
    /// context is the root.
    current: u64,
}

#[derive(Debug)]
struct Context {
    own: u64,
    kind: Kind,
}

/// The kind of a context.
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
    /// The bytes of the whole profile if every handle had a copy of its allocation alone, without
    /// copies of what that leads to.
    pub bytes_if_unshared: u64,
    /// The bytes that stay allocated when the root is dropped, because a handle that the walk did
    /// not meet keeps them alive, directly or through other allocations.
    pub externally_held_bytes: u64,
    /// The bytes that stay allocated when the root is dropped, because only handles in a cycle keep
    /// them alive. If the walk could not read everything, such bytes count as externally held.
    pub leaked_bytes: u64,
    /// True if `externally_held_bytes` is an upper bound: the walk could not read everything, or a
    /// number of handles is unknown or changed during the walk.
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

    /// Returns the number of contexts.
    pub(crate) fn len(&self) -> usize {
        self.contexts.len()
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
        let is_held_elsewhere = |(context, &met): (&Context, &u32)| match context.kind {
            Kind::Shared { strong } => strong == 0 || met < strong,
            Kind::Value { .. } => false,
            Kind::Target => true,
        };
        if !later.clone().any(is_held_elsewhere) {
            return 0;
        }
        later.map(|(context, _)| context.own).fold(0, u64::saturating_add)
    }

    /// Returns whether the root has a handle to shared memory.
    pub(crate) fn has_handles_of_root(&self) -> bool {
        self.table.root_handles(self.contexts.len()).iter().any(|&handles| handles != 0)
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
        if self.context != ROOT {
            self.current = self.current.saturating_add(bytes as u64);
        }
    }

    /// Reserves capacity for more allocations, at most for about a million because the number is a
    /// guess.
    pub(crate) fn reserve(&mut self, allocations: usize) {
        let allocations = allocations.min(1 << 20);
        self.table.reserve(allocations);
        if !self.is_set {
            self.contexts.reserve(allocations);
        }
    }

    /// Prefetches the memory that [`record_handle`](Self::record_handle) reads.
    #[inline]
    pub(crate) fn prefetch_handle(&self, address: usize) {
        self.table.prefetch(address);
    }

    /// Counts a handle to `address` like [`record_handle`](Self::record_handle), but only if the
    /// handle is not inside shared memory.
    #[inline]
    pub(crate) fn record_handle_of_root(&mut self, address: usize) -> bool {
        self.context == ROOT && self.table.count(address)
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
        if self.is_set {
            return known.is_none().then_some(ROOT);
        }
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
        self.contexts.push(Context { own: 0, kind: Kind::Shared { strong } });
        Some(self.switch(context))
    }

    /// Makes a value a context of its own. Returns that context and the previous one.
    pub(crate) fn enter_value(&mut self) -> (u32, u32) {
        let (in_context, in_shared) = match self.context.checked_sub(1) {
            None => (false, false),
            Some(outer) => match self.contexts[outer as usize].kind {
                Kind::Shared { .. } => (true, true),
                Kind::Value { in_shared, .. } => (true, in_shared),
                Kind::Target => (true, false),
            },
        };
        let outer = self.enter_kind(Kind::Value { in_context, in_shared });
        (self.context, outer)
    }

    /// Makes the target of a reference a context of its own. Returns the previous context.
    pub(crate) fn enter_target(&mut self) -> u32 {
        self.enter_kind(Kind::Target)
    }

    fn enter_kind(&mut self, kind: Kind) -> u32 {
        if self.is_set {
            return ROOT;
        }
        self.contexts.push(Context { own: 0, kind });
        let context = self.contexts.len() as u32;
        if self.context != ROOT {
            self.edges.push((self.context, context));
        }
        self.switch(context)
    }

    /// Returns the bytes added while a context was the current one.
    pub(crate) fn own_bytes(&self, context: u32) -> u64 {
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

    /// Computes the totals of a walk that found `total` bytes, and that read all contents if
    /// `is_complete` is true.
    pub(crate) fn totals(&self, total: u64, is_complete: bool) -> Shared {
        if self.contexts.is_empty() {
            return Shared { bytes_if_unshared: total, ..Shared::default() };
        }
        let root_handles = self.table.root_handles(self.contexts.len());
        let Ownership { fates, handles, is_certain } =
            Ownership::new(&self.contexts, &root_handles[1..], &self.edges);
        let mut shared = Shared {
            bytes_if_unshared: total,
            is_upper_bound: !(is_complete && is_certain),
            ..Shared::default()
        };
        let add = |sum: &mut u64, bytes: u64| *sum = sum.saturating_add(bytes);
        // A value is copied with the context around it, which was entered before.
        let mut copies: Vec<u64> =
            handles.iter().map(|&handles| handles.saturating_sub(1)).collect();
        for &(from, to) in &self.edges {
            if let Kind::Value { .. } = self.contexts[to as usize - 1].kind {
                copies[to as usize - 1] = copies[from as usize - 1];
            }
        }
        for (index, (context, fate)) in self.contexts.iter().zip(fates).enumerate() {
            if let Kind::Shared { .. } = context.kind {
                shared.allocations += 1;
                shared.handles += handles[index];
            }
            add(&mut shared.bytes_if_unshared, context.own.saturating_mul(copies[index]));
            if matches!(context.kind, Kind::Shared { .. } | Kind::Value { in_shared: true, .. }) {
                add(&mut shared.bytes, context.own);
            }
            match fate {
                Fate::Freed => {}
                Fate::Leaked if !shared.is_upper_bound => {
                    add(&mut shared.leaked_bytes, context.own);
                }
                Fate::Leaked | Fate::Held => add(&mut shared.externally_held_bytes, context.own),
            }
        }
        shared
    }
}
