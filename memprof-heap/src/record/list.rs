//! A lock-free list of nodes that threads acquire, release and append. No node is ever removed.
#![expect(unsafe_code, reason = "nodes outlive the threads that use them")]

use crate::record::sync::Ordering::{Acquire, Relaxed, Release};
use crate::record::sync::{AtomicPtr, AtomicU32};
use core::ptr;

pub(crate) struct List<T: 'static> {
    pub first: AtomicPtr<T>,
}

#[repr(C)]
pub(crate) struct Link<T: 'static> {
    /// `FREE`, or a number above 0 that its owner chose.
    pub owner: AtomicU32,
    pub next: AtomicPtr<T>,
}

pub(crate) trait Linked: Sized + 'static {
    fn link(&self) -> &Link<Self>;
}

pub(crate) const FREE: u32 = 0;
/// The owner of a node that no thread reclaims.
pub(crate) const OWNED: u32 = 1;
/// A fork left the thread behind, maybe while it changed the node, so no thread acquires it.
pub(crate) const LEFT_BEHIND: u32 = u32::MAX;

impl<T: Linked> List<T> {
    /// Acquires a free node for the caller. All that its earlier owners wrote is visible.
    pub(crate) fn acquire(&self, owner: u32) -> Option<&'static T> {
        self.all().find(|node| node.link().acquire(owner))
    }

    pub(crate) fn add(&self, node: &'static T) {
        let mut first = self.first.load(Relaxed);
        loop {
            node.link().next.store(first, Relaxed);
            let this = ptr::from_ref(node).cast_mut();
            match self.first.compare_exchange_weak(first, this, Release, Relaxed) {
                Ok(_) => return,
                Err(other) => first = other,
            }
        }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &'static T> + use<T> {
        let mut next = self.first.load(Acquire).cast_const();
        core::iter::from_fn(move || {
            // SAFETY: `next` is null or points to a node of the list. Nodes are never freed.
            let node = unsafe { next.as_ref() }?;
            // Written before `first` published the node, and not since.
            next = node.link().next.load(Relaxed);
            Some(node)
        })
    }
}

impl<T> Link<T> {
    /// All that the node's earlier owners wrote is visible. Returns false if the node is owned.
    pub(crate) fn acquire(&self, owner: u32) -> bool {
        self.replace_owner(|was| was == FREE, owner)
    }

    pub(crate) fn replace_owner(&self, is_replaced: impl Fn(u32) -> bool, owner: u32) -> bool {
        let was = self.owner.load(Relaxed);
        is_replaced(was) && self.owner.compare_exchange(was, owner, Acquire, Relaxed).is_ok()
    }

    /// Releases the node. Its next owner sees all that was written.
    pub(crate) fn release(&self) {
        self.owner.store(FREE, Release);
    }

    pub(crate) fn is_owned(&self) -> bool {
        ![FREE, LEFT_BEHIND].contains(&self.owner.load(Relaxed))
    }
}
