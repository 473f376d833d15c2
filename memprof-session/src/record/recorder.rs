//! The recorder, which takes snapshots and writes them to the files.
//!
//! All code here runs on the session's thread, so nothing here is shared. The caller passes the
//! time, so that a test can let a week pass in seconds.

use super::clock::{Clock, nanoseconds};
use super::config::{Config, ConfigError, Origin};
use super::deadline::Deadline;
use super::files::{Caps, Files};
use super::heap::{self, Claims, Emergency, Heap};
use super::history::History;
use super::peak_stacks::PeakStacks;
use super::peaks::{Action, Peaks};
use super::process_memory::ProcessMemoryReader;
use super::roots::{Found, Limits, Root, Roots, SharedClaims, Wanted};
use super::schedule::Schedule;
use super::self_cost;
use super::sources::Sources;
use super::summariser::Summariser;
use super::user_code::UserCode;
use super::warnings::Warnings;
use crate::Recording;
use crate::document::{
    DeviceReading, Ended, HeapTotals, LiveStacks, Metadata, NotWritten, OperationPath,
    Reconciliation, RootReading, RootState, SelfCost, Snapshot, Summary, TensorReading, ThreadName,
    Trigger, json_line,
};
use memprof_profile::Profile;
use memprof_profile::source::Source;
use memprof_profile::tree::Device;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, io};

/// The recorder of a session, which takes its snapshots and writes its files.
pub(crate) struct Recorder {
    config: Config,
    clock: Clock,
    metadata: Metadata,
    files: Option<Files>,
    /// `true` if files are to be created once that is possible.
    wants_files: bool,
    /// The counts of what was lost because there was no file.
    not_written: NotWritten,
    /// New paths of operations that are not written yet.
    paths: Vec<OperationPath>,
    /// New names of threads, while there is no file.
    thread_names: Vec<ThreadName>,
    heap: Option<Heap>,
    emergency: Option<Emergency>,
    roots: Roots,
    sources: Sources,
    user_code: UserCode,
    process: ProcessMemoryReader,
    warnings: Warnings,
    /// `true` after the warning about unwritable files. The warning is given once, because the
    /// next file fails for the same reason.
    is_unwritable: bool,
    history: History,
    peaks: Peaks,
    peak_stacks: PeakStacks,
    /// The number of calls of operations that were lost because the buffers in memory were full.
    lost_events: u64,
    summary: Summary,
    summariser: Summariser,
    /// The time until which events and summaries wait, because recording panicked.
    rests_until_ns: u64,
}

