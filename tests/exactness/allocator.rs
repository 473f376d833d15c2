//! An allocator that counts the live bytes of each thread. It can also keep a list of the blocks.
#![expect(unsafe_code, reason = "a global allocator is unsafe to write")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

thread_local! {
    static LIVE: Cell<i64> = const { Cell::new(0) };
    static CALLS: Cell<u64> = const { Cell::new(0) };
    static BLOCKS: RefCell<Option<Blocks>> = const { RefCell::new(None) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

struct Counting;

/// Returns the bytes that this thread requested and has not freed.
pub(crate) fn live_bytes() -> i64 {
    LIVE.get()
}

/// Returns the number of times that this thread has requested memory.
pub(crate) fn calls() -> u64 {
    CALLS.get()
}

/// Returns the result of `make`, and the bytes that the result keeps alive.
pub(crate) fn owned_by<T>(make: impl FnOnce() -> T) -> (T, i64) {
    let before = live_bytes();
    let value = make();
    (value, live_bytes() - before)
}

/// Blocks of memory: their addresses and sizes.
pub(crate) type Blocks = BTreeMap<usize, usize>;

/// Returns the result of `make`, and the blocks that the result keeps alive.
pub(crate) fn blocks_of<T>(make: impl FnOnce() -> T) -> (T, Blocks) {
    BLOCKS.set(Some(Blocks::new()));
    let value = make();
    (value, BLOCKS.take().unwrap_or_default())
}

/// Changes the list of blocks, if there is one. The list does not contain its own allocations.
fn keep(change: impl FnOnce(&mut Blocks)) {
    let _ = BLOCKS.try_with(|blocks| {
        if let Ok(mut blocks) = blocks.try_borrow_mut()
            && let Some(blocks) = &mut *blocks
        {
            change(blocks);
        }
    });
}

/// Adds a new block to the list.
fn born(pointer: *mut u8, size: usize) -> *mut u8 {
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
    keep(|blocks| {
        blocks.insert(pointer.addr(), size);
    });
    pointer
}

/// Removes a block from the list.
fn freed(pointer: *mut u8) {
    keep(|blocks| {
        blocks.remove(&pointer.addr());
    });
}

/// Adds to the thread's counter, unless the thread is ending and no longer has a counter.
fn count(bytes: i64) {
    let _ = LIVE.try_with(|live| live.set(live.get() + bytes));
}

// SAFETY: all calls are forwarded unchanged to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's promises are passed on.
        born(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        freed(pointer);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's promises are passed on.
        born(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size as i64 - layout.size() as i64);
        // SAFETY: the caller's promises are passed on.
        let moved = unsafe { System.realloc(pointer, layout, new_size) };
        freed(pointer);
        born(moved, new_size)
    }
}
