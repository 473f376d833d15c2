//! Operations on many threads at once.

use super::{block, find, flow};
use memprof_heap::operation::OperationSite;
use std::sync::Barrier;
use std::thread;

#[test]
fn guards_on_sixteen_threads_add_up() {
    static OUTER: OperationSite = OperationSite::new("on threads", file!(), line!());
    static INNER: OperationSite = OperationSite::new("within", file!(), line!());
    const THREADS: u64 = 16;
    const CALLS: u64 = 5000;
    let start = Barrier::new(THREADS as usize);
    thread::scope(|scope| {
        for thread in 1..=THREADS {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                for _ in 0..CALLS {
                    let _outer = OUTER.enter();
                    let _inner = INNER.enter();
                    drop(block(thread as usize));
                }
            });
        }
    });
    let bytes = CALLS * THREADS * (THREADS + 1) / 2;
    let blocks = CALLS * THREADS;
    for path in ["on threads", "on threads;within"] {
        let all = find(path);
        assert_eq!((all.calls, flow(&all)), (blocks, [bytes, blocks, bytes, blocks]), "{path}");
        assert_eq!((all.peak, all.max_net_bytes), (THREADS, 0), "{path}");
    }
}

#[test]
fn names_that_sixteen_threads_make_at_once_have_one_path_each() {
    static SITES: [OperationSite; 8] = [
        OperationSite::new("race 0", "", 0),
        OperationSite::new("race 1", "", 0),
        OperationSite::new("race 2", "", 0),
        OperationSite::new("race 3", "", 0),
        OperationSite::new("race 4", "", 0),
        OperationSite::new("race 5", "", 0),
        OperationSite::new("race 6", "", 0),
        OperationSite::new("race 7", "", 0),
    ];
    const THREADS: usize = 16;
    let start = Barrier::new(THREADS);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                for site in &SITES {
                    drop(site.enter());
                }
            });
        }
    });
    let all = memprof_heap::operations().expect("the level is Counters");
    let raced: Vec<_> = all.iter().filter(|of| of.name().starts_with("race ")).collect();
    assert_eq!(raced.len(), SITES.len());
    assert!(raced.iter().all(|of| of.calls == THREADS as u64), "{raced:?}");
}
