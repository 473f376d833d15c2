//! The recorder, which takes snapshots and writes them to the files.
//!
//! All code here runs on the session's thread, so nothing here is shared. The caller passes the
//! time, so that a test can let a week pass in seconds.

mod thread;

pub(crate) use thread::{FINISH, SessionThread};

use crate::config::{Config, ConfigError, Origin};
use crate::files::{Caps, Files};
use crate::heap::{self, Claims, Heap};
use crate::landmarks::{History, PeakStacks};
use crate::peaks::{Action, Peaks};
use crate::pressure::Pressure;
use crate::process_memory::{Counted, ProcessMemoryReader, ResidentReader};
use crate::roots::{FoundRoots, GraphLeft, Limits, Root, Roots, SharedClaims, Wanted};
use crate::sources::Sources;
use crate::threads;
use crate::time::{Clock, Deadline, Schedule, nanoseconds};
use crate::user_code::UserCode;
use crate::warnings::Warnings;
use memprof_recording::Recording;
use memprof_recording::document::{
    Ended, HeapTotals, LiveStacks, MemoryPressure, Metadata, NotWritten, OperationPath,
    Reconciliation, ResidentMemory, SelfCost, Snapshot, Summary, ThreadName, Trigger,
};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, io};

/// The rest after a summary, in multiples of its duration: summaries take at most 1 % of the time.
const SUMMARY_REST: u32 = 99;

/// The largest size of the graphs of a snapshot, in handles, shared allocations and names. They take
/// at most about 30 ms and 18 MB. For most values, a walk of 10 ms finds no larger graph.
const MAX_GRAPH: usize = 1 << 18;

/// What the summary of a snapshot needs, beside the allocator.
struct Summarised {
    at_ns: u64,
    is_end: bool,
    claims: Option<Claims>,
    /// The names of the roots that have claimed samples.
    roots: Vec<String>,
}

/// Takes the snapshots of a session and writes its files.
pub(crate) struct Recorder {
    config: Config,
    clock: Clock,
    metadata: Metadata,
    files: Option<Files>,
    /// `true` if files are to be created once that is possible.
    wants_files: bool,
    has_timeline: bool,
    /// The counts of what was lost because there was no file.
    not_written: NotWritten,
    /// New paths of operations that are not written yet.
    paths: Vec<OperationPath>,
    /// New names of threads, while there is no file.
    thread_names: Vec<ThreadName>,
    heap: Option<Heap>,
    roots: Roots,
    removed_roots: Vec<Root>,
    sources: Sources,
    user_code: UserCode,
    process: ProcessMemoryReader,
    resident: ResidentReader,
    pressure: Pressure,
    reached: Option<Box<MemoryPressure>>,
    warnings: Warnings,
    /// The user is warned once, because the next file fails for the same reason.
    is_unwritable: bool,
    history: History,
    peaks: Peaks,
    peak_stacks: PeakStacks,
    /// The number of calls of operations that were lost because the buffers in memory were full.
    lost_events: u64,
    summary: Summary,
    due: Option<Summarised>,
    /// The time until which no summary is computed, because the last one took long.
    next_summary_ns: u64,
    /// The time until which events wait, because recording panicked.
    rests_until_ns: u64,
}

impl Recorder {
    pub(crate) fn new(config: Config, clock: Clock, heap: Option<Heap>) -> Self {
        let metadata = metadata(&config, clock, heap.is_some());
        Self {
            config,
            clock,
            metadata,
            files: None,
            wants_files: false,
            has_timeline: true,
            not_written: NotWritten::default(),
            paths: Vec::new(),
            thread_names: Vec::new(),
            heap,
            roots: Roots::default(),
            removed_roots: Vec::new(),
            sources: Sources::default(),
            user_code: UserCode::new(),
            process: ProcessMemoryReader::new(),
            resident: ResidentReader::new(),
            pressure: Pressure::default(),
            reached: None,
            warnings: Warnings::default(),
            is_unwritable: false,
            history: History::default(),
            peaks: Peaks::default(),
            peak_stacks: PeakStacks::default(),
            lost_events: 0,
            summary: Summary::default(),
            due: None,
            next_summary_ns: 0,
            rests_until_ns: 0,
        }
    }

