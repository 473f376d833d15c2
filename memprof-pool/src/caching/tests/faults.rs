//! Tests that the check finds each fault that a test puts into the books.

use crate::caching::books::Books;
use crate::caching::classes::GRANULE;
use crate::{AddressSpace, CachingPool, MemoryResource, Request};

const MIB: u64 = 1 << 20;

/// Creates a pool with one segment, whose first block is allocated and whose rest is free.
fn pool() -> CachingPool<AddressSpace> {
    let pool = CachingPool::builder(AddressSpace::new()).build().expect("it needs nothing");
    pool.allocate(Request::new(3 * MIB)).expect("there is room");
    pool.check().expect("the books agree");
    pool
}

/// Returns the allocated block and the free one.
fn blocks(books: &Books) -> [u32; 2] {
    let used = books.allocated.values().next().expect("one is allocated");
    [*used, books.blocks[*used].next.expect("the rest is free")]
}

/// A change that makes the books wrong.
type Fault = fn(&mut Books);

#[test]
fn each_fault_in_the_books_is_found() {
    let faults: [(Fault, &str); 9] = [
        (|books| books.unlist(blocks(books)[1]), "are in free lists"),
        (|books| books.list(blocks(books)[0]), "is listed but not free"),
        (
            |books| {
                let [_, rest] = blocks(books);
                books.blocks[rest].address -= GRANULE;
                books.blocks[rest].bytes += GRANULE;
            },
            "does not begin at the end of the previous one",
        ),
        (
            |books| {
                let [_, rest] = blocks(books);
                books.unlist(rest);
                let second = books.split(rest, MIB);
                books.list(rest);
                books.list(second);
            },
            "is free next to a free block",
        ),
        (|books| books.counts.reserved += GRANULE, "reserved: "),
        (|books| books.counts.allocated -= GRANULE, "allocated: "),
        (|books| books.counts.releasable += GRANULE, "releasable bytes are counted wrong"),
        (|books| books.segments[0].used += 1, "counts its blocks wrong"),
        (|books| books.allocated.clear(), "is allocated but not in the map of addresses"),
    ];
    for (fault, expected) in faults {
        let pool = pool();
        fault(&mut pool.books());
        let problem = pool.check().expect_err(expected);
        // Wrong books can't be closed either.
        core::mem::forget(pool);
        assert!(problem.contains(expected), "{problem}, expected {expected}");
    }
}

#[test]
fn more_than_the_limit_is_found() {
    let pool = pool();
    let problem = pool.books().check(Some(MIB)).expect_err("20 MiB are reserved");
    assert_eq!(problem, "the limit is exceeded");
}
