//! Snapshots: the heap, the process, the roots and the sources at one moment.

use super::Recorder;
use super::stacks::{highest_peak, live_bytes};
use super::summaries::Summarise;
use crate::clock::nanoseconds;
use crate::deadline::Deadline;
use crate::heap::{self, Claims};
use crate::roots::{FoundRoots, Limits, SharedClaims, Wanted};
use crate::self_cost;
use memprof_recording::document::{LiveStacks, Reconciliation, SelfCost, Snapshot, Trigger};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

impl Recorder {
    /// Takes a snapshot and writes it.
    pub(crate) fn snapshot(
        &mut self,
        at_ns: u64,
        trigger: Trigger,
        name: Option<String>,
        deadline: Deadline,
    ) -> Arc<Snapshot> {
        self.look(at_ns, trigger, name, Summarise::IfDue, deadline)
    }

    /// Takes a snapshot and computes a summary of it for the document.
    pub(crate) fn snapshot_for_report(
        &mut self,
        at_ns: u64,
        trigger: Trigger,
        name: Option<String>,
        deadline: Deadline,
    ) {
        self.look(at_ns, trigger, name, Summarise::Now, deadline.part(2));
    }

    fn look(
        &mut self,
        at_ns: u64,
        trigger: Trigger,
        name: Option<String>,
        summarise: Summarise,
        deadline: Deadline,
    ) -> Arc<Snapshot> {
        let began = Instant::now();
        self.drop_removed_roots();
        self.user_code.take_late();
        if self.files.is_none() && self.wants_files {
            // A warning about the failure was given when the session began.
            let _ = self.open();
        }
        if let Some(heap) = &mut self.heap {
            heap.observe(at_ns);
        }
        let (totals, table_bytes) = self.heap.as_ref().and_then(|_| heap::totals()).unzip();
        // Read the process's memory at the moment of the totals: walking the roots allocates memory
        // that the totals do not include.
        let process = self.process.read();
        // Each snapshot takes the live samples again, because blocks are allocated and freed
        // between snapshots.
        let has_stacks = trigger != Trigger::Interval;
        let claims = match &self.heap {
            Some(heap) if has_stacks || !self.roots.is_empty() => heap.claims(),
            _ => None,
        };
        let stacks = totals.zip(claims.as_ref()).filter(|_| has_stacks);
        let stacks = stacks.map(|(totals, claims)| LiveStacks {
            at_ns,
            trigger,
            name: name.clone(),
            snapshot: Some(self.metadata.snapshots),
            live_bytes: totals.live_bytes,
            root_names: Vec::new(),
            rows: claims.rows(),
        });
        if let Some(stacks) = &stacks {
            // Write the stacks before the roots are walked, because the system may kill the program
            // during the walk.
            self.write_stacks(stacks);
        }
        let claims = claims.filter(|_| !self.roots.is_empty());
        let claims = claims.map(|claims| SharedClaims::new(Mutex::new(Some(claims))));
        let found = self.walk_roots(at_ns, trigger, claims.as_ref(), deadline);
        // From now on, a root that is still being walked can claim no more samples.
        let mut claims =
            claims.and_then(|claims| claims.lock().unwrap_or_else(PoisonError::into_inner).take());
        let root_names = claims.as_mut().map(|claims| {
            let names = found.names(claims.owners(), &self.roots);
            claims.renumber(names)
        });
        let root_names = root_names.unwrap_or_default();
        if let (Some(stacks), Some(claims)) = (stacks, &claims) {
            let root_names = root_names.clone();
            self.write_stacks(&LiveStacks { root_names, rows: claims.rows(), ..stacks });
        }
        let held = found.devices();
        // Blocks are unexplained only if all roots were visited.
        let all_seen = !found.ids.is_empty() && found.all_seen;
        let reconciliation = totals.filter(|_| all_seen).map(|totals| Reconciliation {
            live_bytes: totals.live_bytes.saturating_add(totals.profiler_bytes),
            profiler_bytes: Some(totals.profiler_bytes),
            roots_bytes: found.heap_bytes,
            roots_exact: found.all_exact,
            explained: claims.as_ref().map(Claims::explained),
            unexplained: claims.as_ref().map(Claims::unexplained),
            claimed_twice: claims.as_ref().map(Claims::claimed_twice),
        });
        let sources = self.sources.read(&held, self.limit(), deadline, &mut self.user_code);
        let (tensor_count, devices) =
            (found.tensors.count, found.tensors.by_device(&held, claims.as_ref()));
        let has_missed = found.has_missed;
        let (roots, roots_not_listed) = found.into_readings();
        let snapshot = Snapshot {
            number: self.metadata.snapshots,
            at_ns,
            trigger,
            name,
            heap: totals,
            process,
            profiler: SelfCost { table_bytes, ..SelfCost::default() },
            tensor_count,
            devices,
            roots,
            roots_not_listed,
            sources,
            reconciliation,
        };
        self.metadata.snapshots += 1;
        let snapshot = self.write(snapshot, has_missed, began);
        self.summarise(at_ns, summarise, claims, &root_names, trigger == Trigger::End);
        snapshot
    }

