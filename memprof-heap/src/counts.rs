//! What the current thread has allocated and freed since it started.
//!
//! Called from the allocator: nothing here allocates, waits or panics. Additions wrap, and what
//! reads the counts takes differences, so that they hold however long a thread runs.
#![deny(clippy::arithmetic_side_effects)]

use core::cell::Cell;

thread_local! {
    // Initialised by a constant and without a destructor: the words are there as soon as the
    // thread is and for as long as it runs, its thread-local destructors included, and no access
    // registers or allocates anything.
    static COUNTS: Counts = const { Counts::new() };
}

/// The counts of one thread. It is the only one to read or write them, so that plain words do.
struct Counts {
    allocated_bytes: Cell<u64>,
    allocated_blocks: Cell<u64>,
    freed_bytes: Cell<u64>,
    freed_blocks: Cell<u64>,
    /// The most bytes that were live at once, since the measurement that runs began.
    peak: Cell<i64>,
}

/// The counts of a thread at one moment, or between two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) allocated_bytes: u64,
    pub(crate) allocated_blocks: u64,
    pub(crate) freed_bytes: u64,
    pub(crate) freed_blocks: u64,
    peak: i64,
}

/// Counts a block that was handed out.
#[inline]
pub(crate) fn allocated(bytes: usize) {
    with(|counts| {
        add(&counts.allocated_bytes, bytes as u64);
        add(&counts.allocated_blocks, 1);
        let live = counts.live();
        if live > counts.peak.get() {
            counts.peak.set(live);
        }
    });
}

/// Counts a block that was given back.
#[inline]
pub(crate) fn freed(bytes: usize) {
    with(|counts| {
        add(&counts.freed_bytes, bytes as u64);
        add(&counts.freed_blocks, 1);
    });
}

/// Runs something whose allocations don't count.
pub(crate) fn uncounted<T>(work: impl FnOnce() -> T) -> (T, Totals) {
    let before = totals();
    let value = work();
    let after = totals();
    with(|counts| counts.set(before));
    (value, after.since(before))
}

/// What the thread has counted so far.
pub(crate) fn totals() -> Totals {
    let mut totals = Totals::default();
    with(|counts| totals = counts.get());
    totals
}

/// The time in which a peak is watched; ending it goes back to the peak around it.
#[derive(Debug)]
pub(crate) struct Watch {
    start: Totals,
    around: i64,
}

impl Watch {
    pub(crate) fn start() -> Self {
        let start = totals();
        with(|counts| counts.peak.set(counts.live()));
        Self { start, around: start.peak }
    }

    /// What was counted since the start, and the most that was live above what was live then.
    pub(crate) fn end(self) -> (Totals, u64) {
        let now = totals();
        let peak = now.peak.wrapping_sub(self.start.live());
        (now.since(self.start), peak.max(0).cast_unsigned())
    }
}

impl Drop for Watch {
    /// Also where the work panicked.
    fn drop(&mut self) {
        with(|counts| counts.peak.set(counts.peak.get().max(self.around)));
    }
}

impl Totals {
    /// Bytes allocated and not freed: negative on a thread that frees what others allocated.
    fn live(self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.freed_bytes).cast_signed()
    }

    fn since(self, start: Self) -> Self {
        Self {
            allocated_bytes: self.allocated_bytes.wrapping_sub(start.allocated_bytes),
            allocated_blocks: self.allocated_blocks.wrapping_sub(start.allocated_blocks),
            freed_bytes: self.freed_bytes.wrapping_sub(start.freed_bytes),
            freed_blocks: self.freed_blocks.wrapping_sub(start.freed_blocks),
            peak: self.peak,
        }
    }
}

impl Counts {
    const fn new() -> Self {
        Self {
            allocated_bytes: Cell::new(0),
            allocated_blocks: Cell::new(0),
            freed_bytes: Cell::new(0),
            freed_blocks: Cell::new(0),
            peak: Cell::new(0),
        }
    }

    #[inline]
    fn live(&self) -> i64 {
        self.allocated_bytes.get().wrapping_sub(self.freed_bytes.get()).cast_signed()
    }

    fn get(&self) -> Totals {
        Totals {
            allocated_bytes: self.allocated_bytes.get(),
            allocated_blocks: self.allocated_blocks.get(),
            freed_bytes: self.freed_bytes.get(),
            freed_blocks: self.freed_blocks.get(),
            peak: self.peak.get(),
        }
    }

    fn set(&self, totals: Totals) {
        self.allocated_bytes.set(totals.allocated_bytes);
        self.allocated_blocks.set(totals.allocated_blocks);
        self.freed_bytes.set(totals.freed_bytes);
        self.freed_blocks.set(totals.freed_blocks);
        self.peak.set(totals.peak);
    }
}

#[inline]
fn add(word: &Cell<u64>, more: u64) {
    word.set(word.get().wrapping_add(more));
}

/// Where the platform has no thread-local words, a thread that ends has no counts any more and
/// nobody to ask for them.
#[inline]
fn with(work: impl FnOnce(&Counts)) {
    let _ = COUNTS.try_with(work);
}
