//! A list of places that threads take, hand back and append; none is ever removed.
#![expect(unsafe_code, reason = "places outlive those who have them")]

use crate::base::sync::Ordering::{Acquire, Relaxed, Release};
use crate::base::sync::{AtomicPtr, AtomicU32};
use core::ptr;

/// All places, the newest first.
pub(crate) struct List<T: 'static> {
    pub(crate) first: AtomicPtr<T>,
}

/// What a place needs to be in a list.
#[repr(C)]
pub(crate) struct Link<T: 'static> {
    pub(crate) state: AtomicU32,
    pub(crate) next: AtomicPtr<T>,
}

pub(crate) trait Linked: Sized + 'static {
    fn link(&self) -> &Link<Self>;
}

pub(crate) const FREE: u32 = 0;
/// So a place begins that belongs to who makes it.
pub(crate) const TAKEN: u32 = 1;

impl<T: Linked> List<T> {
    /// A place that nobody had, now the caller's, with all that was written by those before.
    pub(crate) fn take(&self) -> Option<&'static T> {
        self.all().find(|place| place.link().take())
    }

    /// Appends a place, which stays the caller's.
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

    /// All places, taken or not.
    pub(crate) fn all(&self) -> impl Iterator<Item = &'static T> + use<T> {
        let mut next = self.first.load(Acquire).cast_const();
        core::iter::from_fn(move || {
            // SAFETY: null, or a place of the list, which is never freed.
            let place = unsafe { next.as_ref() }?;
            // Written before `first` showed the place, and not since.
            next = place.link().next.load(Relaxed);
            Some(place)
        })
    }
}

impl<T> Link<T> {
    /// Takes the place, with all that was written by those before; false if somebody has it.
    pub(crate) fn take(&self) -> bool {
        self.state.load(Relaxed) == FREE
            && self.state.compare_exchange(FREE, TAKEN, Acquire, Relaxed).is_ok()
    }

    /// Hands the place back: the next one who takes it sees what was written.
    pub(crate) fn hand_back(&self) {
        self.state.store(FREE, Release);
    }

    /// Whether somebody has the place now.
    pub(crate) fn is_taken(&self) -> bool {
        self.state.load(Relaxed) == TAKEN
    }
}
