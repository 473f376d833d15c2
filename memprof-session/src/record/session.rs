//! The session, as the program has it.

use super::clock::Clock;
use super::command::Command;
use super::config::{ConfigError, Resolved};
use super::deadline::{self, Deadline};
use super::heap;
use super::history::Moment;
use super::host_value::HostValue;
use super::recorder::Recorder;
use super::reply::{Reply, pair};
use super::report::{Report, ReportError, Why};
use super::roots::{Root, RootWalk};
use super::sampler::{FINISH, Sampler};
use super::wake::{SESSION, wake};
use super::{SessionBuilder, exit, heap_level, threads, warnings};
use crate::document::{Ended, HeapTotals, Snapshot, Trigger};
use core::fmt;
use core::ops::Deref;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use memprof_profile::{MemoryProfile, Source};
use std::collections::VecDeque;
use std::error::Error;
use std::io;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Once, Weak};
use std::time::Duration;

/// A recording of what the process holds over time, from [`start`](Self::start) to
/// [`finish`](Self::finish).
///
/// It is off unless the environment (`MEMPROF=1`) or the program turns it on, by
/// [`SessionBuilder::enabled`]. Off, it costs nothing: there
/// is no thread, no file and no handler of signals, and the allocator records nothing.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("memprof-doc-{}", std::process::id()));
/// use memprof_session::Session;
/// use std::sync::{Arc, RwLock};
///
/// let session = Session::builder().enabled(true).output_dir(&folder).start()?;
/// let cache = Arc::new(RwLock::new(Vec::<String>::new()));
/// session.root("cache", cache.clone());
///
/// cache.write().unwrap().push("alpha".to_owned());
/// session.checkpoint("one entry");
///
/// let report = session.finish()?;
/// println!("{}", report.path().expect("it is enabled").display());
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Files are `memory_profile_YYYYMMDD_HHMMSS.json`, the report, and `.jsonl`, the timeline, which
/// grows as the session goes: a program that is killed loses at most what came after the last
/// snapshot. `SIGINT` and `SIGTERM` have the report written before the program ends, `SIGUSR1` at
/// any time; a second Ctrl-C ends the program at once, and the first one within 2 s. There is one session at a time.
///
/// Dropped, it is finished; what then can't be written is said on standard error.
#[derive(Debug)]
#[must_use = "the session ends when it is dropped: `let session = …`"]
pub struct Session {
    handle: SessionHandle,
    is_over: bool,
}

/// A session, for parts of the program that don't own it. It does nothing once the session is over.
#[derive(Clone, Debug, Default)]
pub struct SessionHandle {
    shared: Option<Arc<Shared>>,
}

#[derive(Debug)]
struct Shared {
    /// There until this is dropped, and dropped by the process that made it alone: in a forked
    /// child, a lock in it may be held by a thread that the child doesn't have.
    commands: Option<Sender<Command>>,
    /// A forked child has the session's memory, and not its thread.
    pid: u32,
    over: AtomicBool,
    hooks: Arc<Hooks>,
}

/// Functions that the system calls for a session, at exit and for signals.
#[derive(Debug)]
struct Hooks {
    removal: Once,
}

impl Hooks {
    /// Removes them, if that is not done yet, and returns after that.
    fn remove(&self) {
        self.removal.call_once(|| {
            exit::end();
            #[cfg(any(unix, windows))]
            super::signals::end();
        });
    }
}

/// The process that has a session; 0 if none.
static OWNER: AtomicU32 = AtomicU32::new(0);

/// So long the program waits for the session's thread at most, with what was asked for before.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why a session could not start.
#[non_exhaustive]
pub enum StartError {
    /// The builder was given a value beyond its limits.
    Config(ConfigError),
    /// This process has a session.
    AlreadyRunning,
}

impl fmt::Display for StartError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => error.fmt(out),
            Self::AlreadyRunning => out.write_str(
                "this process has a session: finish it first, or use its handle (`Session::handle`)",
            ),
        }
    }
}

/// The same text as `Display`, which is what `main` and `unwrap` print.
impl fmt::Debug for StartError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for StartError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Config(error) => error.source(),
            Self::AlreadyRunning => None,
        }
    }
}

