//! A function of the program or of a recorder that the allocator calls. Any thread may set the
//! function; the allocator reads it without a lock.
#![expect(unsafe_code, reason = "an atomic word stores a function pointer")]

use core::marker::PhantomData;
use core::mem;
use core::ptr;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::{Acquire, Release};

/// An optional function.
pub(crate) struct Callback<A> {
    function: AtomicPtr<()>,
    takes: PhantomData<fn(A)>,
}

impl<A> Callback<A> {
    pub(crate) const fn none() -> Self {
        Self { function: AtomicPtr::new(ptr::null_mut()), takes: PhantomData }
    }

    pub(crate) fn set(&self, function: Option<fn(A)>) {
        let function = function.map_or(ptr::null_mut(), |function| function as *mut ());
        // A thread that reads the function also sees what the program stored before it set it.
        self.function.store(function, Release);
    }

    /// Calls the function, if there is one. A panic aborts the process, because nothing may unwind
    /// out of an allocator.
    #[cold]
    pub(crate) fn call(&self, argument: A) {
        let function = self.function.load(Acquire);
        if function.is_null() {
            return;
        }
        // SAFETY: `set` stores only functions of this type and null, and null was excluded above.
        let function = unsafe { mem::transmute::<*mut (), fn(A)>(function) };
        let panicked = AbortOnUnwind;
        function(argument);
        mem::forget(panicked);
    }
}

struct AbortOnUnwind;

impl Drop for AbortOnUnwind {
    fn drop(&mut self) {
        std::process::abort();
    }
}