/// The summary to compute after a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Summarise {
    /// Compute a summary if one is due.
    IfDue,
    /// Compute a summary of exactly this snapshot.
    Now,
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
            not_written: NotWritten::default(),
            paths: Vec::new(),
            thread_names: Vec::new(),
            heap,
            emergency: None,
            roots: Roots::default(),
            sources: Sources::default(),
            user_code: UserCode::new(),
            process: ProcessMemoryReader::new(),
            warnings: Warnings::default(),
            is_unwritable: false,
            history: History::default(),
            peaks: Peaks::default(),
            peak_stacks: PeakStacks::default(),
            lost_events: 0,
            summary: Summary::default(),
            summariser: Summariser::default(),
            rests_until_ns: 0,
        }
    }

    /// Creates the files; if that fails, warns and names the origin of the folder.
    pub(crate) fn begin_files(&mut self, folder_named_by: &Origin) {
        if let Err(error) = self.open() {
            self.is_unwritable = true;
            let folder = &self.config.output_dir;
            let wrong = ConfigError::output_folder(folder_named_by.clone(), folder, error);
            self.warn(format!("{wrong}; the program continues, and each snapshot retries"));
        }
    }

    /// Creates the files.
    pub(crate) fn open(&mut self) -> io::Result<()> {
        self.wants_files = true;
        fs::create_dir_all(&self.config.output_dir)?;
        let caps = Caps {
            timeline_bytes: self.config.timeline_bytes,
            events: self.config.operation_events,
        };
        let files = Files::create(&self.config.output_dir, &self.metadata, caps)?;
        if self.heap.is_some() {
            self.emergency = files.timeline_file().and_then(Emergency::begin).ok();
        }
        self.files = Some(files);
        if let Some(heap) = &mut self.heap {
            heap.forget_written_stacks();
        }
        Ok(())
    }

    pub(crate) fn warn(&mut self, warning: String) {
        self.warnings.warn(warning);
    }

    pub(crate) fn add_root(&mut self, root: Root) {
        self.roots.add(root);
    }

    pub(crate) fn remove_root(&mut self, name: &str) {
        let removed = self.roots.remove(name);
        self.user_code.drop_values(removed);
    }

    /// Drops values of the program on the thread that runs the program's code.
    pub(crate) fn drop_values<T: Send + 'static>(&mut self, values: Vec<T>) {
        self.user_code.drop_values(values);
    }

    pub(crate) fn add_source(&mut self, source: Box<dyn Source>) {
        self.sources.add(source);
    }

    pub(crate) fn history(&self) -> &History {
        &self.history
    }

    /// Adds the live stacks of the highest moment to a recording.
    pub(crate) fn add_peak_stacks(&self, recording: &mut Recording) {
        if let Some(heap) = &self.heap {
            self.peak_stacks.add_to(recording, heap);
        }
    }

    /// Returns the action for a peak that the allocator found, or that has no snapshot yet.
    pub(crate) fn peak_action(&mut self, now_ns: u64) -> Action {
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

    /// Returns the time until a peak requires an action.
    pub(crate) fn next_peak_in(&self, now_ns: u64) -> Option<Duration> {
        self.peaks.wait(now_ns)
    }

    /// Delays peaks, events and summaries, because a panic interrupted one of them. Without a rest,
    /// the session's thread could panic again at once.
    pub(crate) fn rest_after_panic(&mut self, now_ns: u64) {
        const REST: Duration = Duration::from_millis(900);
        self.peaks.panicked(now_ns);
        self.rests_until_ns = now_ns.saturating_add(nanoseconds(REST));
    }

    /// Takes new events and a finished summary, unless the recorder rests after a panic.
    pub(crate) fn take_results(&mut self, now_ns: u64) {
        if now_ns >= self.rests_until_ns {
            self.take_events();
            self.take_summary(now_ns, Duration::ZERO);
        }
    }

    /// Returns the time until the first summary is written without names. Returns `None` if there is
    /// a summary, or if none is being computed.
    pub(crate) fn next_summary_in(&self, now_ns: u64) -> Option<Duration> {
        let rest = Duration::from_nanos(self.rests_until_ns.saturating_sub(now_ns));
        Some(self.first_summary_in()?.max(rest))
    }

    /// Requests a wake as soon as the live bytes exceed the limit for the next recorded moment.
    fn watch_live(&self) {
        if let Some(heap) = self.heap.as_ref().filter(|_| self.peaks.is_watching()) {
            heap.watch_live(self.peaks.limit());
        }
    }

    /// Records the live stacks at a peak, without a snapshot.
    pub(crate) fn record_stacks(&mut self, at_ns: u64) {
        let began = Instant::now();
        let (Some(heap), Some((totals, _))) = (&self.heap, heap::totals()) else { return };
        let claims = heap.claims();
        self.peaks.check_reset(highest_peak(&totals), live_bytes(&totals));
        if let Some(claims) = &claims {
            let live_bytes = totals.live_bytes;
            let (trigger, name, snapshot) = (Trigger::Peak, None, None);
            let (root_names, rows) = (Vec::new(), claims.rows());
            self.write_stacks(&LiveStacks {
                at_ns,
                trigger,
                name,
                snapshot,
                live_bytes,
                root_names,
                rows,
            });
        }
        self.peaks.took_stacks(at_ns, live_bytes(&totals), began.elapsed());
        self.watch_live();
    }

    /// Writes the live bytes by stack of a moment, after the stacks that the file lacks. The highest
    /// moment also stays in memory.
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

    /// Takes the new events of operations, so that their buffers have room for more.
    pub(crate) fn take_events(&mut self) {
        let Some(heap) = &mut self.heap else { return };
        // A path is added before its first event. So take the paths after the events, so that no
        // event lacks its path.
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
        const MOST: usize = 4096;
        self.thread_names.extend(names);
        if let Some(files) = &mut self.files {
            files.add_thread_names(core::mem::take(&mut self.thread_names));
        }
        let excess = self.thread_names.len().saturating_sub(MOST);
        self.thread_names.drain(..excess);
    }

    /// Takes a snapshot and writes it.
    pub(crate) fn snapshot(
        &mut self,
        at_ns: u64,
        trigger: Trigger,
        name: Option<String>,
        deadline: Deadline,
    ) -> Arc<Snapshot> {
        self.take_summary(at_ns, Duration::ZERO);
        self.look(at_ns, trigger, name, Summarise::IfDue, deadline)
    }

    /// Takes a snapshot and computes a summary of it for the document.
    ///
    /// Names of call sites that are not found by the deadline are left out.
    pub(crate) fn snapshot_for_report(
        &mut self,
        at_ns: u64,
        trigger: Trigger,
        name: Option<String>,
        deadline: Deadline,
    ) {
        self.wait_for_summary(at_ns, deadline.part(4));
        self.look(at_ns, trigger, name, Summarise::Now, deadline.part(2));
        if !self.wait_for_summary(at_ns, deadline) {
            self.summarise_without_names(at_ns);
        }
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
        let found = self.look_at_roots(at_ns, trigger, claims.as_ref(), deadline);
        // From now on, a root that is still being walked can claim no more samples.
        let claims =
            claims.and_then(|claims| claims.lock().unwrap_or_else(PoisonError::into_inner).take());
        if let (Some(stacks), Some(claims)) = (stacks, &claims) {
            let root_names = found.iter().map(|root| root.name.clone()).collect();
            self.write_stacks(&LiveStacks { root_names, rows: claims.rows(), ..stacks });
        }
        let tensors = Tensors::of(&found);
        let held = held(&found);
        // Blocks are unexplained only if all roots were visited.
        let all_seen = !found.is_empty() && found.iter().all(Found::is_seen);
        let reconciliation = totals.filter(|_| all_seen).map(|totals| Reconciliation {
            live_bytes: totals.live_bytes.saturating_add(totals.profiler_bytes),
            profiler_bytes: Some(totals.profiler_bytes),
            roots_bytes: found.iter().map(|root| root.heap_bytes).sum(),
            roots_exact: found.iter().all(|root| {
                root.state == RootState::Profiled
                    && root.profile.as_ref().is_none_or(Profile::is_exact)
            }),
            explained: claims.as_ref().map(Claims::explained),
            unexplained: claims.as_ref().map(Claims::unexplained),
            claimed_twice: claims.as_ref().map(Claims::claimed_twice),
        });
        let sources = self.sources.read(&held, self.limit(), deadline, &mut self.user_code);
        let snapshot = Snapshot {
            number: self.metadata.snapshots,
            at_ns,
            trigger,
            name,
            heap: totals,
            process,
            profiler: SelfCost { table_bytes, ..SelfCost::default() },
            tensor_count: tensors.count,
            devices: tensors.by_device(&held, claims.as_ref()),
            roots: found.iter().map(reading).collect(),
            sources,
            reconciliation,
        };
        self.metadata.snapshots += 1;
        if let Some(heap) = &self.heap
            && (summarise == Summarise::Now || self.summariser.is_due(at_ns))
        {
            let names = found.iter().map(|root| root.name.clone()).collect();
            let mut job = heap.summary_job(claims, names, trigger == Trigger::End);
            if summarise == Summarise::Now {
                job = job.with_stacks(self.peak_stacks.largest());
            }
            self.summariser.begin(job, at_ns);
        }
        self.write(snapshot, began)
    }

    fn write(&mut self, mut snapshot: Snapshot, began: Instant) -> Arc<Snapshot> {
        self.take_events();
        snapshot.profiler = SelfCost {
            // Waits for late jobs are left out, because they cost the program nothing.
            snapshot_ns: nanoseconds(began.elapsed().saturating_sub(self.user_code.take_late())),
            cpu_ns: self_cost::cpu_ns()
                .map(|ns| ns + self.summariser.cpu_ns() + self.user_code.cpu_ns()),
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
                let missed = snapshot.roots.iter().any(|root| is_missed(root.state));
                self.peaks.took_snapshot(snapshot.at_ns, live, took, missed);
            }
        }
        self.watch_live();
        let snapshot = Arc::new(snapshot);
        self.history.add(&snapshot);
        snapshot
    }

    fn look_at_roots(
        &mut self,
        at_ns: u64,
        trigger: Trigger,
        claims: Option<&SharedClaims>,
        deadline: Deadline,
    ) -> Vec<Found> {
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
        const MOST: Duration = Duration::from_secs(1);
        self.config.walk_budget.saturating_add(MOST)
    }

    /// Returns the time that all roots and sources of a snapshot may take.
    pub(crate) fn snapshot_budget(&self) -> Duration {
        const MOST: Duration = Duration::from_secs(4);
        let roots = u32::try_from(self.roots.len()).unwrap_or(u32::MAX);
        self.config.walk_budget.saturating_mul(roots).saturating_add(MOST)
    }

    /// Stores the summary that is being computed, if it is done within `patience`.
    pub(crate) fn take_summary(&mut self, at_ns: u64, patience: Duration) {
        match self.summariser.finish(at_ns, patience) {
            Some((summary, stacks)) => {
                if !stacks.addresses.is_empty() {
                    self.peak_stacks.set_table(stacks);
                }
                let is_older = summary.at_ns < self.summary.at_ns;
                self.summary = summary;
                if is_older {
                    self.update_without_names(at_ns);
                }
            }
            None if self.first_summary_in() == Some(Duration::ZERO) => {
                self.update_without_names(at_ns);
            }
            None => return,
        }
        self.finish_summary();
        self.written(|files, _, summary| files.add_passing_summary(summary, at_ns));
    }

    /// Returns the time until the first summary has taken too long.
    fn first_summary_in(&self) -> Option<Duration> {
        const MOST: Duration = Duration::from_secs(10);
        if self.summary.at_ns.is_some() {
            return None;
        }
        Some(MOST.saturating_sub(self.summariser.running_for()?))
    }

    /// Waits for the summary that is being computed, and takes events while it waits.
    ///
    /// Returns `true` if the summary is done.
    pub(super) fn wait_for_summary(&mut self, at_ns: u64, deadline: Deadline) -> bool {
        const A_WHILE: Duration = Duration::from_millis(5);
        while self.summariser.is_running() && !deadline.is_over() {
            self.take_events();
            self.take_summary(at_ns, A_WHILE);
        }
        !self.summariser.is_running()
    }

    fn summarise_without_names(&mut self, at_ns: u64) {
        self.update_without_names(at_ns);
        let warning =
            "resolving names took too long: call sites and leaks in the summary are older";
        self.warnings.warn(warning.to_owned());
    }

    /// Updates the parts of the summary that need no names of functions.
    fn update_without_names(&mut self, at_ns: u64) {
        if let Some(heap) = &self.heap {
            heap.summarise_without_names(&mut self.summary);
            self.summary.at_ns = Some(at_ns);
        }
    }

    fn finish_summary(&mut self) {
        let mut dropped = self.files.as_ref().map(Files::dropped_events).unwrap_or_default();
        dropped.not_recorded = self.lost_events;
        self.summary.dropped_events = dropped;
        self.summary.not_written = self.not_written();
        self.summary.warnings = self.warnings.all().to_vec();
    }

    /// Returns the counts of what was lost because it could not be written.
    fn not_written(&self) -> NotWritten {
        let files = self.files.as_ref().map(Files::not_written).unwrap_or_default();
        NotWritten {
            snapshots: self.not_written.snapshots + files.snapshots,
            events: self.not_written.events + files.events,
            operation_paths: self.paths.len() as u64,
        }
    }

    /// Writes the document of everything recorded so far.
    pub(crate) fn write_document(&mut self, at_ns: u64, ended: Ended) -> io::Result<()> {
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

    pub(crate) fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    pub(crate) fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Returns the paths of the document and the timeline.
    pub(crate) fn paths(&self) -> Option<(&Path, &Path)> {
        self.files.as_ref().map(|files| (files.document_path(), files.timeline_path()))
    }

    /// Writes to the files, and returns `true` if that succeeded.
    ///
    /// After the first failure, the session prints a warning and continues.
    fn written(
        &mut self,
        write: impl FnOnce(&mut Files, &Metadata, &Summary) -> io::Result<()>,
    ) -> bool {
        let Some(files) = &mut self.files else { return false };
        #[cfg(unix)]
        let written = super::watchdog::writing(|| write(files, &self.metadata, &self.summary));
        #[cfg(not(unix))]
        let written = write(files, &self.metadata, &self.summary);
        if let Some(emergency) = &self.emergency
            && files.took_another_timeline()
            && let Ok(timeline) = files.timeline_file()
        {
            let _ = emergency.move_to(timeline);
        }
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
            self.warnings
                .warn(format!("cannot write {path}: {error}; {remedy}; the program continues"));
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
        let roots = self.roots.clear();
        self.user_code.drop_values(roots);
        self.emergency = None;
        if let Some(heap) = self.heap.take() {
            heap.end();
        }
    }
}

