//! The recorder, which takes snapshots and writes them to the files.
//!
//! All code here runs on the session's thread, so nothing here is shared. The caller passes the
//! time, so that a test can let a week pass in seconds.

mod events;
mod snapshot;
mod stacks;
mod summaries;

use crate::clock::{Clock, nanoseconds};
use crate::config::{Config, ConfigError, Origin};
use crate::files::{Caps, Files};
use crate::heap::{Emergency, Heap};
use crate::history::History;
use crate::peak_stacks::PeakStacks;
use crate::peaks::Peaks;
use crate::process_memory::ProcessMemoryReader;
use crate::roots::{Root, Roots};
use crate::schedule::Schedule;
use crate::sources::Sources;
use crate::user_code::UserCode;
use crate::warnings::Warnings;
use memprof_profile::source::Source;
use memprof_recording::document::{
    Ended, Metadata, NotWritten, OperationPath, Summary, ThreadName,
};
pub(crate) use snapshot::rest_after;
use std::path::Path;
use std::time::Duration;
use std::{fs, io};

/// The recorder of a session, which takes its snapshots and writes its files.
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
    emergency: Option<Emergency>,
    roots: Roots,
    /// Removed roots that are not dropped yet.
    removed_roots: Vec<Root>,
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
            emergency: None,
            roots: Roots::default(),
            removed_roots: Vec::new(),
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
            next_summary_ns: 0,
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
        self.removed_roots.extend(self.roots.remove(name));
    }

    /// Drops the removed roots, all at once: waiting for another thread takes some microseconds.
    pub(crate) fn drop_removed_roots(&mut self) {
        let removed = core::mem::take(&mut self.removed_roots);
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

    /// Delays peaks and events, because a panic interrupted one of them. Without a rest,
    /// the session's thread could panic again at once.
    pub(crate) fn rest_after_panic(&mut self, now_ns: u64) {
        const REST: Duration = Duration::from_millis(900);
        self.peaks.panicked(now_ns);
        self.rests_until_ns = now_ns.saturating_add(nanoseconds(REST));
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

    /// Removes the timeline after the document was written at the end of the session.
    ///
    /// If that fails, both files stay.
    pub(crate) fn remove_timeline(&mut self) {
        if let Some(files) = &self.files {
            // The descriptor of a refused allocation's line refers to the removed file.
            self.emergency = None;
            self.has_timeline = files.remove_timeline().is_err();
        }
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

    /// Returns `false` after the timeline was removed.
    pub(crate) fn has_timeline(&self) -> bool {
        self.has_timeline
    }

    /// Returns the number of times that the interval has doubled, because the timeline was full.
    pub(crate) fn doublings(&self) -> u32 {
        self.files.as_ref().map_or(0, Files::doublings)
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
        let written = crate::watchdog::writing(|| write(files, &self.metadata, &self.summary));
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
        let mut roots = core::mem::take(&mut self.removed_roots);
        roots.extend(self.roots.clear());
        self.user_code.drop_values(roots);
        self.emergency = None;
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

#[cfg(test)]
pub(crate) mod tests;
