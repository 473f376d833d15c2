//! The counts of one thread for each path of operations.
//!
//! Each thread has records of its own, so that counting needs no atomic addition, and keeps them for
//! the next thread. So a pool of 500 threads that run all 4,096 paths would keep 370 MB. A limit on
//! the records of all threads bounds them by 46 MB. Beyond it, a thread counts paths that it has not
//! run yet as `<other>`.
#![expect(unsafe_code, reason = "records live outside the heap that they count")]

use super::paths::{OTHER, ROOT};
use super::site::{CHILDREN, OperationSite};
use crate::base::own_memory;
use crate::thread::counters::add_unsigned;
use core::cell::Cell;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicI64, AtomicPtr, AtomicU32, AtomicU64};

/// The number of lists of records. The records of a path are in the list whose index is the path's
/// number modulo `LISTS`.
const LISTS: usize = 32;

/// The maximum number of records of all threads, without those of `ROOT` and `OTHER`: 1,000 paths on
/// each of 262 threads.
const MAX_RECORDS: u32 = 1 << 18;

static RECORDS: AtomicU32 = AtomicU32::new(0);

/// The records of a thread. Only that thread adds to them; they are never freed.
pub(crate) struct Records {
    lists: [AtomicPtr<Record>; LISTS],
}

/// The counts of a thread for a path.
pub(crate) struct Record {
    pub(crate) calls: AtomicU64,
    pub(crate) allocated_bytes: AtomicI64,
    /// Bytes allocated less bytes freed. Written after `allocated_bytes`.
    pub(crate) net_bytes: AtomicI64,
    pub(crate) allocated_blocks: AtomicU64,
    pub(crate) freed_blocks: AtomicU64,
    /// The largest change of live bytes by a call. Before the first call, it is less than any
    /// change. In `SLOW`, it is always less than any change, so that each call with that record
    /// ends on the slow path.
    pub(crate) largest: AtomicI64,
    /// The maximum of live bytes during a call, less the bytes live when the call began. Never
    /// below `largest`.
    pub(crate) peak: AtomicI64,
    /// Bytes live in the process before the call with the largest change. `after` has the bytes
    /// live after that call.
    pub(crate) before: AtomicI64,
    pub(crate) after: AtomicI64,
    pub(crate) timed_calls: AtomicU64,
    pub(crate) nanoseconds: AtomicU64,
    pub(crate) longest: AtomicU64,
    pub(crate) path: u32,
    next: AtomicPtr<Record>,
    /// A cache of the records of operations that were last entered from this path. The line of a
    /// site selects its entry. Only the thread that owns the record uses the cache.
    children: [Cell<Child>; CHILDREN],
}

#[derive(Clone, Copy)]
struct Child {
    site: *const OperationSite,
    record: *const Record,
}

// SAFETY: `children` is read and written only through records that the thread found in its own
// activations, and read in `SLOW`, where nothing writes it. Other threads get a record only from
// `Records::iter`. Through it they can read only the path and the atomic words.
unsafe impl Sync for Record {}

/// The record in the stack for an activation that needs more than counting. It has no children, so
/// operations entered from it are looked up.
pub(super) static SLOW: Record = Record::new(ROOT);

impl Records {
    /// Returns all records.
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

    /// Returns the record of a path, and creates it if the thread has none. Returns the record of
    /// `OTHER` if there are too many records, and `None` if the system has no memory.
    pub(super) fn get_or_add(&self, path: u32) -> Option<&Record> {
        let list = path as usize % LISTS;
        if let Some(record) = self.list(list).find(|record| record.path == path) {
            return Some(record);
        }
        if path > OTHER {
            // A few threads may pass the check at once, which doesn't matter.
            if RECORDS.load(Relaxed) >= MAX_RECORDS {
                return self.get_or_add(OTHER);
            }
            RECORDS.fetch_add(1, Relaxed);
        }
        let record = own_memory::keep(Record::new(path))?;
        // Only this thread adds to its records, so the list still begins with the same record.
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

    /// Returns the record of an operation within this one, if the cache has it. Only the thread
    /// that owns the record may call this.
    #[inline(always)]
    pub(super) fn child(&self, site: &'static OperationSite) -> Option<&'static Self> {
        let child = self.children[site.child()].get();
        // SAFETY: an entry with a site has a record, which is never freed.
        ptr::eq(child.site, site).then(|| unsafe { &*child.record })
    }

    /// Caches the record of an operation within this one. Only the thread that owns the record may
    /// call this, and not with `SLOW`.
    pub(super) fn remember(&self, site: &'static OperationSite, record: &'static Self) {
        self.children[site.child()].set(Child { site, record });
    }
}
