//! Allocations that weak handles keep.
//!
//! When the last owning handle is dropped, what the value owns is freed. Its allocation, with the
//! counts and the value's own bytes, stays until the last weak handle is dropped. So these bytes are
//! a context of their own: the weak handles lead to it, and the value, because all owning handles
//! together count as one weak handle. Reference counting then shows when they are freed, too, if the
//! only weak handles are inside the allocation, or in the value's children.
//!
//! In most trees, the weak handles to a node are in its children, and so in the same context. Such
//! an allocation is freed with that context. The walk forgets it at the last of these handles,
//! usually soon, so it needs no context of its own and the table stays small. With a context for each
//! allocation, and each handle in one table, the profile of 200,000 nodes took 2.5 times as long.

use super::holders::Handle;
use super::{Context, ContextId, Kind, PerContext, Sharing};
use crate::list::Id;
use crate::shape::NodeId;
use core::hash::{BuildHasherDefault, Hasher};
use std::collections::HashMap;

#[derive(Debug, Default)]
pub(super) struct WeakHandles {
    /// The allocations of which the walk has not met all handles, by address.
    allocations: HashMap<usize, Allocation, BuildHasherDefault<AddressHasher>>,
    /// The last of them, which is not in the map yet, because most handles are in its children.
    last: Option<(usize, Allocation)>,
    /// The handles that their allocations do not count.
    handles: Vec<WeakHandle>,
}

/// An allocation whose value is alive.
#[derive(Debug)]
struct Allocation {
    bytes: usize,
    /// The context in which the bytes count while the value is alive.
    counts_in: ContextId,
    /// The number of weak handles, and one for all owning handles.
    handles: u32,
    /// How many of them the walk met in the same context.
    met: u32,
    /// The index in [`Sharing::kept_by_weak`] at the end.
    kept: u32,
}

#[derive(Debug)]
struct WeakHandle {
    address: usize,
    from: ContextId,
    node: NodeId,
}

#[derive(Debug)]
pub(super) struct KeptByWeak {
    pub(super) id: Id<Context>,
    /// The context in which the bytes count while the value is alive.
    pub(super) counts_in: ContextId,
    bytes: u64,
    root_handles: u32,
}

/// Hashes addresses of allocations, and hashes, faster than the usual hasher.
#[derive(Debug, Default)]
pub(crate) struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_usize(byte.into());
        }
    }

    fn write_usize(&mut self, address: usize) {
        let mixed = (self.0 ^ address as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // The low bits choose the bucket.
        self.0 = mixed ^ (mixed >> 32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Sharing {
    /// The current context is that of the allocation's value.
    pub(crate) fn keep_by_weak(&mut self, address: usize, weak: usize, bytes: usize, node: NodeId) {
        let handles = u32::try_from(weak).unwrap_or(u32::MAX).saturating_add(1);
        let counts_in = self.context;
        // The value's own handle is in the same context.
        let met = u32::from(self.trace.is_none());
        let new = Allocation { bytes, counts_in, handles, met, kept: 0 };
        if let Some((address, last)) = self.weak.last.replace((address, new)) {
            self.weak.allocations.insert(address, last);
        }
        if self.trace.is_some() {
            self.weak_handle(address, node);
        }
    }

    pub(crate) fn weak_handle(&mut self, address: usize, node: NodeId) {
        let (from, all) = (self.context, &mut self.weak);
        let last = all.last.as_mut().filter(|last| last.0 == address).map(|last| &mut last.1);
        let is_last = last.is_some();
        let found = last.or_else(|| all.allocations.get_mut(&address));
        // A walk that keeps its handles needs the node of each of them.
        let found = found.filter(|found| found.counts_in == from && self.trace.is_none());
        if let Some(found) = found {
            found.met += 1;
            if found.met == found.handles {
                if is_last {
                    all.last = None;
                } else {
                    all.allocations.remove(&address);
                }
            }
        } else {
            all.handles.push(WeakHandle { address, from, node });
            let handles = all.handles.len();
            self.limit_trace(handles);
        }
    }

    /// Makes each allocation that handles may keep longer than its value a context of its own.
    pub(crate) fn end_weak_handles(&mut self) {
        let WeakHandles { mut allocations, last, handles } = core::mem::take(&mut self.weak);
        allocations.extend(last);
        self.contexts.0.reserve(allocations.len());
        self.kept_by_weak.reserve(allocations.len());
        for allocation in allocations.values_mut() {
            let &mut Allocation { bytes, counts_in, handles, met, ref mut kept } = allocation;
            let id = self.contexts.push(Context { own: 0, kind: Kind::Weak { weak: handles } });
            *kept = self.kept_by_weak.len() as u32;
            let bytes = bytes as u64;
            self.kept_by_weak.push(KeptByWeak { id, counts_in, bytes, root_handles: 0 });
            for _ in 0..met {
                self.add_weak_handle(*kept, counts_in);
            }
        }
        // Other handles lead to values outside the root.
        for WeakHandle { address, from, node } in handles {
            let Some(allocation) = allocations.get(&address) else { continue };
            let to = self.add_weak_handle(allocation.kept, from);
            self.keep_weak_handle(Handle { from, to, node });
        }
    }

    fn add_weak_handle(&mut self, kept: u32, from: ContextId) -> Id<Context> {
        let kept = &mut self.kept_by_weak[kept as usize];
        match from {
            None => kept.root_handles = kept.root_handles.saturating_add(1),
            Some(from) => self.edges.push((from, kept.id)),
        }
        kept.id
    }

    /// Returns the number of handles met outside shared memory, for each context.
    pub(super) fn root_handles(&self) -> PerContext<u32> {
        let mut handles = self.table.root_handles(self.len());
        for kept in &self.kept_by_weak {
            handles[kept.id] = kept.root_handles;
        }
        handles
    }

    /// Returns the bytes of each context, of which those that weak handles keep are only in their own
    /// contexts.
    pub(super) fn own_by_fate(&self) -> PerContext<u64> {
        let mut own: PerContext<u64> = self.contexts.0.iter().map(|context| context.own).collect();
        for kept in &self.kept_by_weak {
            if let Some(context) = kept.counts_in {
                own[context] = own[context].saturating_sub(kept.bytes);
            }
            own[kept.id] = kept.bytes;
        }
        own
    }
}
