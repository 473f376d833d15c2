//! The work for a summary: call sites of live memory, suspects, and memory that no root explains.

use super::{Claims, LISTED, max_listed, rows, stacks};
use crate::bounded::BoundedNames;
use memprof_heap::leak::{Leak, LeakWatch};
use memprof_heap::site::{Names, largest_with, modules};
use memprof_recording::document::{Leak as Row, LeakVerdict, StackTable, Summary};
use std::sync::{Arc, Mutex, PoisonError};

/// A summary that is still to be computed. It takes about 0.1 s if names are looked up.
#[derive(Debug)]
pub(crate) struct SummaryJob {
    /// The live samples, claimed by roots; `None` if there were no roots.
    pub(super) claims: Option<Claims>,
    pub(super) roots: Vec<String>,
    pub(super) watch: Option<Arc<LeakWatch>>,
    pub(super) names: Names,
    pub(super) bounded: Option<Arc<Mutex<BoundedNames>>>,
    /// `true` if the last observation is from the end of the session, when most programs have freed
    /// their values.
    pub(super) is_end: bool,
    /// The numbers of the stacks that get names too.
    pub(super) stacks: Vec<u32>,
}

impl SummaryJob {
    /// Names these stacks too.
    pub(crate) fn with_stacks(self, stacks: Vec<u32>) -> Self {
        Self { stacks, ..self }
    }

    /// Computes the summary. Also returns the stacks that get names.
    ///
    /// # Cost
    /// Looking up names is slow, so a separate thread calls this.
    pub(crate) fn work_out(self) -> (Summary, StackTable) {
        let mut summary = Summary::default();
        without_names(&mut summary);
        if let Ok(largest) = largest_with(LISTED, self.names) {
            summary.largest_blocks = largest.blocks.iter().map(rows::block).collect();
        }
        if let Some(watch) = self.watch {
            let suspects = watch.leaks();
            let holders = |suspect: &Leak| {
                let claims = self.claims.as_ref();
                let of = |by: &Claims| by.holders(suspect, &self.roots);
                claims.map_or_else(Vec::new, of)
            };
            summary.leaks = suspects.iter().map(|one| rows::leak(one, holders(one))).collect();
            let before = self.is_end.then(|| watch.leaks_before_last());
            // The program may have stopped its work some time before the last observation.
            let ended: Vec<&Leak> = before.iter().flatten().collect();
            let is_new = |one: &&&Leak| !suspects.iter().any(|known| known.is_same_place(one));
            let row = |one: &&Leak| {
                let held_by = if one.was_freed { Vec::new() } else { holders(one) };
                Row { freed_at_end: one.was_freed, ..rows::leak(one, held_by) }
            };
            summary.leaks.extend(ended.iter().filter(is_new).map(row));
            summary.leaks.truncate(max_listed(self.names));
            let doubtful = suspects.uncertain().chain(suspects.replaced()).take(LISTED);
            let doubtful = doubtful.filter(|one| !ended.iter().any(|it| it.is_same_place(one)));
            summary.doubtful_leaks = doubtful.map(|one| rows::leak(one, holders(one))).collect();
            let mut evidence = rows::leak_watch(&suspects);
            if !summary.leaks.is_empty() {
                // At the end, the suspects may be those of the observation before.
                evidence.verdict = LeakVerdict::Leaks;
            }
            summary.leak_watch = Some(evidence);
        }
        let has_roots = self.claims.is_some();
        if let Some(claims) = self.claims.or_else(|| Claims::take(self.names)) {
            (summary.sites, summary.other_sites) = claims.sites();
            if has_roots {
                summary.unexplained_sites = claims.unexplained_sites();
                summary.unexplained_operations = claims.unexplained_operations();
                summary.claimed_twice = claims.pairs(&self.roots);
            }
        }
        let addresses = summary.places().filter_map(|place| place.address).collect();
        summary.modules = rows::modules(modules(), &addresses);
        let bounded = self.bounded;
        if let Some(bounded) = &bounded {
            let mut names = bounded.lock().unwrap_or_else(PoisonError::into_inner);
            names.resolve(&mut summary, LISTED);
        }
        if self.stacks.is_empty() {
            return (summary, StackTable::default());
        }
        let mut table = stacks::table(&self.stacks);
        if bounded.is_some() || self.names != Names::Off {
            // If the heap's queries name frames, no earlier look-up found names of addresses.
            let bounded = bounded.unwrap_or_default();
            let mut names = bounded.lock().unwrap_or_else(PoisonError::into_inner);
            names.resolve_stacks(&mut table, &self.stacks);
        }
        (summary, table)
    }
}

/// Sets the parts that need no names of functions.
pub(super) fn without_names(summary: &mut Summary) {
    if let Ok(operations) = memprof_heap::operations() {
        summary.operations = operations.iter().map(rows::operation).collect();
    }
    let framework = memprof_heap::framework::summary();
    summary.framework_operations = framework.rows().iter().map(rows::framework).collect();
}
