//! What is worked out for a summary: who allocated what is live, what grows, what no root explains.

use super::{Claims, LISTED, rows};
use crate::document::Summary;
use memprof_heap::LeakWatch;
use std::sync::Arc;

/// A summary that is to be worked out. It takes some 0.1 s when names are looked up.
#[derive(Debug)]
pub(crate) struct SummaryJob {
    /// The live samples, claimed by roots; `None` if there were no roots.
    pub(super) claims: Option<Claims>,
    pub(super) roots: Vec<String>,
    pub(super) watch: Option<Arc<LeakWatch>>,
}

impl SummaryJob {
    /// # Cost
    /// It is done by a thread of its own, as names are looked up.
    pub(crate) fn work_out(self) -> Summary {
        let operations = memprof_heap::operations();
        let largest = memprof_heap::largest(LISTED);
        let mut summary = Summary {
            operations: operations
                .map_or_else(|_| Vec::new(), |all| all.iter().map(rows::operation).collect()),
            framework_operations: memprof_heap::framework::summary()
                .rows()
                .iter()
                .map(rows::framework)
                .collect(),
            largest_blocks: largest
                .map_or_else(|_| Vec::new(), |all| all.blocks.iter().map(rows::block).collect()),
            leaks: self.watch.map_or_else(Vec::new, |watch| {
                watch.leaks().iter().take(LISTED).map(rows::leak).collect()
            }),
            ..Summary::default()
        };
        let has_roots = self.claims.is_some();
        if let Some(claims) = self.claims.or_else(Claims::take) {
            (summary.sites, summary.other_sites) = claims.sites();
            if has_roots {
                summary.unexplained_sites = claims.unexplained_sites();
                summary.unexplained_operations = claims.unexplained_operations();
                summary.claimed_twice = claims.pairs(&self.roots);
            }
        }
        summary
    }
}