    /// Creates the files; if that fails, warns and names the origin of the folder.
    fn begin_files(&mut self, folder_named_by: &Origin) {
        if let Err(error) = self.open() {
            self.is_unwritable = true;
            let folder = &self.config.output_dir;
            let wrong = ConfigError::output_folder(folder_named_by.clone(), folder, error);
            self.warn(format!("{wrong}; the program continues, and each snapshot retries"));
        }
    }

    fn open(&mut self) -> io::Result<()> {
        self.wants_files = true;
        fs::create_dir_all(&self.config.output_dir)?;
        let caps = Caps {
            timeline_bytes: self.config.timeline_bytes,
            events: self.config.operation_events,
        };
        self.files = Some(Files::create(&self.config.output_dir, &self.metadata, caps)?);
        if let Some(heap) = &mut self.heap {
            heap.forget_written_stacks();
            #[cfg(unix)]
            self.files.iter_mut().for_each(Files::add_refusals);
        }
        Ok(())
    }

    pub(crate) fn warn(&mut self, warning: String) {
        self.warnings.warn(warning);
    }

    fn remove_root(&mut self, name: &str) {
        self.removed_roots.extend(self.roots.remove(name));
    }

    /// Drops the removed roots, all at once: waiting for another thread takes a few microseconds.
    fn drop_removed_roots(&mut self) {
        let removed = core::mem::take(&mut self.removed_roots);
        self.user_code.drop_values(removed);
    }

    /// Without a rest, the session's thread could panic again at once.
    fn rest_after_panic(&mut self, now_ns: u64) {
        const REST: Duration = Duration::from_millis(900);
        self.peaks.panicked(now_ns);
        self.rests_until_ns = now_ns.saturating_add(nanoseconds(REST));
    }

    fn write_document(&mut self, at_ns: u64, ended: Ended) -> io::Result<()> {
        self.metadata.ended = ended;
        self.metadata.generated_ns = at_ns;
        self.metadata.generated_at = self.clock.moment(at_ns);
        if self.files.is_none() && self.wants_files {
            let opened = self.open();
            self.finish_summary();
            opened?;
        }
        self.finish_summary();
        // The document contains everything, even if the timeline has no room for the last lines.
        if !self.written(Files::add_last_lines) {
            self.finish_summary();
        }
        let Some(files) = &self.files else { return Ok(()) };
        let written = files.write_document(&self.metadata, &self.summary);
        if let Err(error) = &written {
            let path = files.document_path().to_owned();
            self.warn_unwritable(&path, error);
            self.finish_summary();
        }
        written
    }

    /// If removing fails after the document was written, both files stay.
    fn remove_timeline(&mut self) {
        if let Some(files) = &mut self.files {
            self.has_timeline = files.remove_timeline().is_err();
        }
    }

    fn paths(&self) -> Option<(&Path, &Path)> {
        self.files.as_ref().map(|files| (files.document_path(), files.timeline_path()))
    }

    fn doublings(&self) -> u32 {
        self.files.as_ref().map_or(0, Files::doublings)
    }

    /// Takes a snapshot and writes it. A summary of it may be [due](Self::summarise_if_due).
    fn snapshot(
        &mut self,
        at_ns: u64,
        trigger: Trigger,
        name: Option<String>,
        deadline: Deadline,
    ) -> Arc<Snapshot> {
        let (snapshot, summarised) = self.take_snapshot(at_ns, trigger, name, deadline);
        self.due = Some(summarised).filter(|of| of.at_ns >= self.next_summary_ns);
        snapshot
    }

    fn snapshot_for_document(
        &mut self,
        at_ns: u64,
        trigger: Trigger,
        name: Option<String>,
        deadline: Deadline,
    ) {
        let (_, summarised) = self.take_snapshot(at_ns, trigger, name, deadline.part(2));
        self.summarise(summarised);
    }

