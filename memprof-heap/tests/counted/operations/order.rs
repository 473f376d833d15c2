//! Guards in any order: each counts what its thread does from the beginning to the end of the
//! guard.

use super::{block, operations, site};
use crate::random::Random;
use memprof_heap::operation::{OperationGuard, OperationSite};

/// An operation and its expected counts.
struct Expected {
    site: &'static OperationSite,
    guard: Option<OperationGuard>,
    runs: bool,
    allocated: u64,
    freed: u64,
    peak: i64,
    live: i64,
}

impl Expected {
    fn new(name: String) -> Self {
        let site = site(name);
        Self { site, guard: None, runs: false, allocated: 0, freed: 0, peak: 0, live: 0 }
    }
}

/// Operations and live blocks. The vectors have capacity for all, so that nothing else is counted.
struct Model {
    all: Vec<Expected>,
    blocks: Vec<Vec<u8>>,
}

impl Model {
    fn new(name: &str, operations: usize) -> Self {
        let all = (0..operations).map(|at| Expected::new(format!("{name} {at}"))).collect();
        Self { all, blocks: Vec::with_capacity(1000) }
    }

    fn enter(&mut self, at: usize) {
        let expected = &mut self.all[at];
        expected.guard = Some(expected.site.enter());
        expected.runs = true;
    }

    fn leave(&mut self, at: usize) {
        self.all[at].guard = None;
        self.all[at].runs = false;
    }

    fn allocate(&mut self, bytes: u64) {
        self.blocks.push(block(bytes as usize));
        for running in self.all.iter_mut().filter(|expected| expected.runs) {
            running.allocated += bytes;
            running.live += bytes.cast_signed();
            running.peak = running.peak.max(running.live);
        }
    }

    fn free(&mut self, at: usize) {
        if self.blocks.is_empty() {
            return;
        }
        let bytes = self.blocks.swap_remove(at % self.blocks.len()).capacity() as u64;
        for running in self.all.iter_mut().filter(|expected| expected.runs) {
            running.freed += bytes;
            running.live -= bytes.cast_signed();
        }
    }

    fn check(&self, what: &str) {
        let counted = operations().expect("the level is Counters");
        for expected in &self.all {
            let name = expected.site.name();
            let Some(of) = counted.iter().find(|of| of.name() == name) else {
                assert_eq!(expected.allocated + expected.freed, 0, "{what}: no {name}");
                continue;
            };
            let peak = of.peak.cast_signed();
            let figures = (of.allocated_bytes, of.freed_bytes, peak);
            let wanted = (expected.allocated, expected.freed, expected.peak);
            assert_eq!(figures, wanted, "{what}: {name}");
            assert_eq!(of.calls, 1, "{what}: {name}");
        }
    }
}

fn permutations(of: &[usize]) -> Vec<Vec<usize>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let first = |&first: &usize| {
        let rest: Vec<_> = of.iter().copied().filter(|&other| other != first).collect();
        permutations(&rest).into_iter().map(move |rest| [vec![first], rest].concat())
    };
    of.iter().flat_map(first).collect()
}

#[test]
fn four_guards_dropped_in_any_order_count_what_each_spans() {
    for order in permutations(&[0, 1, 2, 3]) {
        let mut model = Model::new(&format!("{order:?}"), 4);
        for at in 0..4 {
            model.enter(at);
            model.allocate(1 << at);
        }
        for &at in &order {
            model.allocate(100 << at);
            model.free(0);
            model.leave(at);
            model.allocate(10_000 << at);
            model.free(1);
        }
        model.check(&format!("{order:?}"));
    }
}

#[test]
fn random_guards_count_what_each_spans() {
    const OPERATIONS: u64 = 8;
    for round in 0..100 {
        let mut random = Random::new(round);
        let mut model = Model::new(&format!("round {round}"), OPERATIONS as usize);
        let mut next = 0;
        for _ in 0..60 {
            let at = random.below(OPERATIONS) as usize;
            match random.below(10) {
                0..2 if next < model.all.len() => {
                    model.enter(next);
                    next += 1;
                }
                2 => model.leave(at),
                3..7 => {
                    let power = random.below(20);
                    model.allocate(1 + random.below(1 << power));
                }
                _ => model.free(random.below(1000) as usize),
            }
        }
        for at in 0..model.all.len() {
            model.leave(at);
        }
        model.check(&format!("round {round}"));
    }
}
