//! Memory for memprof's own tables. It comes from the system's allocator, not the global one. Only
//! the functions of this module count it.
#![expect(unsafe_code, reason = "this allocates")]

use core::ptr::NonNull;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;
use std::alloc::{GlobalAlloc, Layout, System};

/// Bytes taken from the system and not given back.
static BYTES: AtomicU64 = AtomicU64::new(0);

/// Returns the requested bytes of all tables, including pages that were never touched.
pub(crate) fn bytes() -> u64 {
    BYTES.load(Relaxed)
}

/// Allocates zeroed memory. Returns `None` if the system has no memory.
pub(crate) fn allocate_zeroed(layout: Layout) -> Option<NonNull<u8>> {
    debug_assert!(layout.size() > 0, "an empty table");
    // SAFETY: no table is empty.
    counted(unsafe { System.alloc_zeroed(layout) }, layout)
}

/// Moves a value to memory that is never freed. Returns `None` if the system has no memory.
pub(crate) fn keep<T>(value: T) -> Option<&'static T> {
    let place = allocate::<T>()?;
    // SAFETY: the memory has the layout of a `T`, and no other code has its address.
    unsafe { place.write(value) };
    // SAFETY: the value is initialised and never freed.
    Some(unsafe { place.as_ref() })
}

/// Allocates memory for a `T`. Returns `None` if the system has no memory.
pub(crate) fn allocate<T>() -> Option<NonNull<T>> {
    let layout = Layout::new::<T>();
    debug_assert!(layout.size() > 0, "an empty table");
    // SAFETY: no table is empty.
    counted(unsafe { System.alloc(layout) }, layout).map(NonNull::cast)
}

/// Counts the memory if the system returned any.
fn counted(memory: *mut u8, layout: Layout) -> Option<NonNull<u8>> {
    let memory = NonNull::new(memory)?;
    BYTES.fetch_add(layout.size() as u64, Relaxed);
    Some(memory)
}

/// Frees the memory.
///
/// # Safety
/// [`allocate`] or [`allocate_zeroed`] returned the memory for this layout, and no code uses it.
pub(crate) unsafe fn free(memory: NonNull<u8>, layout: Layout) {
    // SAFETY: the caller guarantees that the memory is from `System` with this layout and unused.
    unsafe { System.dealloc(memory.as_ptr(), layout) };
    BYTES.fetch_sub(layout.size() as u64, Relaxed);
}
