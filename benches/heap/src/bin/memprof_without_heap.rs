//! The facade's allocator without its feature `heap`: it must be the forwarding wrapper.

use memprof_heap_benches::program;
use std::process::ExitCode;

/// PLUG IN HERE: `memprof::Allocator`, of a dependency on `memprof` without `heap`. Until the
/// facade has one, a second wrapper stands in for it.
#[global_allocator]
static ALLOC: stand_in::Allocator = stand_in::Allocator::system();

fn main() -> ExitCode {
    program::run(program::no_level)
}

mod stand_in {
    #![expect(unsafe_code, reason = "a global allocator is unsafe to write")]

    use std::alloc::{GlobalAlloc, Layout, System};

    pub(super) struct Allocator<A = System> {
        inner: A,
    }

    impl Allocator {
        pub(super) const fn system() -> Self {
            Self { inner: System }
        }
    }

    // SAFETY: all calls go to the inner allocator as they are, and so do its answers.
    unsafe impl<A: GlobalAlloc> GlobalAlloc for Allocator<A> {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the caller's promises are passed on.
            unsafe { self.inner.alloc(layout) }
        }

        unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
            // SAFETY: the caller's promises are passed on.
            unsafe { self.inner.dealloc(memory, layout) }
        }

        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the caller's promises are passed on.
            unsafe { self.inner.alloc_zeroed(layout) }
        }

        unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
            // SAFETY: the caller's promises are passed on.
            unsafe { self.inner.realloc(memory, layout, new_size) }
        }
    }
}
