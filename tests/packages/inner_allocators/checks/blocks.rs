//! Blocks allocated by hand: aligned beyond words, zeroed, grown and shrunk.
#![expect(unsafe_code, reason = "the global allocator is called as it is")]

use super::{figures, measured};
use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, realloc};
use std::slice;

/// Alignments, from the alignment of a byte to the alignment of a memory page.
const ALIGNMENTS: [usize; 6] = [1, 8, 16, 64, 256, 4096];

const SIZES: [usize; 6] = [1, 24, 100, 4096, 100_000, 5_000_000];

fn layouts() -> impl Iterator<Item = Layout> {
    ALIGNMENTS.into_iter().flat_map(|align| SIZES.map(|size| layout(size, align)))
}

fn layout(size: usize, align: usize) -> Layout {
    Layout::from_size_align(size, align).expect("sizes are small, alignments powers of two")
}

/// Checks the alignment and zeroes of blocks, and their bytes after they grow and shrink.
pub(crate) fn are_as_asked_for() {
    for layout in layouts() {
        free(allocated(layout), layout);
        let memory = zeroed(layout);
        let memory = resized(memory, layout, 2 * layout.size());
        let grown = self::layout(2 * layout.size(), layout.align());
        let memory = resized(memory, grown, layout.size().div_ceil(2));
        free(memory, self::layout(layout.size().div_ceil(2), layout.align()));
    }
}

/// Checks the counts of each call that allocates, resizes or frees a block.
pub(crate) fn are_counted() {
    for layout in layouts() {
        let size = layout.size() as u64;
        let (memory, all) = measured(|| allocated(layout));
        assert_eq!(figures(all), [size, 1, 0, 0, size]);
        let (memory, all) = measured(|| resized(memory, layout, 2 * layout.size()));
        assert_eq!(figures(all), [2 * size, 1, size, 1, size]);
        let grown = self::layout(2 * layout.size(), layout.align());
        let ((), all) = measured(|| free(memory, grown));
        assert_eq!(figures(all), [0, 0, 2 * size, 1, 0]);
        let (memory, all) = measured(|| zeroed(layout));
        assert_eq!(figures(all), [size, 1, 0, 0, size]);
        free(memory, layout);
    }
}

/// Allocates a block, fills it with ones, and returns it.
fn allocated(layout: Layout) -> *mut u8 {
    // SAFETY: the layout is not empty.
    let memory = unsafe { alloc(layout) };
    assert!(!memory.is_null() && memory.addr().is_multiple_of(layout.align()), "{layout:?}");
    fill(memory, layout.size());
    memory
}

/// Allocates a zeroed block, fills it with ones, and returns it.
fn zeroed(layout: Layout) -> *mut u8 {
    // SAFETY: the layout is not empty.
    let memory = unsafe { alloc_zeroed(layout) };
    assert!(!memory.is_null() && memory.addr().is_multiple_of(layout.align()), "{layout:?}");
    assert!(holds(memory, layout.size(), 0), "{layout:?}");
    fill(memory, layout.size());
    memory
}

/// Resizes a block of ones, and fills all of it with ones again.
fn resized(memory: *mut u8, was: Layout, size: usize) -> *mut u8 {
    // SAFETY: the block has this layout; the new size is neither 0 nor huge.
    let memory = unsafe { realloc(memory, was, size) };
    assert!(!memory.is_null() && memory.addr().is_multiple_of(was.align()), "{was:?} {size}");
    assert!(holds(memory, was.size().min(size), 1), "{was:?} {size}");
    fill(memory, size);
    memory
}

fn fill(memory: *mut u8, size: usize) {
    // SAFETY: the block has `size` bytes.
    unsafe { memory.write_bytes(1, size) };
}

fn holds(memory: *mut u8, size: usize, byte: u8) -> bool {
    // SAFETY: the block has `size` bytes, all of them written or zeroed.
    let bytes = unsafe { slice::from_raw_parts(memory, size) };
    bytes.iter().all(|found| *found == byte)
}

fn free(memory: *mut u8, layout: Layout) {
    // SAFETY: the block has this layout, and is freed once.
    unsafe { dealloc(memory, layout) };
}