    fn write(&mut self, mut snapshot: Snapshot, has_missed: bool, began: Instant) -> Arc<Snapshot> {
        self.take_events();
        snapshot.profiler = SelfCost {
            // Waits for late jobs are left out, because they cost the program nothing.
            snapshot_ns: nanoseconds(began.elapsed().saturating_sub(self.user_code.take_late())),
            cpu_ns: self_cost::cpu_ns().map(|ns| ns + self.user_code.cpu_ns()),
            heap_bytes: snapshot.heap.map(|heap| heap.profiler_bytes),
            table_bytes: snapshot.profiler.table_bytes,
        };
        if self.files.is_none() {
            self.not_written.snapshots += 1;
        }
        self.written(|files, _, _| files.add_snapshot(&snapshot));
        if let Some(heap) = &snapshot.heap {
            let live = live_bytes(heap);
            self.peaks.check_reset(highest_peak(heap), live);
            if snapshot.trigger != Trigger::Interval {
                let took = Duration::from_nanos(snapshot.profiler.snapshot_ns);
                self.peaks.took_snapshot(snapshot.at_ns, live, took, has_missed);
            }
        }
        self.watch_live();
        let snapshot = Arc::new(snapshot);
        self.history.add(&snapshot);
        snapshot
    }

    fn walk_roots(
        &mut self,
        at_ns: u64,
        trigger: Trigger,
        claims: Option<&SharedClaims>,
        deadline: Deadline,
    ) -> FoundRoots {
        let wanted = match trigger {
            Trigger::Interval => Wanted::Rested,
            Trigger::Peak => Wanted::RestedForPeak,
            // The program requested this snapshot, so it walks all roots, even those that were
            // walked recently.
            _ => Wanted::All,
        };
        let limits = Limits { walk: self.config.walk_budget, root: self.limit(), all: deadline };
        self.roots.profile(at_ns, limits, wanted, claims, &mut self.user_code)
    }

    /// Returns the time after which a root or source is stuck.
    fn limit(&self) -> Duration {
        /// The time allowed beyond the walk's budget: closures may copy values, and panics print
        /// backtraces.
        const MAX: Duration = Duration::from_secs(1);
        self.config.walk_budget.saturating_add(MAX)
    }

    /// Returns the time that all roots and sources of a snapshot may take.
    pub(crate) fn snapshot_budget(&self) -> Duration {
        const MIN: Duration = Duration::from_secs(4);
        /// A call that requests a snapshot waits at most 30 s.
        const MAX: Duration = Duration::from_secs(20);
        let roots = u32::try_from(self.roots.len()).unwrap_or(u32::MAX);
        self.config.walk_budget.saturating_mul(roots).saturating_add(MIN).min(MAX)
    }
}

/// Returns the minimum time to the next snapshot, so that snapshots take at most 1 % of the time.
pub(crate) fn rest_after(snapshot: &Snapshot) -> Duration {
    Duration::from_nanos(snapshot.profiler.snapshot_ns.saturating_mul(99))
}