fn metadata(config: &Config, clock: Clock, operations_tracked: bool) -> Metadata {
    let first = Schedule::new(config).after(0);
    Metadata {
        generated_at: clock.moment(0),
        interval_ns: nanoseconds(config.interval),
        first_interval_ns: (first < config.interval).then(|| nanoseconds(first)),
        operations_tracked,
        ..Metadata::of_this_process(clock.started_unix_ns())
    }
}

/// Returns the live bytes; 0 if more was freed than allocated since counting began.
fn live_bytes(totals: &HeapTotals) -> u64 {
    totals.live_bytes.max(0).unsigned_abs()
}

/// Returns the upper bound of the peak: the counted peak and its error.
fn highest_peak(totals: &HeapTotals) -> u64 {
    totals.peak_bytes.saturating_add(totals.peak_error_bytes)
}

fn reading(root: &Found) -> RootReading {
    RootReading {
        name: root.name.clone(),
        state: root.state,
        held_ns: nanoseconds(root.held),
        total_bytes: root.profile.as_ref().map(Profile::total_bytes),
        low_bytes: root.interval.map(|interval| interval.low),
        high_bytes: root.interval.and_then(|interval| interval.high),
        heap_bytes: root.profile.as_ref().map(|_| root.heap_bytes),
        profile: root.profile.as_ref().and_then(|profile| json_line(profile).ok()),
    }
}