    /// The caller of the snapshot has its answer by then.
    fn summarise_if_due(&mut self) {
        if let Some(due) = self.due.take() {
            self.summarise(due);
        }
    }

    fn take_snapshot(
        &mut self,
        at_ns: u64,
        trigger: Trigger,
        name: Option<String>,
        deadline: Deadline,
    ) -> (Arc<Snapshot>, Summarised) {
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
        let (totals, profilers) = self.heap.as_ref().and_then(|_| heap::totals()).unzip();
        let table_bytes = profilers.map(|profilers| profilers.table_bytes);
        // Read the process's memory at the moment of the totals: walking the roots allocates memory
        // that the totals do not include.
        let process = self.process.read();
        // Each snapshot takes the live samples again: blocks come and go in between.
        let has_stacks = trigger != Trigger::Interval;
        let mut claims = match &self.heap {
            Some(heap) if has_stacks || !self.roots.is_empty() => heap.claims(),
            _ => None,
        };
        let stacks = totals.zip(claims.as_ref()).filter(|_| has_stacks);
        let stacks = stacks.map(|(totals, claims)| LiveStacks {
            name: name.clone(),
            snapshot: Some(self.metadata.snapshots),
            rows: claims.rows(),
            ..LiveStacks::new(at_ns, trigger, totals.live_bytes)
        });
        if let Some(stacks) = &stacks {
            // Write the stacks first, because the system may kill the program during the walk.
            self.write_stacks(stacks);
        }
        // Read the parts before the roots are walked, too: a walk allocates.
        let resident = self.read_resident(at_ns, trigger, deadline);
        if let (Some(_), Some(stacks), Some(claims)) = (&resident, &stacks, &mut claims)
            && self.resident.begin_pinned(at_ns, trigger)
            && claims.read_pinned()
            && self.roots.is_empty()
        {
            // The rows are written already.
            let more = LiveStacks {
                name: stacks.name.clone(),
                root_names: Vec::new(),
                rows: Vec::new(),
                pinned: claims.pinned(),
                ..*stacks
            };
            self.written(|files, _, _| files.add_live_stacks(&more));
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
            let (rows, pinned) = (claims.rows(), claims.pinned());
            self.write_stacks(&LiveStacks { root_names, rows, pinned, ..stacks });
        }
        let held = found.devices();
        // Blocks are unexplained only if all roots were visited.
        let all_seen = !found.ids.is_empty() && !found.has_unseen;
        let reconciliation = totals.filter(|_| all_seen).map(|totals| Reconciliation {
            live_bytes: totals.live_bytes.saturating_add(totals.profiler_bytes),
            profiler_bytes: Some(totals.profiler_bytes),
            roots_bytes: found.heap_bytes,
            roots_exact: !found.has_inexact,
            explained: claims.as_ref().map(Claims::explained),
            unexplained: claims.as_ref().map(Claims::unexplained),
            claimed_twice: claims.as_ref().map(Claims::claimed_twice),
        });
        let sources = self.sources.read(&held, self.limit(), deadline, &mut self.user_code);
        let (tensor_count, devices) =
            (found.tensor_count(), found.device_readings(claims.as_ref()));
        let has_missed = found.has_missed;
        let (roots, roots_not_listed) = found.into_readings();
        let snapshot = Snapshot {
            number: self.metadata.snapshots,
            at_ns,
            trigger,
            name,
            heap: totals,
            process,
            resident: resident.map(Box::new),
            pressure: self.reached.take(),
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
        let is_end = trigger == Trigger::End;
        (snapshot, Summarised { at_ns, is_end, claims, roots: root_names })
    }

    fn read_resident(
        &mut self,
        at_ns: u64,
        trigger: Trigger,
        deadline: Deadline,
    ) -> Option<ResidentMemory> {
        if !self.resident.is_due(at_ns, trigger, deadline.left()) {
            return None;
        }
        let heap = self.heap.as_ref();
        self.resident.read(at_ns, || {
            let (totals, profilers) = heap.and_then(|_| heap::totals())?;
            Some(Counted {
                live_bytes: totals.live_bytes,
                live_blocks: totals.live_blocks,
                profiler_bytes: totals.profiler_bytes,
                table_bytes: i64::try_from(profilers.table_bytes).unwrap_or(i64::MAX),
                reserved_bytes: i64::try_from(profilers.reserved_bytes).unwrap_or(i64::MAX),
                is_complete: totals.counted_ns.is_none(),
            })
        })
    }

    /// Also waits until the timeline is on the disk.
    fn snapshot_near_limit(&mut self, now_ns: u64) {
        /// The time for roots and sources. The program may be killed before it is over.
        const LIMIT: Duration = Duration::from_millis(200);
        let Self { pressure, process, .. } = self;
        let Some((level, reached)) = pressure.poll(now_ns, || process.pressure()) else { return };
        self.reached = Some(Box::new(reached));
        let name = Some(format!("{level} %"));
        drop(self.snapshot(now_ns, Trigger::Limit, name, Deadline::after(LIMIT)));
        self.summarise_if_due();
        self.written(|files, _, _| files.sync());
    }

    fn write(&mut self, mut snapshot: Snapshot, has_missed: bool, began: Instant) -> Arc<Snapshot> {
        self.take_events();
        snapshot.profiler = SelfCost {
            // Waits for late jobs are left out, because they cost the program nothing.
            snapshot_ns: nanoseconds(began.elapsed().saturating_sub(self.user_code.take_late())),
            cpu_ns: threads::cpu_ns().map(|ns| ns + self.user_code.cpu_ns()),
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
            // The program requested this snapshot, so it includes roots that were walked recently.
            _ => Wanted::All,
        };
        let limits = Limits {
            walk: self.config.walk_budget,
            root: self.limit(),
            all: deadline,
            graph_left: match trigger {
                // A caller waits for these snapshots, or they are the last ones.
                Trigger::Checkpoint | Trigger::Request | Trigger::End => {
                    Some(GraphLeft::new(MAX_GRAPH.into()))
                }
                _ => None,
            },
        };
        self.roots.profile(at_ns, &limits, wanted, claims, &mut self.user_code)
    }

    /// Returns the time after which a root or source is stuck.
    fn limit(&self) -> Duration {
        /// The time allowed beyond the walk's budget: closures may copy values, and panics print
        /// backtraces.
        const MAX: Duration = Duration::from_secs(1);
        self.config.walk_budget.saturating_add(MAX)
    }

    fn snapshot_budget(&self) -> Duration {
        const MIN: Duration = Duration::from_secs(4);
        /// A call that requests a snapshot waits at most 30 s.
        const MAX: Duration = Duration::from_secs(20);
        let roots = u32::try_from(self.roots.len()).unwrap_or(u32::MAX);
        self.config.walk_budget.saturating_mul(roots).saturating_add(MIN).min(MAX)
    }

    /// Returns the action for a peak that the allocator found, or that has no snapshot yet.
    fn peak_action(&mut self, now_ns: u64) -> Action {
        let Some(heap) = &self.heap else { return Action::Nothing };
        if heap.took_peak() {
            self.peaks.found();
        }
        if self.peaks.wait(now_ns) != Some(Duration::ZERO) {
            return Action::Nothing;
        }
        let live = heap::totals().map_or(0, |(totals, _)| live_bytes(&totals));
        let action = self.peaks.action(now_ns, live);
        if action == Action::Nothing {
            self.watch_live();
        }
        action
    }

    fn next_action_in(&self, now_ns: u64) -> Option<Duration> {
        self.peaks.wait(now_ns).into_iter().chain(self.pressure.wait(now_ns)).min()
    }

    fn record_stacks(&mut self, at_ns: u64) {
        let began = Instant::now();
        let (Some(heap), Some((totals, _))) = (&self.heap, heap::totals()) else { return };
        let claims = heap.claims();
        self.peaks.check_reset(highest_peak(&totals), live_bytes(&totals));
        if let Some(claims) = &claims {
            let moment = LiveStacks::new(at_ns, Trigger::Peak, totals.live_bytes);
            self.write_stacks(&LiveStacks { rows: claims.rows(), ..moment });
        }
        self.peaks.took_stacks(at_ns, live_bytes(&totals), began.elapsed());
        self.watch_live();
    }

    fn write_stacks(&mut self, moment: &LiveStacks) {
        /// The number of rows whose stacks are written at once, so that this takes little memory.
        const ROWS_A_LINE: usize = 256;
        self.peak_stacks.note(moment);
        for rows in moment.rows.chunks(ROWS_A_LINE) {
            let Some(heap) = &self.heap else { return };
            if !self.files.as_ref().is_some_and(Files::has_space_for_stacks) {
                break;
            }
            let stacks = heap.new_stacks(rows);
            if stacks.addresses.is_empty() {
                continue;
            }
            let is_written = self.written(|files, _, _| files.add_stacks(&stacks));
            if let Some(heap) = self.heap.as_mut().filter(|_| is_written) {
                heap.stacks_written(&stacks);
            }
        }
        self.written(|files, _, _| files.add_live_stacks(moment));
    }

    /// Returns a few snapshots, the summary, and the live stacks of the highest moment and of `now`.
    fn landmarks(&self, now: Option<LiveStacks>) -> Recording {
        let mut recording = Recording::with_summary(self.metadata.clone(), self.summary.clone());
        recording.snapshots = self.history.landmarks();
        if let Some(heap) = &self.heap {
            recording.live_stacks =
                self.peak_stacks.highest().cloned().into_iter().chain(now).collect();
            let rows = recording.live_stacks.iter().flat_map(|moment| &moment.rows);
            recording.operation_paths = heap.paths_of(rows.clone());
            recording.stacks = heap.stacks(rows.map(|row| row.stack));
        }
        recording
    }

    fn recording_of_now(&self, at_ns: u64) -> Recording {
        let claims = self.heap.as_ref().and_then(Heap::claims);
        self.landmarks(claims.zip(heap::totals()).map(|(claims, (totals, _))| LiveStacks {
            rows: claims.rows(),
            ..LiveStacks::new(at_ns, Trigger::Request, totals.live_bytes)
        }))
    }

    /// Requests a wake as soon as the live bytes exceed the limit for the next recorded moment.
    fn watch_live(&self) {
        if let Some(heap) = self.heap.as_ref().filter(|_| self.peaks.is_watching()) {
            heap.watch_live(self.peaks.limit());
        }
    }

    fn summarise(&mut self, Summarised { at_ns, is_end, claims, roots }: Summarised) {
        let Some(heap) = &self.heap else { return };
        self.due = None;
        let began = Instant::now();
        self.summary = heap.summary(claims, &roots, is_end);
        self.summary.at_ns = Some(at_ns);
        self.finish_summary();
        self.written(|files, _, summary| files.add_passing_summary(summary, at_ns));
        let rest: Duration = began.elapsed().saturating_mul(SUMMARY_REST);
        self.next_summary_ns = at_ns.saturating_add(nanoseconds(rest));
    }

    fn finish_summary(&mut self) {
        let mut dropped = self.files.as_ref().map(Files::dropped_events).unwrap_or_default();
        dropped.not_recorded = self.lost_events;
        self.summary.dropped_events = dropped;
        self.summary.not_written = self.not_written();
        self.summary.warnings = self.warnings.all().to_vec();
    }

    fn not_written(&self) -> NotWritten {
        let files = self.files.as_ref().map(Files::not_written).unwrap_or_default();
        NotWritten {
            snapshots: self.not_written.snapshots + files.snapshots,
            events: self.not_written.events + files.events,
            operation_paths: self.paths.len() as u64,
        }
    }

    fn take_events_unless_resting(&mut self, now_ns: u64) {
        if now_ns >= self.rests_until_ns {
            self.take_events();
        }
    }

    fn take_events(&mut self) {
        let Some(heap) = &mut self.heap else { return };
        // A path is added before its first event, so take the paths after the events.
        let (events, names, lost) = heap.new_events();
        self.paths.extend(heap.new_paths());
        self.lost_events += lost;
        self.add_thread_names(names);
        if !self.paths.is_empty() {
            // Without its path an event has no name, so paths are kept until they are written.
            let paths = core::mem::take(&mut self.paths);
            if !self.written(|files, _, _| files.add_paths(&paths)) {
                self.paths = paths;
            }
        }
        if !events.is_empty() {
            if self.files.is_none() {
                self.not_written.events += events.len() as u64;
            }
            self.written(|files, _, _| files.add_events(events));
        }
    }

    /// Gives the names of threads to the files, or keeps the newest ones until there are files.
    fn add_thread_names(&mut self, names: Vec<ThreadName>) {
        const MAX: usize = 4096;
        self.thread_names.extend(names);
        if let Some(files) = &mut self.files {
            files.add_thread_names(core::mem::take(&mut self.thread_names));
        }
        let excess = self.thread_names.len().saturating_sub(MAX);
        self.thread_names.drain(..excess);
    }

    /// After the first failure, the session prints a warning and continues.
    fn written(
        &mut self,
        write: impl FnOnce(&mut Files, &Metadata, &Summary) -> io::Result<()>,
    ) -> bool {
        let Some(files) = &mut self.files else { return false };
        #[cfg(unix)]
        let written = crate::signals::writing(|| write(files, &self.metadata, &self.summary));
        #[cfg(not(unix))]
        let written = write(files, &self.metadata, &self.summary);
        if let Err(error) = &written {
            let path = files.timeline_path().to_owned();
            self.warn_unwritable(&path, error);
        }
        written.is_ok()
    }

    /// Warns about the first file that can't be written, once.
    fn warn_unwritable(&mut self, path: &Path, error: &io::Error) {
        if !self.is_unwritable {
            self.is_unwritable = true;
            let path = path.display();
            let remedy = "free disk space, or set another folder with MEMPROF_OUTPUT_DIR";
            self.warnings.warn(format!("could not write {path}: {error}; {remedy}"));
        }
    }
}

/// Drops the program's values, and restores the allocator's earlier level.
///
/// This also runs if the system could not start the session's thread.
impl Drop for Recorder {
    fn drop(&mut self) {
        let sources = self.sources.clear();
        self.user_code.drop_values(sources);
        let mut roots = core::mem::take(&mut self.removed_roots);
        roots.extend(self.roots.clear());
        self.user_code.drop_values(roots);
        self.files = None;
        if let Some(heap) = self.heap.take() {
            heap.end();
        }
    }
}

fn metadata(config: &Config, clock: Clock, operations_tracked: bool) -> Metadata {
    let first = Schedule::new(config).after(0, 0);
    Metadata {
        generated_at: clock.moment(0),
        interval_ns: nanoseconds(config.interval),
        first_interval_ns: (first < config.interval).then(|| nanoseconds(first)),
        operations_tracked,
        ..Metadata::of_this_process(clock.started_unix_ns())
    }
}

/// Returns the minimum time to the next snapshot, so that snapshots take at most 1 % of the time.
fn rest_after(snapshot: &Snapshot) -> Duration {
    Duration::from_nanos(snapshot.profiler.snapshot_ns.saturating_mul(99))
}

/// Returns the live bytes; 0 if more was freed than allocated since counting began.
fn live_bytes(totals: &HeapTotals) -> u64 {
    totals.live_bytes.max(0).unsigned_abs()
}

/// Returns the upper bound of the peak: the counted peak and its error.
fn highest_peak(totals: &HeapTotals) -> u64 {
    totals.peak_bytes.saturating_add(totals.peak_error_bytes)
}

#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
mod week;
