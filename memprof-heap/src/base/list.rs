//! A lock-free list of nodes that threads take, hand back and append. No node is ever removed.
#![expect(unsafe_code, reason = "nodes outlive the threads that use them")]

use crate::base::sync::Ordering::{Acquire, Relaxed, Release};
use crate::base::sync::{AtomicPtr, AtomicU32};
use core::ptr;

/// All nodes, the newest first.
pub(crate) struct List<T: 'static> {
    pub(crate) first: AtomicPtr<T>,
}

/// The fields that a node needs to be in a list.
#[repr(C)]
pub(crate) struct Link<T: 'static> {
    pub(crate) state: AtomicU32,
    pub(crate) next: AtomicPtr<T>,
}

pub(crate) trait Linked: Sized + 'static {
    fn link(&self) -> &Link<Self>;
}

pub(crate) const FREE: u32 = 0;
/// The first state of a node that its creator keeps for itself.
pub(crate) const TAKEN: u32 = 1;

impl<T: Linked> List<T> {
    /// Takes a free node for the caller. All that its earlier owners wrote is visible.
    pub(crate) fn take(&self) -> Option<&'static T> {
        self.all().find(|place| place.link().take())
    }

    /// Appends a node, which the caller continues to own.
    pub(crate) fn add(&self, place: &'static T) {
        let mut first = self.first.load(Relaxed);
        loop {
            place.link().next.store(first, Relaxed);
            let this = ptr::from_ref(place).cast_mut();
            match self.first.compare_exchange_weak(first, this, Release, Relaxed) {
                Ok(_) => return,
                Err(other) => first = other,
            }
        }
    }

    /// Returns all nodes, taken or free.
    pub(crate) fn all(&self) -> impl Iterator<Item = &'static T> + use<T> {
        let mut next = self.first.load(Acquire).cast_const();
        core::iter::from_fn(move || {
            // SAFETY: null, or a node of the list, which is never freed.
            let place = unsafe { next.as_ref() }?;
            // Written before `first` published the node, and not since.
            next = place.link().next.load(Relaxed);
            Some(place)
        })
    }
}

impl<T> Link<T> {
    /// Takes the node, and makes all that its earlier owners wrote visible. Returns false if the
    /// node is taken.
    pub(crate) fn take(&self) -> bool {
        self.state.load(Relaxed) == FREE
            && self.state.compare_exchange(FREE, TAKEN, Acquire, Relaxed).is_ok()
    }

    /// Hands the node back. Its next owner sees all that was written.
    pub(crate) fn hand_back(&self) {
        self.state.store(FREE, Release);
    }

    /// Returns true if the node is taken now.
    pub(crate) fn is_taken(&self) -> bool {
        self.state.load(Relaxed) == TAKEN
    }
}
