//! The reader of a session's files: a document, or the timeline of a session that runs or was
//! killed.

mod read;

#[cfg(test)]
mod tests;

pub use read::RecordingError;

use crate::document::{
    LiveStacks, Metadata, OperationEvent, OperationPath, OutOfMemory, Snapshot, StackTable,
    Summary, ThreadName,
};

/// A recording read from its file: a document (`.json`) or a timeline (`.jsonl`).
///
/// If the program was killed, its timeline may end in the middle of a line. The lines before that
/// line are read.
///
/// ```no_run
/// let recording = memprof::session::Recording::read_file("memory_profile_20261121_083000.json")?;
/// for snapshot in &recording.snapshots {
///     println!("{} ns: {} roots", snapshot.at_ns, snapshot.roots.len());
/// }
/// # Ok::<(), memprof::session::RecordingError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recording {
    /// The run of the program.
    pub metadata: Metadata,
    /// The snapshots in chronological order.
    pub snapshots: Vec<Snapshot>,
    /// The paths of operations; events refer to them by number.
    pub operation_paths: Vec<OperationPath>,
    /// Individual calls of operations, in the order in which the session received their ends.
    pub operation_events: Vec<OperationEvent>,
    /// The known names of threads of these calls, in the order of their numbers.
    pub thread_names: Vec<ThreadName>,
    /// Moments at which the inner allocator had no memory.
    pub out_of_memory: Vec<OutOfMemory>,
    /// Live bytes by call stack at peaks, checkpoints and the end, in chronological order.
    pub live_stacks: Vec<LiveStacks>,
    /// The call stacks by number.
    pub stacks: StackTable,
    /// The state at the end; empty if it is [unknown](Self::summary_unknown_reason).
    pub summary: Summary,
    /// The number of lines of a timeline that could not be read.
    ///
    /// If there are any, the program was killed while it wrote a line, or the disk was full.
    pub unreadable_lines: u64,
    pub(crate) has_summary: bool,
}

impl Recording {
    /// Returns a recording of a run that has a summary, without snapshots.
    pub fn with_summary(metadata: Metadata, summary: Summary) -> Self {
        Self { summary, has_summary: true, ..Self::of(metadata) }
    }

    pub(crate) fn of(metadata: Metadata) -> Self {
        Self {
            metadata,
            snapshots: Vec::new(),
            operation_paths: Vec::new(),
            operation_events: Vec::new(),
            thread_names: Vec::new(),
            out_of_memory: Vec::new(),
            live_stacks: Vec::new(),
            stacks: StackTable::default(),
            summary: Summary::default(),
            unreadable_lines: 0,
            has_summary: false,
        }
    }