impl From<ConfigError> for StartError {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

impl SessionBuilder {
    /// Starts the session, if it is enabled.
    ///
    /// A session that is off reads the variable `MEMPROF` and nothing else, and cannot fail. One
    /// that is on fails only by a mistake in code. Else the program starts, and one warning on
    /// standard error names cause and remedy:
    ///
    /// - A wrong variable, or a file of settings that is wrong or cannot be read: that setting is
    ///   left out.
    /// - A folder that cannot be written: each snapshot tries again, and the recording counts what is
    ///   [not written](crate::document::NotWritten).
    /// - No thread or no pipe: nothing is recorded.
    ///
    /// ```
    /// use memprof_session::Session;
    /// use std::time::Duration;
    ///
    /// // Recorded if the program is run with `MEMPROF=1`.
    /// let session = Session::builder().interval(Duration::from_secs(1)).start()?;
    /// # Ok::<(), memprof_session::StartError>(())
    /// ```
    ///
    /// # Errors
    /// If the session is on, and a method of this builder was given a value beyond its limits, or
    /// this process has a session already. That the program's allocator isn't memprof's is a warning:
    /// the rest is recorded.
    ///
    /// # Cost
    /// Off, some microseconds. Else some milliseconds, and the first snapshot.
    pub fn start(self) -> Result<Session, StartError> {
        let folder = std::env::current_dir().unwrap_or_default();
        Session::begin(&self.resolve(std::env::vars_os(), &folder)?)
    }
}

impl Session {
    /// A session with the settings of the environment, and of the file that it names.
    ///
    /// # Errors
    /// As [`SessionBuilder::start`].
    pub fn start() -> Result<Self, StartError> {
        Self::builder().start()
    }

    /// Settings, to start a session with.
    pub fn builder() -> SessionBuilder {
        SessionBuilder::default()
    }

    /// A handle for parts of the program that don't own the session.
    pub fn handle(&self) -> SessionHandle {
        self.handle.clone()
    }

    /// Takes a last snapshot, and writes the report.
    ///
    /// # Errors
    /// If the report can't be written; the timeline has what was recorded before.
    pub fn finish(mut self) -> Result<Report, ReportError> {
        self.end()
    }

    fn off() -> Self {
        Self { handle: SessionHandle::default(), is_over: true }
    }

    pub(super) fn begin(resolved: &Resolved) -> Result<Self, StartError> {
        if !resolved.config.enabled {
            // The variable that would turn it on, if that is wrong.
            resolved.warnings.iter().for_each(|warning| warnings::print(warning));
            return Ok(Self::off());
        }
        let pid = std::process::id();
        // A forked child finds its parent's number there.
        let owner = OWNER.load(Ordering::Acquire);
        let taken = OWNER.compare_exchange(owner, pid, Ordering::AcqRel, Ordering::Acquire);
        if owner == pid || taken.is_err() {
            return Err(StartError::AlreadyRunning);
        }
        Ok(Self::record(resolved, pid).unwrap_or_else(|error| {
            disown(pid);
            let what = "cannot start the thread of the session";
            warnings::print(&format_args!("{what}: {error}; nothing is recorded"));
            Self::off()
        }))
    }

    fn record(
        Resolved { config, folder_named_by, warnings }: &Resolved,
        pid: u32,
    ) -> io::Result<Self> {
        let clock = Clock::start();
        deadline::begin();
        SESSION.open()?;
        let (interval, on_exit) = (config.interval, config.on_exit);
        // The session's thread gives all of it back as the profiler's, so it is the profiler's.
        let (recorder, folder_named_by) = heap::unrecorded(|| {
            let (heap, warning) = heap_level::begin(config);
            let mut recorder = Recorder::new(config.clone(), clock, heap);
            if let Some(warning) = warning {
                recorder.warn(warning);
            }
            for warning in warnings {
                recorder.warn(warning.to_string());
            }
            (recorder, folder_named_by.clone())
        });
        let (commands, receiver) = heap::unrecorded(channel);
        let waiting = VecDeque::new();
        let next_ns = u64::MAX;
        let sampler = Sampler {
            recorder,
            folder_named_by,
            clock,
            interval,
            commands: receiver,
            waiting,
            next_ns,
        };
        // Files are made on that thread: one that is too large for a limit is a signal to its writer.
        let hooks = Arc::new(Hooks { removal: Once::new() });
        let its_hooks = hooks.clone();
        let over = move || {
            // Another session may begin after `disown`, and then the hooks are that one's.
            its_hooks.remove();
            disown(pid);
        };
        let work = move || sampler.run(over);
        heap::unrecorded(|| threads::spawn(threads::SESSION, work))?;
        let over = AtomicBool::new(false);
        let shared = Shared { commands: Some(commands), pid, over, hooks };
        let handle = SessionHandle { shared: Some(Arc::new(shared)) };
        if on_exit {
            exit::begin();
        }
        #[cfg(unix)]
        if config.signals {
            match heap::unrecorded(super::watchdog::Watchdog::spawn::<super::signals::Signal>) {
                Ok(watchdog) => super::signals::begin(watchdog),
                Err(error) => handle.send(|| {
                    Command::Warn(format!(
                        "the system has no thread for signals ({error}): they end the program \
                         without a report"
                    ))
                }),
            }
        }
        #[cfg(windows)]
        if config.signals
            && let Err(error) = super::signals::begin()
        {
            handle.send(|| {
                Command::Warn(format!(
                    "the system takes no handler of Ctrl-C ({error}): it ends the program without \
                     a report"
                ))
            });
        }
        let session = Self { handle, is_over: false };
        heap::unrecorded(|| drop(session.handle.look(Trigger::Start, None)));
        Ok(session)
    }