/// Returns `true` if a later snapshot may reach a root that is in this state.
fn is_missed(state: RootState) -> bool {
    use RootState::{Locked, NotReached, Spared, Stuck};
    matches!(state, Locked | NotReached | Spared | Stuck)
}

/// Returns the bytes that the roots hold in each memory.
fn held(found: &[Found]) -> Vec<(Device, u64)> {
    let mut held: BTreeMap<Device, u64> = BTreeMap::new();
    for profile in found.iter().filter_map(|root| root.profile.as_ref()) {
        for (device, bytes) in profile.devices() {
            let sum = held.entry(device).or_default();
            *sum = sum.saturating_add(bytes);
        }
    }
    held.into_iter().collect()
}

/// The tensors of all roots.
struct Tensors<'f> {
    count: u64,
    /// The ten largest tensors.
    largest: Vec<&'f memprof_profile::tree::TensorRecord>,
}

impl<'f> Tensors<'f> {
    fn of(found: &'f [Found]) -> Self {
        const LISTED: usize = 10;
        let tensors =
            || found.iter().filter_map(|root| root.profile.as_ref()).map(Profile::tensors);
        let mut largest: Vec<_> =
            tensors().flat_map(memprof_profile::tree::Tensors::largest).collect();
        largest.sort_by_key(|tensor| core::cmp::Reverse(tensor.bytes));
        largest.truncate(LISTED);
        Self { count: tensors().map(memprof_profile::tree::Tensors::count).sum(), largest }
    }

