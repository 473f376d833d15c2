//! Values that the walk visits later: references of any type, and guards that keep their targets
//! accessible.
//!
//! A walk has a work list, so that its stack stays shallow. A value behind a guard can only wait on
//! this list while the guard lives. Earlier, each guard got a walk of its own, whose list was
//! drained before the guard was dropped. That recursed once for each nested guard, so a walk gave up
//! behind 128 of them, and lost the memory there. Now a guard joins the work list, below the values
//! that wait behind it, and is dropped when they are visited.

use crate::shape::Position;
use crate::walk::Walk;
use core::mem::MaybeUninit;
use core::ops::Deref;
use core::ptr::NonNull;
use std::cell::Ref;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{MutexGuard, RwLockReadGuard};

/// The words of any reference: an address, and the length of a slice or the address of a vtable.
type Words = MaybeUninit<[*const (); 2]>;

pub(crate) trait Visit<T: ?Sized> {
    fn visit<'a>(value: &'a T, walk: &mut Walk<'a>, at: Position);
}

/// A reference with the function that visits its target.
///
/// A `dyn` reference cannot replace this type, because the target may be unsized. A vtable would
/// also make the compiler emit drop code for every type, which doubles the compile time of derived
/// code.
#[derive(Clone, Copy)]
pub(crate) struct Deferred<'a> {
    words: Words,
    visit: unsafe fn(Words, &mut Walk<'a>, Position),
}

impl<'a> Deferred<'a> {
    #[inline]
    pub(crate) fn new<V: Visit<T>, T: ?Sized>(value: &'a T) -> Self {
        const { assert!(size_of::<&T>() <= size_of::<Words>(), "a reference has one or two words") }
        let mut words = Words::uninit();
        // SAFETY: a reference fits into the words, as the assertion above checks, and its alignment
        // is that of a pointer.
        unsafe { words.as_mut_ptr().cast::<&'a T>().write(value) };
        Self { words, visit: visit_words::<V, T> }
    }

    pub(crate) fn visit(self, walk: &mut Walk<'a>, at: Position) {
        // SAFETY: `new` wrote the words of a `&'a T`, and `visit` is `visit_words` of the same `T`.
        unsafe { (self.visit)(self.words, walk, at) }
    }
}

/// Visits the target of a reference.
///
/// # Safety
/// The words contain a `&'a T`.
unsafe fn visit_words<'a, V: Visit<T>, T: ?Sized + 'a>(
    words: Words,
    walk: &mut Walk<'a>,
    at: Position,
) {
    // SAFETY: the caller guarantees that a `&'a T` is in the words.
    let value = unsafe { words.as_ptr().cast::<&'a T>().read() };
    V::visit(value, walk, at);
}

/// A guard whose target stays where it is when the guard moves.
///
/// # Safety
/// Moving the guard must neither move its target nor end the access to it.
pub(crate) unsafe trait StableGuard: Deref {
    /// True if dropping the guard during a panic poisons its lock.
    const POISONS: bool;
}

// SAFETY: the target is in the cell, and not in the guard.
unsafe impl<T: ?Sized> StableGuard for Ref<'_, T> {
    const POISONS: bool = false;
}

// SAFETY: the target is in the lock, and not in the guard.
unsafe impl<T: ?Sized> StableGuard for MutexGuard<'_, T> {
    const POISONS: bool = true;
}

// SAFETY: the target is in the lock, and not in the guard.
unsafe impl<T: ?Sized> StableGuard for RwLockReadGuard<'_, T> {
    const POISONS: bool = false;
}

/// A guard of any type, on the heap.
///
/// A `Box` must not be moved while a reference into it is in use.
pub(crate) struct OnHeap<G>(NonNull<G>);

impl<G> OnHeap<G> {
    pub(crate) fn new(guard: G) -> Self {
        Self(NonNull::from(Box::leak(Box::new(guard))))
    }
}

impl<G: Deref> Deref for OnHeap<G> {
    type Target = G::Target;

    fn deref(&self) -> &G::Target {
        // SAFETY: the pointer is that of a box, and nothing changes the guard before `drop`.
        unsafe { self.0.as_ref() }
    }
}

