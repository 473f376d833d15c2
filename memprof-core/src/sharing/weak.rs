//! Allocations that weak handles keep.
//!
//! When the last owning handle is dropped, what the value owns is freed. Its allocation, with the
//! counts and the value's own bytes, stays until the last weak handle is dropped. So these bytes are
//! a context of their own: the weak handles lead to it, and the value, because all owning handles
//! together count as one weak handle. Reference counting then shows when they are freed, too, if the
//! only weak handles are inside the allocation, or in the value's children.

use super::holders::Handle;
use super::{Context, ContextId, Kind, PerContext, Sharing};
use crate::list::Id;
use crate::shape::NodeId;

#[derive(Debug)]
pub(super) struct KeptByWeak {
    pub(super) id: Id<Context>,
    /// The context in which the bytes count while the value is alive.
    pub(super) counts_in: ContextId,
    bytes: u64,
}

impl Sharing {
    /// The current context is that of the allocation's value.
    pub(crate) fn keep_by_weak(&mut self, address: usize, weak: usize, bytes: usize, node: NodeId) {
        let id = self.weak_handle(address, node);
        let weak = u32::try_from(weak).unwrap_or(u32::MAX).saturating_add(1);
        self.contexts[id].kind = Kind::Weak { weak };
        let counts_in = self.context;
        self.kept_by_weak.push(KeptByWeak { id, counts_in, bytes: bytes as u64 });
    }

    /// Returns the context of what the weak handles keep.
    pub(crate) fn weak_handle(&mut self, address: usize, node: NodeId) -> Id<Context> {
        // The allocation has the address before, which is even.
        let address = address.wrapping_add(1);
        let (from, new) = (self.context, self.contexts.next());
        let known = self.table.find_or_insert(address, new, u32::from(from.is_none()));
        let to = match known {
            None => self.contexts.push(Context { own: 0, kind: Kind::Weak { weak: 0 } }),
            Some((known, root_handles)) => {
                *root_handles = root_handles.saturating_add(u32::from(from.is_none()));
                known
            }
        };
        if let Some(from) = from {
            self.edges.push((from, to));
        }
        self.keep_weak_handle(Handle { from, to, node });
        to
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
