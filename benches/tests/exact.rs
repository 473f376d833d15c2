//! Compares the hand-written sums with the counting allocator: a table of ratios needs an exact
//! sum.

use memprof_benches::counting::Counting;
use memprof_benches::peers::{HAND, MEMPROF_TOTAL, MEMPROF_TREE};
use memprof_benches::values::WORKLOADS;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn assert_exact(names: &[&str]) {
    for workload in WORKLOADS {
        for size in [0, 1, 9, 1_000, 30_011] {
            let subject = (workload.build)(size);
            for name in names {
                let reported = subject.side(name).measure();
                assert_eq!(reported, Ok(subject.bytes), "{name}: {} of {size}", workload.name);
            }
        }
    }
}

#[test]
fn hand_written_sums_are_exact() {
    assert_exact(&[HAND]);
}

#[test]
fn memprof_is_exact() {
    assert_exact(&[MEMPROF_TREE, MEMPROF_TOTAL]);
}

#[test]
fn every_subject_has_every_side() {
    for workload in WORKLOADS {
        let subject = (workload.build)(10);
        let names: Vec<_> = subject.sides.iter().map(|side| side.name).collect();
        assert_eq!(names, memprof_benches::peers::NAMES, "{}", workload.name);
    }
}