    fn end(&mut self) -> Result<Report, ReportError> {
        if core::mem::replace(&mut self.is_over, true) {
            return Ok(Report::default());
        }
        // In a forked child there is no such thread to wait for.
        let Some(shared) = self.handle.alive() else { return Ok(Report::default()) };
        let deadline = Deadline::after(FINISH);
        let answer =
            shared.ask(|reply| Command::Finish { ended: Ended::Finished, deadline, reply });
        shared.over.store(true, Ordering::Release);
        // The session's thread may not have answered.
        shared.hooks.remove();
        let Some((report, written)) = answer else {
            return Err(ReportError { report: Box::default(), why: Why::Unanswered });
        };
        handed_over(report, written)
    }
}

/// The session of this process is over: another one may begin.
fn disown(pid: u32) {
    let _ = OWNER.compare_exchange(pid, 0, Ordering::AcqRel, Ordering::Relaxed);
}

/// What the session's thread has made, as the program's own.
fn handed_over(report: Report, written: io::Result<()>) -> Result<Report, ReportError> {
    let report = owned(report);
    match written {
        Ok(()) => Ok(report),
        Err(error) => Err(ReportError { report: Box::new(report), why: Why::Io(error) }),
    }
}

/// A copy that is the program's. What the profiler made is freed as the profiler's, so that what
/// each of them holds stays exact.
fn owned<T: Clone>(made: T) -> T {
    let copy = made.clone();
    heap::unrecorded(|| drop(made));
    copy
}

impl Drop for Session {
    fn drop(&mut self) {
        match self.end() {
            // The session's thread has warned of it.
            Ok(_) | Err(ReportError { why: Why::Io(_), .. }) => {}
            Err(error @ ReportError { why: Why::Unanswered, .. }) => {
                use std::io::Write;
                let _ = writeln!(io::stderr(), "memprof: {error}");
            }
        }
    }
}

impl Deref for Session {
    type Target = SessionHandle;

    fn deref(&self) -> &SessionHandle {
        &self.handle
    }
}

impl SessionHandle {
    /// Whether anything is recorded: the session is enabled and not over.
    pub fn is_recording(&self) -> bool {
        self.alive().is_some()
    }

    /// Has each snapshot profile a value: behind a lock, which is tried and never waited for, or
    /// immutable.
    ///
    /// The value is kept alive until the session ends, or [`remove_root`](Self::remove_root) is
    /// called; [`weak_root`](Self::weak_root) doesn't. The walk of a root ends after 10 ms
    /// ([`SessionBuilder::walk_budget`]); what was not visited by then is marked, and the root is left
    /// alone for 99 times as long as it was held. The second root of a name is called `name (2)`.
    ///
    /// ```
    /// # let session = memprof_session::Session::builder().start()?;
    /// use std::sync::{Arc, Mutex};
    ///
    /// let names = Arc::new(Mutex::new(vec![String::from("alpha")]));
    /// session.root("names", names.clone());
    /// # Ok::<(), memprof_session::StartError>(())
    /// ```
    pub fn root<T>(&self, name: &str, value: Arc<T>)
    where
        T: MemoryProfile + Send + Sync + ?Sized + 'static,
    {
        self.send(|| Command::AddRoot(HostValue::new(Root::shared(name, value))));
    }

    /// As [`root`](Self::root), of a value that the session doesn't keep alive.
    ///
    /// During a walk the session holds a handle, so [`Arc::try_unwrap`] may fail at that moment. Once
    /// the value is gone, one snapshot has the root as dropped, and later ones leave it out.
    pub fn weak_root<T>(&self, name: &str, value: Weak<T>)
    where
        T: MemoryProfile + Send + Sync + ?Sized + 'static,
    {
        self.send(|| Command::AddRoot(HostValue::new(Root::weak(name, value))));
    }

