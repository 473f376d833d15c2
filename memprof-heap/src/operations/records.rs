//! What one thread counted for each path of operations.
#![expect(unsafe_code, reason = "records live outside the heap that they count")]

use super::paths::ROOT;
use super::site::{CHILDREN, OperationSite};
use crate::base::own_memory;
use crate::thread::counters::add_unsigned;
use core::cell::Cell;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicI64, AtomicPtr, AtomicU64};

/// Lists of records, each of the paths whose numbers leave the same rest.
const LISTS: usize = 32;

/// The records of a thread. It alone adds to them; they are never freed.
pub(crate) struct Records {
    lists: [AtomicPtr<Record>; LISTS],
}

/// What a thread counted for a path.
pub(crate) struct Record {
    pub(crate) calls: AtomicU64,
    pub(crate) allocated_bytes: AtomicI64,
    /// Bytes allocated less bytes freed, written after those allocated.
    pub(crate) net_bytes: AtomicI64,
    pub(crate) allocated_blocks: AtomicU64,
    pub(crate) freed_blocks: AtomicU64,
    /// The largest change of live bytes by a call. Below any change until the first, and for ever
    /// where what begins here and ends here has more to do than counting.
    pub(crate) largest: AtomicI64,
    /// The most bytes live during a call, above those live when it began: never below `largest`.
    pub(crate) peak: AtomicI64,
    /// Bytes live in the process before and after the call of the largest change.
    pub(crate) before: AtomicI64,
    pub(crate) after: AtomicI64,
    pub(crate) timed_calls: AtomicU64,
    pub(crate) nanoseconds: AtomicU64,
    pub(crate) longest: AtomicU64,
    pub(crate) path: u32,
    next: AtomicPtr<Record>,
    /// The records of operations that were last entered from here, each where its site says.
    /// The thread's own.
    children: [Cell<Child>; CHILDREN],
}

#[derive(Clone, Copy)]
struct Child {
    site: *const OperationSite,
    record: *const Record,
}

// SAFETY: `children` is read and written through records that the thread found in its own
// activations, and in `SLOW`, which nobody writes; others come to a record by `Records::iter`, of
// whose items they can only read the path and the atomic words.
unsafe impl Sync for Record {}

/// Stands in the stack for what has more to do: it has no children, so what is entered from it
/// is looked up.
pub(super) static SLOW: Record = Record::new(ROOT);

impl Records {
    /// All records.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Record> {
        (0..LISTS).flat_map(|list| self.list(list))
    }

    fn list(&self, list: usize) -> impl Iterator<Item = &Record> {
        let mut next = self.lists[list].load(Acquire).cast_const();
        core::iter::from_fn(move || {
            // SAFETY: null, or a record that is initialised and never freed.
            let record = unsafe { next.as_ref() }?;
            next = record.next.load(Acquire);
            Some(record)
        })
    }

    /// The record of a path, made if the thread has none. `None` where the system has no memory.
    pub(super) fn get_or_add(&self, path: u32) -> Option<&Record> {
        let list = path as usize % LISTS;
        if let Some(record) = self.list(list).find(|record| record.path == path) {
            return Some(record);
        }
        let record = own_memory::keep(Record::new(path))?;
        // Only the thread itself adds to its records, so the first one is still that.
        record.next.store(self.lists[list].load(Relaxed), Relaxed);
        self.lists[list].store(ptr::from_ref(record).cast_mut(), Release);
        Some(record)
    }
}

impl Record {
    const fn new(path: u32) -> Self {
        let nobody = Child { site: ptr::null(), record: ptr::null() };
        Self {
            calls: AtomicU64::new(0),
            allocated_bytes: AtomicI64::new(0),
            net_bytes: AtomicI64::new(0),
            allocated_blocks: AtomicU64::new(0),
            freed_blocks: AtomicU64::new(0),
            largest: AtomicI64::new(i64::MIN),
            peak: AtomicI64::new(0),
            before: AtomicI64::new(0),
            after: AtomicI64::new(0),
            timed_calls: AtomicU64::new(0),
            nanoseconds: AtomicU64::new(0),
            longest: AtomicU64::new(0),
            path,
            next: AtomicPtr::new(ptr::null_mut()),
            children: [Cell::new(nobody), Cell::new(nobody), Cell::new(nobody), Cell::new(nobody)],
        }
    }

    #[inline(always)]
    pub(super) fn count_call(&self) {
        add_unsigned(&self.calls, 1, Relaxed);
    }

    /// The record of an operation within this one, if it was entered from here lately. Only for
    /// the thread whose record it is.
    #[inline(always)]
    pub(super) fn child(&self, site: &'static OperationSite) -> Option<&'static Self> {
        let child = self.children[site.child()].get();
        // SAFETY: with a site there is a record, which is never freed.
        ptr::eq(child.site, site).then(|| unsafe { &*child.record })
    }

    /// Remembers the record of an operation within this one. Only for the thread whose record it
    /// is, and not for `SLOW`.
    pub(super) fn remember(&self, site: &'static OperationSite, record: &'static Self) {
        self.children[site.child()].set(Child { site, record });
    }
}
