//! More nested names than there are paths, and more paths on more threads than there are records.
//! Both tables belong to the process and are never emptied.

use crate::own_process::in_own_process;
use memprof_heap::operation::{OperationGuard, OperationSite};
use memprof_heap::{operations, totals};
use std::hint::black_box;
use std::sync::{Barrier, OnceLock};
use std::thread;

const NAMES: usize = 5000;

fn sites(count: usize) -> &'static [OperationSite] {
    static SITES: OnceLock<Vec<OperationSite>> = OnceLock::new();
    let site = |name| {
        let name: &'static str = Box::leak(format!("{name}").into_boxed_str());
        OperationSite::new(name, file!(), line!())
    };
    SITES.get_or_init(|| (0..count).map(site).collect())
}

#[test]
fn operations_beyond_the_last_path_are_counted_as_other() {
    in_own_process(|| {
        let sites = sites(NAMES);
        let mut guards: Vec<OperationGuard> = Vec::with_capacity(NAMES);
        for site in sites {
            guards.push(site.enter());
            drop(black_box(Vec::<u8>::with_capacity(10)));
        }
        while let Some(inner) = guards.pop() {
            drop(inner);
        }
        let all = operations().expect("the level is Counters");
        let outermost = all.find("0").expect("it has a path");
        assert_eq!(outermost.allocated_bytes, 10 * NAMES as u64);
        let own_paths = all.iter().filter(|of| of.name() != "<other>").count();
        assert!((4000..4100).contains(&own_paths), "{own_paths}");
        // Operations without a path of their own share the path `<other>`, although they run within
        // each other.
        let others = all.find("<other>").expect("there are others");
        let left = NAMES - own_paths;
        assert_eq!(others.calls, left as u64);
        assert_eq!(others.allocated_bytes, 10 * left as u64);

        // A name with a path keeps it, and a name without one still counts.
        drop(sites[0].enter());
        {
            let _other = sites[NAMES - 1].enter();
            drop(black_box(Vec::<u8>::with_capacity(777)));
        }
        let all = operations().expect("the level is Counters");
        assert_eq!(all.find("0").map(|of| of.calls), Some(2));
        let others = all.find("<other>").expect("there are others");
        assert_eq!(others.allocated_bytes, 10 * left as u64 + 777);
    });
}

#[test]
#[cfg_attr(miri, ignore = "runs 264,000 operations")]
fn records_of_many_threads_are_bounded() {
    const PATHS: usize = 4000;
    const THREADS: usize = 66;
    const MAX_RECORDS: u64 = 1 << 18;

    in_own_process(|| {
        let sites = sites(PATHS);
        let before = totals().expect("it counts").profilers.table_bytes;
        let all_run = Barrier::new(THREADS);
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    for site in sites {
                        drop(site.enter());
                    }
                    // No thread takes over the records of another.
                    all_run.wait();
                });
            }
        });
        let grown = totals().expect("it counts").profilers.table_bytes - before;
        let most = 184 * (MAX_RECORDS + 2 * THREADS as u64) + 8192 * THREADS as u64;
        assert!((184 * MAX_RECORDS..most).contains(&grown), "{grown}");
        let all = operations().expect("it counts");
        let calls = |other| {
            let of = all.iter().filter(|of| (of.name() == "<other>") == other);
            of.map(|of| of.calls).sum::<u64>()
        };
        assert_eq!(calls(true) + calls(false), (PATHS * THREADS) as u64);
        assert_eq!(calls(true), (PATHS * THREADS) as u64 - MAX_RECORDS);
    });
}