    /// Returns the reason why the recording has no summary, such as the early end of the program.
    ///
    /// Returns `None` if the recording has a summary.
    pub fn summary_unknown_reason(&self) -> Option<&'static str> {
        (!self.has_summary).then_some("the file ends before the first summary")
    }

    /// Returns the name of a thread, which is empty if the thread has none. Returns `None` if the
    /// name is unknown.
    pub fn thread_name(&self, thread: u32) -> Option<&str> {
        let names = &self.thread_names;
        let index = names.binary_search_by_key(&thread, |named| named.thread).ok()?;
        Some(&names[index].name)
    }

    /// Returns the name and the number of a thread, such as `worker (thread 3)`.
    ///
    /// The name may contain any characters, because the program chooses it.
    pub fn thread_label(&self, thread: u32) -> String {
        match self.thread_name(thread) {
            Some("") => format!("thread {thread} (unnamed)"),
            Some(name) => format!("{name} (thread {thread})"),
            // Some systems have no names of threads.
            None if self.thread_names.is_empty() => format!("thread {thread}"),
            None => format!("thread {thread} (name unknown)"),
        }
    }

    /// If a thread has several names, the last one stays.
    fn sort_thread_names(&mut self) {
        self.thread_names.reverse();
        self.thread_names.sort_by_key(|named| named.thread);
        self.thread_names.dedup_by_key(|named| named.thread);
    }

    /// Returns the snapshot with this number or checkpoint name, or `start`, `end` or
    /// [`peak`](Self::peak).
    ///
    /// `start` is the first snapshot with a root: a program can register roots only after the
    /// session's first snapshot. Without roots it is the first snapshot. If several checkpoints have
    /// the name, this returns the last one.
    ///
    /// ```no_run
    /// # let recording = memprof::session::Recording::read_file("session.json")?;
    /// let loaded = recording.snapshot("after_load");
    /// # Ok::<(), memprof::session::RecordingError>(())
    /// ```
    pub fn snapshot(&self, word: &str) -> Option<&Snapshot> {
        let named = |snapshot: &&Snapshot| snapshot.name.as_deref() == Some(word);
        let numbered = |number: u64| self.snapshots.iter().find(|one| one.number == number);
        self.snapshots.iter().rfind(named).or_else(|| match word {
            "start" => self.start(),
            "end" => self.snapshots.last(),
            "peak" => self.peak(),
            number => numbered(number.parse().ok()?),
        })
    }

    fn start(&self) -> Option<&Snapshot> {
        let all = || self.snapshots.iter();
        all()
            .find(|one| one.roots.iter().any(|root| root.profile.is_some()))
            .or_else(|| all().find(|one| one.has_profile()))
            .or(self.snapshots.first())
    }

    /// Returns the snapshot with the most live bytes, or with the most resident bytes if none has
    /// live bytes.
    ///
    /// Of the snapshots within 1 % of this maximum, prefers that of
    /// [`peak_stacks`](Self::peak_stacks), so that stacks and roots are from the same moment.
    /// Returns `None` if no snapshot has either.
    pub fn peak(&self) -> Option<&Snapshot> {
        let amount = |snapshot: &&Snapshot| {
            (snapshot.heap.map(|heap| heap.live_bytes), snapshot.process.rss_bytes)
        };
        let highest =
            self.snapshots.iter().filter(|one| amount(one) != (None, None)).max_by_key(amount)?;
        let Some(heap) = highest.heap else { return Some(highest) };
        let number = self.peak_stacks().and_then(|moment| moment.snapshot);
        let of_stacks = self.snapshots.iter().find(|one| Some(one.number) == number);
        let is_near = |one: &&Snapshot| {
            one.heap.is_some_and(|of| of.live_bytes >= heap.live_bytes - heap.live_bytes / 100)
        };
        Some(of_stacks.filter(is_near).unwrap_or(highest))
    }

    /// Returns the moment of [`live_stacks`](Self::live_stacks) with the most live bytes. Of the
    /// moments within 1 % of this maximum, prefers the one whose roots reached the most bytes.
    ///
    /// Its bytes may be below the peak that the allocator counted: see
    /// [`peak_bytes`](Self::peak_bytes).
    pub fn peak_stacks(&self) -> Option<&LiveStacks> {
        let moments = self.live_stacks.iter();
        Self::highest(moments, |moment| moment.live_bytes, |moment| moment.bytes_of_roots())
    }

    /// Returns the moment among these that [`peak_stacks`](Self::peak_stacks) prefers.
    ///
    /// `bytes_of_roots` is called at most once for each moment, because it may read thousands of
    /// rows.
    #[doc(hidden)]
    pub fn highest<M>(
        moments: impl Iterator<Item = M> + Clone,
        live_bytes: impl Fn(&M) -> i64,
        bytes_of_roots: impl Fn(&M) -> f64,
    ) -> Option<M> {
        let most = moments.clone().map(|moment| live_bytes(&moment)).max()?;
        let near = moments.filter(|moment| live_bytes(moment) >= most - most / 100);
        let near = near.map(|moment| (bytes_of_roots(&moment), moment));
        let highest = near.max_by(|(a_roots, a), (b_roots, b)| {
            a_roots.total_cmp(b_roots).then(live_bytes(a).cmp(&live_bytes(b)))
        });
        highest.map(|(_, moment)| moment)
    }

    /// Returns the maximum of live bytes that the allocator counted, by any snapshot.
    pub fn peak_bytes(&self) -> Option<u64> {
        self.snapshots.iter().filter_map(|snapshot| Some(snapshot.heap?.peak_bytes)).max()
    }

    /// Returns the live bytes by call stack of a snapshot. `word` names the snapshot in one of the
    /// forms that [`snapshot`](Self::snapshot) accepts.
    ///
    /// `peak` is the moment with the most live bytes, which may have no snapshot, and `start` is the
    /// first snapshot, with or without roots. Returns `None` if
    /// the snapshot has no stacks: they are recorded at peaks, checkpoints, signals, on request,
    /// and at the start and the end.
    ///
    /// ```no_run
    /// # let recording = memprof::session::Recording::read_file("session.json")?;
    /// if let Some(peak) = recording.live_stacks_at("peak") {
    ///     println!("{} stacks held {} bytes", peak.rows.len(), peak.live_bytes);
    /// }
    /// # Ok::<(), memprof::session::RecordingError>(())
    /// ```
    pub fn live_stacks_at(&self, word: &str) -> Option<&LiveStacks> {
        let is_named = self.snapshots.iter().any(|one| one.name.as_deref() == Some(word));
        let number = match word {
            "peak" if !is_named => return self.peak_stacks(),
            "start" if !is_named => self.snapshots.first()?.number,
            _ => self.snapshot(word)?.number,
        };
        self.live_stacks.iter().find(|moment| moment.snapshot == Some(number))
    }
}