    fn by_device(&self, held: &[(Device, u64)], claims: Option<&Claims>) -> Vec<DeviceReading> {
        let on = |device: Device| self.largest.iter().filter(move |tensor| tensor.device == device);
        let reading = |tensor: &&memprof_profile::tree::TensorRecord| TensorReading {
            path: tensor.path.clone(),
            dtype: tensor.dtype.clone(),
            shape: tensor.shape.clone(),
            bytes: tensor.bytes,
            requires_grad: tensor.requires_grad,
            operation: claims
                .zip(tensor.address())
                .and_then(|(claims, address)| claims.operation_at(address)),
        };
        let device = |&(device, bytes): &(Device, u64)| DeviceReading {
            device: device.to_string(),
            bytes,
            tensors: on(device).map(reading).collect(),
        };
        held.iter().map(device).collect()
    }
}

/// Returns the minimum time to the next snapshot, so that snapshots take at most 1 % of the time.
pub(crate) fn rest_after(snapshot: &Snapshot) -> Duration {
    Duration::from_nanos(snapshot.profiler.snapshot_ns.saturating_mul(99))
}

#[cfg(all(test, feature = "heap"))]
pub(crate) mod tests {
    use super::{Clock, Config, Deadline, Recorder};
    use crate::record::heap_level;
    use std::sync::{Mutex, PoisonError};
    use std::time::Duration;