impl<G> Drop for OnHeap<G> {
    fn drop(&mut self) {
        // SAFETY: `new` leaked a box with this address, which nothing else frees.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

// SAFETY: the guard stays at its address on the heap, and so does a target inside it.
unsafe impl<G: Deref> StableGuard for OnHeap<G> {
    const POISONS: bool = true;
}

/// Anything that the work list keeps until the values above it are visited.
pub(crate) trait Held {}

impl<G> Held for G {}

/// Drops the guard unless values behind it wait on the work list, which then keeps the guard.
#[inline]
pub(crate) fn visit_behind<'a, G: StableGuard + 'a>(
    guard: G,
    walk: &mut Walk<'a>,
    visit: impl FnOnce(&'a G::Target, &mut Walk<'a>),
) {
    let target = &raw const *guard;
    // SAFETY: the guard gives access to the target until it is dropped, wherever it moves. Only the
    // walk gets this reference, because an impl of `MemoryProfile` accepts any lifetime and so cannot
    // store it elsewhere. The walk stores it only in its work list, above the guard. It takes values
    // off that list from the top, and drops the rest of the list without access to the values.
    let target = unsafe { &*target };
    let waiting = walk.waiting();
    let panic = if G::POISONS {
        catch_unwind(AssertUnwindSafe(|| visit(target, walk))).err()
    } else {
        visit(target, walk);
        None
    };
    if walk.waiting() == waiting {
        drop(guard);
    } else {
        walk.hold(waiting, Box::new(guard));
    }
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
}

#[cfg(test)]
mod tests {
    use crate::MemoryProfile;
    use crate::shape::Position;
    use crate::total_bytes;
    use crate::walk::Walk;
    use core::panic::AssertUnwindSafe;
    use std::panic::catch_unwind;
    use std::sync::Mutex;

    /// Deeper than a walk recurses.
    const LINKS: usize = 150;

    /// A link of a chain whose links are all behind locks.
    struct Link {
        bytes: Vec<u8>,
        next: Mutex<Option<Box<Link>>>,
        visit: Visit,
    }

    #[derive(Clone, Copy)]
    enum Visit {
        OnStack,
        OnHeap,
        Panic,
    }

    impl MemoryProfile for Link {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            match self.visit {
                Visit::OnStack => self.next.owned(walk, at),
                Visit::OnHeap => {
                    walk.guarded(self.next.try_lock().expect("no other thread has it"), at);
                }
                Visit::Panic => panic!("an impl is wrong"),
            }
            self.bytes.owned(walk, at);
        }
    }

    fn chain(visit: impl Fn(usize) -> Visit) -> Link {
        let link = |number: usize, next: Option<Box<Link>>| Link {
            bytes: Vec::with_capacity(number),
            next: Mutex::new(next),
            visit: visit(number),
        };
        (1..=LINKS).fold(link(0, None), |next, number| link(number, Some(Box::new(next))))
    }

    #[test]
    fn a_chain_of_guards_deeper_than_the_recursion_is_visited() {
        let expected = (LINKS + 1) * size_of::<Link>() + LINKS * (LINKS + 1) / 2;
        let visits: [fn(usize) -> Visit; 3] = [
            |_| Visit::OnStack,
            |_| Visit::OnHeap,
            |number| if number % 3 == 0 { Visit::OnStack } else { Visit::OnHeap },
        ];
        for visit in visits {
            assert_eq!(total_bytes(&chain(visit)), expected as u64);
        }
    }

    #[test]
    fn a_panic_poisons_no_lock_whose_guard_is_held() {
        let visits: [fn(usize) -> Visit; 2] = [|_| Visit::OnStack, |_| Visit::OnHeap];
        for (visit, panics_at) in visits.into_iter().flat_map(|visit| [(visit, 0), (visit, 140)]) {
            let chain = chain(|n| if n == panics_at { Visit::Panic } else { visit(n) });
            let panicked = catch_unwind(AssertUnwindSafe(|| total_bytes(&chain)));
            assert!(panicked.is_err());
            let mut link = Some(Box::new(chain));
            while let Some(mut last) = link {
                assert!(!last.next.is_poisoned());
                link = last.next.get_mut().expect("it is not poisoned").take();
            }
        }
    }
}
