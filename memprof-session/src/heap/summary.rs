//! A summary: call sites of live memory, suspects, and memory that no root explains.

use super::{Claims, Heap, LISTED, NAMES, SITES_LISTED, rows};
use crate::framework;
use memprof_heap::leak::Leak;
use memprof_heap::site::largest_with;
use memprof_recording::document::{Leak as Row, LeakVerdict, Summary};

impl Heap {
    /// Returns a summary of this moment. `roots` are the names of the roots that have claimed
    /// samples, and `is_end` states whether the session ends.
    ///
    /// At the end, most programs have freed their values, so the suspects of the observation before
    /// are listed too.
    pub(crate) fn summary(
        &self,
        claims: Option<Claims>,
        roots: &[String],
        is_end: bool,
    ) -> Summary {
        let mut summary = Summary::default();
        if let Ok(operations) = memprof_heap::operations() {
            summary.operations = operations.iter().map(rows::operation).collect();
        }
        let framework = framework::summary();
        summary.framework_operations = framework.rows().iter().map(rows::framework).collect();
        if let Ok(largest) = largest_with(LISTED, NAMES) {
            summary.largest_blocks = largest.blocks.iter().map(rows::block).collect();
        }
        if let Some(watch) = &self.watch {
            let suspects = watch.leaks();
            let holders = |suspect: &Leak| {
                let claims = claims.as_ref();
                let of = |by: &Claims| by.holders(suspect, roots);
                claims.map_or_else(Vec::new, of)
            };
            summary.leaks = suspects.iter().map(|one| rows::leak(one, holders(one))).collect();
            let before = is_end.then(|| watch.leaks_before_last());
            // The program may have stopped its work some time before the last observation.
            let ended: Vec<&Leak> = before.iter().flatten().collect();
            let is_new = |one: &&&Leak| !suspects.iter().any(|known| known.is_same_place(one));
            let row = |one: &&Leak| {
                let held_by = if one.was_freed { Vec::new() } else { holders(one) };
                Row { freed_at_end: one.was_freed, ..rows::leak(one, held_by) }
            };
            summary.leaks.extend(ended.iter().filter(is_new).map(row));
            summary.leaks.truncate(SITES_LISTED);
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
        let has_roots = claims.is_some();
        if let Some(claims) = claims.or_else(Claims::take) {
            (summary.sites, summary.other_sites) = claims.sites();
            if has_roots {
                summary.unexplained_sites = claims.unexplained_sites();
                summary.unexplained_operations = claims.unexplained_operations();
                summary.claimed_twice = claims.pairs(roots);
            }
        }
        let addresses = summary.places().filter_map(|place| place.address).collect();
        summary.modules = rows::modules(&addresses);
        summary
    }
}
