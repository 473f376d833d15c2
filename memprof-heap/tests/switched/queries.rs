//! A query's own work counts for the profilers, and its result for the program.

use crate::own_process::in_own_process;
use memprof_heap::operation::OperationSite;
use memprof_heap::site::live_samples;
use memprof_heap::{Level, Rate, Totals, largest, operations, set_level, set_rate, sites, totals};

static SITE: OperationSite = OperationSite::new("kept", file!(), line!());

/// Returns the counts before and after a query, and after its result was dropped.
///
/// The test harness has a thread of its own, which disturbs the counts. So the query runs several
/// times, and the result is from the run in which the program freed least.
fn counts_around<T>(query: impl Fn() -> T) -> [Totals; 3] {
    // The first query looks up names, which are cached.
    drop(query());
    let around = || {
        let before = totals().expect("it counts");
        let result = query();
        let after = totals().expect("it counts");
        drop(result);
        [before, after, totals().expect("it counts")]
    };
    let freed =
        |[before, after, _]: &[Totals; 3]| freed_by_program(after) - freed_by_program(before);
    (0..5).map(|_| around()).min_by_key(freed).expect("there are several")
}

fn freed_by_program(totals: &Totals) -> u64 {
    totals.freed_bytes - totals.profilers.freed_bytes
}

#[test]
fn a_query_frees_none_of_the_programs_memory_and_its_result_is_the_programs() {
    in_own_process(|| {
        set_rate(Rate::EACH_BLOCK);
        set_level(Level::Sampled);
        let operation = SITE.enter();
        let kept: Vec<Vec<u8>> = (1..2_000).map(|bytes| vec![0; bytes]).collect();
        drop(operation);
        let samples = live_samples().expect("samples are taken");
        let queries: [(&str, &dyn Fn() -> [Totals; 3]); 7] = [
            ("sites", &|| counts_around(|| sites().expect("samples are taken"))),
            ("largest", &|| counts_around(|| largest(10).expect("samples are taken"))),
            ("live_samples", &|| counts_around(|| live_samples().expect("samples are taken"))),
            ("operations", &|| counts_around(|| operations().expect("it counts"))),
            ("by_site", &|| counts_around(|| samples.by_site(|_| true))),
            ("largest_sites", &|| counts_around(|| samples.largest_sites(10, |_| true))),
            ("by_operation", &|| counts_around(|| samples.by_operation(|_| true))),
        ];
        for (name, counts) in queries {
            let [before, after, dropped] = counts();
            assert_eq!(freed_by_program(&after), freed_by_program(&before), "{name} freed");
            assert!(after.program_bytes() > before.program_bytes(), "{name} returns nothing");
            assert_eq!(dropped.program_bytes(), before.program_bytes(), "{name}");
            assert_eq!(dropped.profiler_bytes, before.profiler_bytes, "{name}");
        }
        drop(kept);
    });
}
