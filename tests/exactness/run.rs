//! Checks that compare profiles of random values with the allocator's counts, and the sums of their
//! results.

use crate::allocator::{blocks_of, live_bytes, owned_by};
use crate::blocks::complaint;
use crate::cases::CASES;
use crate::random::Random;
use crate::values::Value;
use memprof::tree::{Branch, Leaf};
use memprof::{Profile, total_bytes};
use std::fmt;
use std::ops::AddAssign;
use std::thread;

/// The number of threads that check values at the same time.
const THREADS: u64 = 2;

/// The maximum number of mismatches that are described; the others are only counted.
const DESCRIBED: usize = 10;

/// The results of checks of several values.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    values: u64,
    containers: u64,
    owned_bytes: u64,
    mismatches: u64,
    /// The number of leaves with an estimate and of values that could not be read.
    estimated: u64,
    described: Vec<String>,
    /// The number of the value under check. To start the checks with this value, set
    /// `MEMPROF_EXACTNESS_FIRST` to this number.
    number: u64,
}

/// Checks `count` values from number `first` on; the number alone determines a value.
pub(crate) fn values(count: u64, first: u64) -> Outcome {
    let share = |thread: u64| {
        let mut outcome = Outcome::default();
        for number in (first + thread..first + count).step_by(THREADS as usize) {
            let (name, check) = CASES[number as usize % CASES.len()];
            outcome.number = number;
            check(name, &mut Random::new(number), &mut outcome);
        }
        outcome
    };
    thread::scope(|scope| {
        let threads: Vec<_> =
            (0..THREADS).map(|thread| scope.spawn(move || share(thread))).collect();
        threads.into_iter().fold(Outcome::default(), |mut sum, thread| {
            sum += thread.join().expect("the profiler does not panic");
            sum
        })
    })
}

/// Creates one value of a type, and compares the bytes of its profile with those that the allocator
/// counted.
pub(crate) fn check<T: Value>(name: &'static str, random: &mut Random, outcome: &mut Outcome) {
    let mut again = random.clone();
    let before = live_bytes();
    let (value, owned) = owned_by(|| T::random(random));
    let expected = owned as u64 + size_of::<T>() as u64;
    let total = total_bytes(&value);
    let profile = Profile::of(&value);
    let leaves = sum_of_leaves(profile.root());
    let excused = !profile.is_exact() && estimates_are_allowed();
    outcome.values += 1;
    outcome.containers += random.containers;
    outcome.owned_bytes += owned as u64;
    outcome.estimated += count_estimated(profile.root());
    if excused {
        // The total of a value with estimates may differ from the allocator's.
    } else if total != expected || profile.total_bytes() != expected || leaves != expected {
        outcome.mismatch(|| {
            let (tree, exact) = (profile.total_bytes(), profile.is_exact());
            format!("{name}: {expected} B by the allocator; {total} B in total, {tree} B in the tree, {leaves} B in its leaves; exact: {exact}")
        });
    } else if !profile.is_exact() {
        outcome.mismatch(|| format!("{name}: not exact: {:?}", profile.root()));
    }
    drop(profile);
    drop(value);
    if live_bytes() != before {
        outcome.mismatch(|| {
            format!("{name}: {} B leaked by value and profile", live_bytes() - before)
        });
    }
    let (value, blocks) = blocks_of(|| T::random(&mut again));
    if let Some(complaint) = complaint(&value, &blocks).filter(|_| !excused) {
        outcome.mismatch(|| format!("{name}: {complaint}"));
    }
}

fn sum_of_leaves(root: Branch<'_>) -> u64 {
    root.subtree().flat_map(Branch::leaves).map(Leaf::bytes).sum()
}

fn count_estimated(root: Branch<'_>) -> u64 {
    let estimated = |leaf: &&Leaf| leaf.estimated_bytes() > 0;
    let leaves = root.subtree().flat_map(Branch::leaves).filter(estimated).count() as u64;
    leaves + root.subtree().flat_map(Branch::opaque).map(|(_, count)| count).sum::<u64>()
}

/// Returns `true` if values marked as not exact are left out. A std with randomized layouts has
/// many such values. All other values must still be exact.
pub(crate) fn estimates_are_allowed() -> bool {
    std::env::var_os("MEMPROF_EXACTNESS_ESTIMATES").is_some()
}

/// Returns the number in a variable, if it is set.
pub(crate) fn from_environment(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {text}")))
}

impl Outcome {
    fn mismatch(&mut self, describe: impl FnOnce() -> String) {
        self.mismatches += 1;
        if self.described.len() < DESCRIBED {
            let seed = self.number;
            self.described.push(format!("seed {seed}: {}", describe()));
        }
    }

    pub(crate) fn expect_exact(&self) {
        let described = self.described.join("\n");
        let estimated = if estimates_are_allowed() { 0 } else { self.estimated };
        assert!(self.mismatches == 0 && estimated == 0, "{self}\n{described}");
    }
}

impl AddAssign for Outcome {
    fn add_assign(&mut self, other: Self) {
        self.values += other.values;
        self.containers += other.containers;
        self.owned_bytes += other.owned_bytes;
        self.mismatches += other.mismatches;
        self.estimated += other.estimated;
        self.described.extend(other.described);
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "values: {}\ntypes: {}\ncontainers: {}\nbytes owned: {}\nmismatches: {}\nestimated leaves: {}",
            self.values,
            CASES.len(),
            self.containers,
            self.owned_bytes,
            self.mismatches,
            self.estimated
        )
    }
}
