//! Hints to the processor about memory that is read soon.

/// Prefetches the cache line at an address.
#[inline]
pub(crate) fn prefetch(address: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch is only a hint; the processor ignores it if the address is not readable.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(core::ptr::without_provenance(address));
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}

/// Prefetches 1 KiB from an address: a buffer that will be read, and the memory after it. The
/// allocations of a buffer's values usually follow the buffer.
///
/// With this prefetch, a walk over a tree of 3 M nodes takes as long as a hand-written sum of the
/// same bytes. With half of the prefetched bytes the walk takes 1.08 times as long, and without
/// prefetch 1.2 times as long. On vectors in random order the walk is not slower than without
/// prefetch. This function is not inlined, so that it is compiled once instead of once per type.
#[inline(never)]
pub(crate) fn read_ahead(address: usize) {
    const LINES: usize = 16;
    for line in 0..LINES {
        prefetch(address.wrapping_add(64 * line));
    }
}