    /// Has each snapshot call a closure that shows values: those of a lock of another crate, of a
    /// static, of a part of something.
    ///
    /// The closure must not wait for a lock: it is called on a thread of the session while the
    /// program may wait for the snapshot. If it does not return, the root is marked as stuck.
    ///
    /// ```
    /// # let session = memprof_session::Session::builder().start()?;
    /// use std::sync::Mutex;
    ///
    /// static CACHE: Mutex<Vec<String>> = Mutex::new(Vec::new());
    ///
    /// session.root_with("cache", |walk| match CACHE.try_lock() {
    ///     Ok(cache) => walk.value(&*cache),
    ///     Err(_) => walk.locked(),
    /// });
    /// # Ok::<(), memprof_session::StartError>(())
    /// ```
    pub fn root_with(&self, name: &str, show: impl FnMut(&mut RootWalk<'_>) + Send + 'static) {
        self.send(|| Command::AddRoot(HostValue::new(Root::new(name, show))));
    }

    /// Has snapshots no longer profile the root of that name.
    pub fn remove_root(&self, name: &str) {
        self.send(|| Command::RemoveRoot(HostValue::new(name.to_owned())));
        wake();
    }

    /// Has each snapshot read a source: a GPU, a pool, whatever can say who holds how much.
    pub fn source(&self, source: impl Source + 'static) {
        self.send(|| Command::AddSource(HostValue::new(Box::new(source))));
    }

    /// Takes a snapshot of this moment, under a name.
    ///
    /// # Cost
    /// The caller waits for it: some 100 µs, and the walks of the roots.
    pub fn checkpoint(&self, name: &str) {
        heap::unrecorded(|| drop(self.look(Trigger::Checkpoint, Some(name))));
    }

    /// Takes a snapshot of this moment; `None` if nothing is recorded.
    ///
    /// # Cost
    /// As [`checkpoint`](Self::checkpoint).
    pub fn snapshot(&self) -> Option<Snapshot> {
        let made = self.look(Trigger::Request, None)?;
        let copy = Snapshot::clone(&made);
        heap::unrecorded(|| drop(made));
        Some(copy)
    }

    /// What the heap holds, and the most it held; `None` if nothing is recorded, or nobody counts.
    ///
    /// # Cost
    /// A look at each thread's counts; no snapshot is taken.
    pub fn heap_totals(&self) -> Option<HeapTotals> {
        self.alive().and_then(|_| heap::totals()).map(|(totals, _)| totals)
    }

    /// Forgets the heap's peak: from here on it is that of what comes.
    pub fn reset_peak(&self) {
        if self.alive().is_some() {
            heap::reset_peak();
        }
    }

    /// The snapshots so far, in a few numbers each; at most 4,096, evenly spread. Empty if nothing
    /// is recorded.
    pub fn timeline(&self) -> Vec<Moment> {
        let moments =
            self.alive().and_then(|shared| shared.ask(|reply| Command::Timeline { reply }));
        moments.map(owned).unwrap_or_default()
    }

    /// Writes the report of what was recorded so far; the session goes on, and the next report takes
    /// its place.
    ///
    /// # Errors
    /// If the report can't be written.
    pub fn write_report(&self) -> Result<Report, ReportError> {
        let Some(shared) = self.alive() else { return Ok(Report::default()) };
        let deadline = Deadline::after(FINISH);
        match shared.ask(|reply| Command::Report { deadline, reply }) {
            Some((report, written)) => handed_over(report, written),
            None => Err(ReportError { report: Box::default(), why: Why::Unanswered }),
        }
    }

    fn look(&self, trigger: Trigger, name: Option<&str>) -> Option<Arc<Snapshot>> {
        let name = || name.map(str::to_owned);
        self.alive()?.ask(|reply| Command::Snapshot { trigger, name: name(), reply })
    }

    fn send(&self, command: impl FnOnce() -> Command) {
        if let Some(shared) = self.alive() {
            // A root is the program's, wherever it is dropped; the way there is the profiler's.
            let command = command();
            // If the session is over by now, so is what it was asked for.
            let _ = heap::unrecorded(|| shared.send(command));
        }
    }

    /// What the session's thread shares, if there is one that can be asked.
    fn alive(&self) -> Option<&Shared> {
        let shared = self.shared.as_deref()?;
        let alive = !shared.over.load(Ordering::Acquire) && shared.pid == std::process::id();
        alive.then_some(shared)
    }
}

impl Shared {
    /// `None` if the session is over.
    fn send(&self, command: Command) -> Option<()> {
        self.commands.as_ref()?.send(command).ok()
    }

    /// Asks the session's thread for something, and waits for the answer; `None` if there is none,
    /// as on a thread of the session itself, where a root's closure may ask.
    fn ask<T>(&self, command: impl FnOnce(Reply<T>) -> Command) -> Option<T> {
        heap::unrecorded(|| {
            let (reply, answer) = pair();
            let command = command(reply);
            if threads::is_ours() {
                // That the session is finished must not get lost with the answer.
                if matches!(command, Command::Finish { .. }) {
                    let _ = self.send(command);
                    wake();
                }
                return None;
            }
            self.send(command)?;
            wake();
            answer.wait(PATIENCE)
        })
    }
}

impl Drop for Shared {
    /// Frees the channel as the profiler's. A forked child leaves it alone.
    fn drop(&mut self) {
        if self.pid == std::process::id() {
            heap::unrecorded(|| drop(self.commands.take()));
        } else {
            core::mem::forget(self.commands.take());
        }
    }
}
