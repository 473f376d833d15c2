//! Tests that the caller's call site passes through all adaptors.

use crate::MIB;
use core::panic::Location;
use memprof_pool::{
    AddressSpace, CachingPool, Limiting, MemoryResource, Request, Statistics, Tracking,
};
use std::sync::Arc;

#[test]
fn the_call_site_passes_through_each_adaptor_to_the_upstream() {
    let upstream = Tracking::new(AddressSpace::new());
    let pool = CachingPool::builder(&upstream).record(10).build().expect("a pool");
    let limited = Limiting::new(&pool, "1 GiB").expect("an amount");
    let counted = Statistics::new(limited);
    let tracked = Tracking::new(Box::new(Arc::new(counted)));
    let (address, line) = (tracked.allocate(Request::new(MIB)), line!());
    address.expect("there is room");
    let pooled = pool.timeline().expect("it records").events();
    let sites: [&Location<'_>; 4] = [
        tracked.outstanding().allocations[0].site,
        pooled[0].site,
        pooled[1].site,
        upstream.outstanding().allocations[0].site,
    ];
    for site in sites {
        assert_eq!((site.file(), site.line()), (file!(), line));
    }
}

#[test]
fn the_call_site_passes_through_a_box() {
    let inside = Arc::new(Tracking::new(AddressSpace::new()));
    let boxed: Box<dyn MemoryResource> = Box::new(Arc::clone(&inside));
    let (address, line) = (boxed.allocate(Request::new(MIB)), line!());
    address.expect("there is room");
    let site = inside.outstanding().allocations[0].site;
    assert_eq!((site.file(), site.line()), (file!(), line));
}
