//! More nested names than there are paths. Their table belongs to the process and is never emptied.

use crate::own_process::in_own_process;
use memprof_heap::operation::{OperationGuard, OperationSite};
use memprof_heap::operations;
use std::hint::black_box;
use std::sync::OnceLock;

const NAMES: usize = 5000;

#[test]
fn operations_beyond_the_last_path_are_counted_as_other() {
    in_own_process(|| {
        static SITES: OnceLock<Vec<OperationSite>> = OnceLock::new();
        let site = |name| {
            let name: &'static str = Box::leak(format!("{name}").into_boxed_str());
            OperationSite::new(name, file!(), line!())
        };
        let sites = SITES.get_or_init(|| (0..NAMES).map(site).collect());
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
