//! Paths of nested operations: each has a number, and each thread has a record of its counts.
//!
//! An operation that is entered within itself, directly or through others, returns to the path that
//! it had: `parse;value;parse` is `parse`. So the number of paths depends on how the program nests
//! its names, and not on the depth of recursion.
//!
//! Paths are never removed, and are found without a lock. So paths also work in a child process
//! that was forked while another thread added a path.
//!
//! Each thread has records of its own, so that counting needs no atomic addition, and keeps them for
//! the next thread. So a pool of 500 threads that run all 4,096 paths would keep 370 MB. A limit on
//! the records of all threads bounds them by 48 MB. Beyond it, a thread counts paths that it has not
//! run yet as `<other>`.
#![expect(unsafe_code, reason = "records live outside the heap that they count")]

use crate::record::counters::add_unsigned;
use crate::record::numbers::{Numbers, Value, hash};
use crate::record::operation::{CHILDREN, OperationSite};
use crate::record::sync::{AtomicPtr, AtomicU32, AtomicU64};
use crate::record::system;
use core::cell::Cell;
use core::ptr;
use core::sync::atomic::AtomicI64;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// The number of a path of operations, from 1. A path keeps its number as long as the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathId(pub(crate) u32);

impl PathId {
    /// Returns the number.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Returns the number as a `PathId`, or `None` for `ROOT`.
    pub(crate) fn of(path: u32) -> Option<Self> {
        (path != ROOT).then_some(Self(path))
    }
}

/// The maximum number of paths that have a number of their own. All others are counted as `OTHER`.
const PATHS: usize = 4096;

pub(crate) const ROOT: u32 = 0;

/// Stands for all operations beyond the limits of the tables.
pub(crate) static OTHERS: OperationSite = OperationSite::new("<other>", "", 0);

/// The number that all further paths share once the table is full.
pub(crate) const OTHER: u32 = 1;

static TABLE: Numbers<Path, { OTHER + 1 }, PATHS> = Numbers {
    slots: [const { [const { AtomicU64::new(0) }; 2] }; PATHS],
    given: AtomicU32::new(0),
    values: [const { Value { is_written: AtomicU32::new(0), value: Path::none() } }; PATHS],
};

struct Path {
    parent: AtomicU32,
    site: AtomicPtr<OperationSite>,
}