    /// The lock that each test with a recorder holds. The bytes of all recorders are counted in one
    /// sum, and a recorder that ends switches the allocator's events off for all.
    pub(crate) static ALONE: Mutex<()> = Mutex::new(());

    #[test]
    fn a_summary_without_names_is_not_replaced_by_an_older_one() {
        const SECOND: u64 = 1_000_000_000;
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let config = Config::default();
        let (heap, warning) = heap_level::begin(&config);
        assert_eq!(warning, None);
        let mut recorder = Recorder::new(config, Clock::start(), heap);
        assert_eq!(recorder.first_summary_in(), None);
        let heap = recorder.heap.as_ref().expect("the allocator is memprof's");
        recorder.summariser.begin(heap.summary_job(None, Vec::new(), false), 0);
        let left = recorder.first_summary_in();
        assert!(left.is_some_and(|left| left <= Duration::from_secs(10)), "{left:?}");
        recorder.update_without_names(10 * SECOND);
        assert_eq!(recorder.first_summary_in(), None);
        let patience = Deadline::after(Duration::from_mins(5));
        assert!(recorder.wait_for_summary(40 * SECOND, patience));
        assert_eq!(recorder.summary().at_ns, Some(40 * SECOND));
        assert_eq!(recorder.summary().names_at_ns, Some(0));
    }

    #[test]
    fn after_a_panic_events_and_summaries_wait_for_a_rest() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let config = Config::default();
        let (heap, _) = heap_level::begin(&config);
        let mut recorder = Recorder::new(config, Clock::start(), heap);
        let heap = recorder.heap.as_ref().expect("the allocator is memprof's");
        recorder.summariser.begin(heap.summary_job(None, Vec::new(), false), 0);
        let now_ns = 60_000_000_000;
        recorder.rest_after_panic(now_ns);
        // A first summary counts as late after ten seconds.
        assert_eq!(recorder.next_summary_in(0), Some(Duration::from_millis(60_900)));
        // The summary is done by then, or later: the result is the same.
        std::thread::sleep(Duration::from_millis(500));
        recorder.take_results(now_ns + 899_999_999);
        assert_eq!(recorder.summary().at_ns, None);
        while recorder.summary().at_ns.is_none() {
            recorder.take_results(now_ns + 900_000_000);
        }
    }
}
