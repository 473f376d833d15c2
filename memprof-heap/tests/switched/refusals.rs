//! Requests that the inner allocator refuses: the callback of the program runs at once and without
//! memory.
#![expect(unsafe_code, reason = "allocators are unsafe to call")]

use crate::own_process::in_own_process;
use crate::refusing::{calls, without_memory};
use memprof_heap::hooks::set_on_refusal;
use memprof_heap::{Level, Rate, current_thread, set_level, set_rate, totals};
use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, realloc};
use std::hint::black_box;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

static TOLD: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
static LIVE: AtomicI64 = AtomicI64::new(0);
/// Calls of the inner allocator while the callback ran.
static CALLED: AtomicU64 = AtomicU64::new(0);

fn reported() -> [u64; 3] {
    [TOLD.swap(0, Relaxed), BYTES.swap(0, Relaxed), CALLED.swap(0, Relaxed)]
}

/// Returns the live bytes of this thread only, because the test harness has a thread that allocates
/// at any time.
fn live() -> i64 {
    current_thread()
        .map_or(-1, |thread| thread.allocated_bytes.wrapping_sub(thread.freed_bytes).cast_signed())
}

/// Makes all calls that can be refused.
fn refused(layout: Layout) {
    let size = layout.size() as u64;
    let before = live();
    // SAFETY: the layout is not empty.
    assert!(without_memory(|| unsafe { alloc(layout) }).is_null());
    assert_eq!(reported(), [1, size, 0], "alloc");
    // SAFETY: the layout is not empty.
    assert!(without_memory(|| unsafe { alloc_zeroed(layout) }).is_null());
    assert_eq!(reported(), [1, size, 0], "alloc_zeroed");
    assert_eq!((LIVE.load(Relaxed), live()), (before, before));

    // SAFETY: the layout is not empty.
    let memory = black_box(unsafe { alloc(layout) });
    // SAFETY: the block was allocated with this layout; the new size is neither 0 nor huge.
    assert!(without_memory(|| unsafe { realloc(memory, layout, 80_000) }).is_null());
    assert_eq!(reported(), [1, 80_000, 0], "realloc");
    // The block is still there and still counted.
    assert_eq!(
        (LIVE.load(Relaxed), live()),
        (before + size.cast_signed(), before + size.cast_signed())
    );
    // SAFETY: the block was allocated with this layout, and is freed once.
    unsafe { dealloc(memory, layout) };
    assert_eq!(reported(), [0, 0, 0]);
}

#[test]
fn a_refusal_is_reported_with_its_size_and_without_an_allocation() {
    in_own_process(|| {
        let layouts = [(100, 8), (100, 64), (1, 16)]
            .map(|(size, align)| Layout::from_size_align(size, align).expect("it is a layout"));
        set_on_refusal(Some(|refusal| {
            let ((), called) = calls(|| {
                LIVE.store(live(), Relaxed);
                assert!(totals().is_ok(), "the callback can read the process's totals");
            });
            CALLED.store(called.iter().sum(), Relaxed);
            BYTES.store(refusal.requested_bytes, Relaxed);
            TOLD.fetch_add(1, Relaxed);
        }));
        set_rate(Rate::EACH_BLOCK);
        for level in [Level::Counters, Level::Sampled] {
            set_level(level);
            for layout in layouts {
                refused(layout);
            }
        }

        // At `Off`, results are not checked.
        set_level(Level::Off);
        // SAFETY: the layouts are not empty.
        assert!(layouts.iter().all(|of| without_memory(|| unsafe { alloc(*of) }).is_null()));
        assert_eq!(reported(), [0, 0, 0]);
        set_level(Level::Counters);

        // A callback that allocates nevertheless is not called for its own refusal.
        set_on_refusal(Some(|_| {
            TOLD.fetch_add(1, Relaxed);
            assert!(Vec::<u8>::new().try_reserve_exact(10).is_err());
        }));
        for _ in 0..2 {
            let reserved = without_memory(|| Vec::<u8>::new().try_reserve_exact(5000));
            assert!(reserved.is_err());
            assert_eq!(reported()[0], 1);
        }

        set_on_refusal(None);
        assert!(without_memory(|| Vec::<u8>::new().try_reserve_exact(5000)).is_err());
        assert_eq!(reported()[0], 0);
    });
}