impl Path {
    const fn none() -> Self {
        Self { parent: AtomicU32::new(ROOT), site: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Returns the number of the parent and the operation. The path must be written.
    fn load(&self) -> Option<(u32, &'static OperationSite)> {
        // SAFETY: null, or a reference that lives for ever.
        let site = unsafe { self.site.load(Relaxed).as_ref() }?;
        Some((self.parent.load(Relaxed), site))
    }
}

/// The flag is true if the path is `parent` itself or a path around it.
pub(crate) fn path_to(parent: u32, site: &'static OperationSite) -> (u32, bool) {
    let mut outer = parent;
    while let Some((parent, around)) = get(outer) {
        if around.name() == site.name() {
            return (outer, true);
        }
        outer = parent;
    }
    if outer == OTHER {
        return (OTHER, true);
    }
    let hash = site.name().bytes().fold(parent.into(), |all, byte| hash(all, byte.into()));
    let is_same = |path: &Path| {
        path.load().is_some_and(|(around, of)| around == parent && of.name() == site.name())
    };
    let write = |path: &Path| {
        path.parent.store(parent, Relaxed);
        path.site.store(ptr::from_ref(site).cast_mut(), Relaxed);
    };
    (TABLE.number_of(hash, is_same, write).unwrap_or(OTHER), false)
}

fn get(number: u32) -> Option<(u32, &'static OperationSite)> {
    TABLE.get(number)?.load()
}

pub(crate) fn path_of(number: u32) -> Vec<&'static OperationSite> {
    if number == OTHER {
        return vec![&OTHERS];
    }
    let mut sites = Vec::new();
    let mut next = number;
    while let Some((parent, site)) = get(next) {
        sites.push(site);
        next = parent;
    }
    sites.reverse();
    sites
}

/// Returns the number of the parent path, or `ROOT` if it has no parent.
pub(crate) fn parent_of(number: u32) -> u32 {
    get(number).map_or(ROOT, |(parent, _)| parent)
}

pub(crate) fn numbers() -> core::ops::Range<u32> {
    OTHER..TABLE.all().end
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use object::Object;
    use object::ObjectSection;

    /// An empty table whose bytes are not all zero would take space in the file of every program.
    #[test]
    fn the_table_takes_no_space_in_the_programs_file() {
        let program = std::env::current_exe().expect("the program has a path");
        let program = std::fs::read(program).expect("the program can be read");
        let program = object::File::parse(&*program).expect("the program is an object file");
        let data = program.section_by_name(".data").expect("the program has data").size();
        assert!(data < size_of_val(&super::TABLE) as u64, "{data} bytes of data");
    }
}

/// The records of a path are in the list whose index is the path's number modulo `LISTS`.
const LISTS: usize = 32;

/// For 1,000 paths on each of 262 threads. `ROOT` and `OTHER` do not count.
const MAX_RECORDS: u32 = 1 << 18;

static RECORDS: AtomicU32 = AtomicU32::new(0);

/// The records of a thread. Only that thread adds to them; they are never freed.
pub(crate) struct Records {
    lists: [AtomicPtr<Record>; LISTS],
}

pub(crate) struct Record {
    pub calls: AtomicU64,
    pub allocated_bytes: AtomicI64,
    /// Bytes allocated minus bytes freed. Written after `allocated_bytes`.
    pub net_bytes: AtomicI64,
    pub allocated_blocks: AtomicU64,
    pub freed_blocks: AtomicU64,
    /// The largest change of live bytes by a call. Before the first call, it is less than any
    /// change. In `SLOW`, it is always less than any change, so that each call with that record
    /// ends on the slow path.
    pub largest: AtomicI64,
    /// The maximum of live bytes during a call, minus the bytes live when the call began. Never
    /// below `largest`.
    pub peak: AtomicI64,
    /// Bytes live in the process before the call with the largest change. `after` has the bytes
    /// live after that call.
    pub before: AtomicI64,
    pub after: AtomicI64,
    /// `net_bytes` without this is the sum of the changes by ended calls. This counts work that is
    /// bound to the operation and parts of calls that still run, minus calls within themselves. A
    /// call may begin on one thread and end on another, so only the sum over all threads has a
    /// meaning.
    pub net_outside_calls: AtomicI64,
    pub timed_calls: AtomicU64,
    pub nanoseconds: AtomicU64,
    pub longest: AtomicU64,
    pub path: u32,
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
pub(crate) static SLOW: Record = Record::new(ROOT);

impl Records {
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

    /// Returns the record of `OTHER` if there are too many records, and `None` without memory.
    pub(crate) fn get_or_add(&self, path: u32) -> Option<&Record> {
        let list = path as usize % LISTS;
        if let Some(record) = self.list(list).find(|record| record.path == path) {
            return Some(record);
        }
        let one_more = |count| (count < MAX_RECORDS).then_some(count + 1);
        if path > OTHER && RECORDS.fetch_update(Relaxed, Relaxed, one_more).is_err() {
            return self.get_or_add(OTHER);
        }
        let record = system::keep(Record::new(path))?;
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
            net_outside_calls: AtomicI64::new(0),
            timed_calls: AtomicU64::new(0),
            nanoseconds: AtomicU64::new(0),
            longest: AtomicU64::new(0),
            path,
            next: AtomicPtr::new(ptr::null_mut()),
            children: [Cell::new(nobody), Cell::new(nobody), Cell::new(nobody), Cell::new(nobody)],
        }
    }

    #[inline(always)]
    pub(crate) fn count_call(&self) {
        add_unsigned(&self.calls, 1, Relaxed);
    }

    /// `None` if the record is not cached. Only the thread that owns this record may call this.
    #[inline(always)]
    pub(crate) fn child(&self, site: &'static OperationSite) -> Option<&'static Self> {
        let child = self.children[site.child()].get();
        // SAFETY: an entry with a site has a record, which is never freed.
        ptr::eq(child.site, site).then(|| unsafe { &*child.record })
    }

    /// Only the thread that owns this record may call this, and not with `SLOW`.
    pub(crate) fn remember(&self, site: &'static OperationSite, record: &'static Self) {
        self.children[site.child()].set(Child { site, record });
    }
}
