//! The session, as the program uses it.

use super::command::{Command, HostValue, Reply, Way, pair};
use super::config::{ConfigError, Resolved};
use super::heap::{self, Heap};
use super::recorder::{FINISH, Recorder, SessionThread};
use super::result::{Document, DocumentError, Why};
use super::roots::{Root, RootWalk};
use super::time::{self, Clock, Deadline, Schedule};
use super::wake::wake;
use super::{SessionBuilder, exit, threads, warnings};
use core::borrow::Borrow;
use core::fmt;
use core::ops::Deref;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use memprof_profile::MemoryProfile;
use memprof_profile::source::Source;
use memprof_profile::text::WithCauses;
use memprof_recording::Recording;
use memprof_recording::document::{Snapshot, Trigger};
use std::error::Error;
use std::io;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Once, Weak};
use std::time::Duration;

/// A recording of the memory of the process over time, from [`start`](Self::start) to
/// [`finish`](Self::finish).
///
/// The session is off unless the environment (`MEMPROF=1`) or the program
/// ([`SessionBuilder::enabled`]) turns it on. A session that is off costs nothing: it has no
/// thread, no file and no signal handler, and the allocator records nothing.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("memprof-doc-{}", std::process::id()));
/// use memprof::Session;
/// use std::sync::{Arc, RwLock};
///
/// let session = Session::builder().enabled(true).output_dir(&folder).start()?;
/// let cache = Arc::new(RwLock::new(Vec::<String>::new()));
/// session.root("cache", cache.clone());
///
/// cache.write().unwrap().push("alpha".to_owned());
/// session.checkpoint("one entry");
///
/// let document = session.finish()?;
/// println!("{}", document.path().expect("it is enabled").display());
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The document of the recording is `memory_profile_YYYYMMDD_HHMMSS.json`. The timeline has the
/// same name with `.jsonl`, and grows during the session. A program that is killed loses at most
/// what came after the last snapshot.
///
/// After `SIGINT` or `SIGTERM`, the session writes the document before the program exits. After
/// `SIGUSR1`, it writes the document and continues. The first Ctrl-C terminates the program within
/// 2 s, and a second one at once. Only one session runs at a time.
///
/// Dropping the session finishes it. If the document then can't be written, the session prints a
/// warning on standard error.
#[derive(Debug)]
#[must_use = "dropping the session ends it; keep it in a variable, as in `let session = …`"]
pub struct Session {
    handle: SessionHandle,
    is_over: bool,
}

/// A handle for parts of the program that don't own the session.
///
/// The handle does nothing once the session is over.
#[derive(Clone, Debug, Default)]
pub struct SessionHandle {
    shared: Option<Arc<Shared>>,
}

#[derive(Debug)]
struct Shared {
    /// `Some` until this is dropped. Only the process that created the channel drops the channel:
    /// in a forked child, a thread of the parent may hold a lock of the channel forever.
    commands: Option<Sender<Command>>,
    /// A forked child has a copy of the session's memory, but not its thread.
    pid: u32,
    over: AtomicBool,
    removal_of_hooks: Arc<Once>,
}

/// Removes the hooks once, and returns after they are removed.
fn remove_hooks(removal: &Once) {
    removal.call_once(|| {
        exit::end();
        #[cfg(unix)]
        super::signals::end();
    });
}

/// The process that has a session, or 0 without one.
static OWNER: AtomicU32 = AtomicU32::new(0);

const PATIENCE: Duration = Duration::from_secs(30);

/// The reason why a session could not start.
#[non_exhaustive]
pub enum StartError {
    /// A value set in the builder is not accepted.
    Config(ConfigError),
    /// This process already has a session.
    AlreadyRunning,
}

impl fmt::Display for StartError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => error.fmt(out),
            Self::AlreadyRunning => out.write_str(
                "this process already has a session; finish it first, or use `Session::handle`",
            ),
        }
    }
}

/// Prints the text of `Display` and the causes, because `main` and `unwrap` print this form.
impl fmt::Debug for StartError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&WithCauses(self), out)
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
    /// A session that is off reads only the variable `MEMPROF` and cannot fail. A session that is
    /// on fails only because of a bug in the program. In all other cases the program starts, and a
    /// warning on standard error states the cause and a fix:
    ///
    /// - If a variable or a setting in the file is invalid, that setting is ignored. If the file
    ///   cannot be read, all of its settings are ignored.
    /// - If the folder is not writable, each snapshot tries again, and the recording counts what
    ///   is [not written](memprof_recording::document::NotWritten).
    /// - If the system provides no thread, nothing is recorded.
    ///
    /// ```
    /// use memprof::Session;
    /// use std::time::Duration;
    ///
    /// // Recorded if the program is run with `MEMPROF=1`.
    /// let session = Session::builder().interval(Duration::from_secs(1)).start()?;
    /// # Ok::<(), memprof::session::StartError>(())
    /// ```
    ///
    /// # Errors
    /// If the session is on, there are two errors: a method of this builder was called with an
    /// invalid value, or this process already has a session. If the program's allocator isn't
    /// memprof's, the session prints a warning and records the rest.
    ///
    /// # Cost
    /// Takes a few microseconds if the session is off; otherwise a few milliseconds plus the time
    /// of the first snapshot.
    pub fn start(self) -> Result<Session, StartError> {
        let folder = std::env::current_dir().unwrap_or_default();
        Session::begin(&self.resolve(std::env::vars_os(), &folder)?)
    }
}

impl Session {
    /// Starts a session with the settings of the environment, and of the file that it names.
    ///
    /// # Errors
    /// Returns the same errors as [`SessionBuilder::start`].
    pub fn start() -> Result<Self, StartError> {
        Self::builder().start()
    }

    /// Returns a builder with the settings of a session.
    pub fn builder() -> SessionBuilder {
        SessionBuilder::default()
    }

    /// Returns a handle for parts of the program that don't own the session.
    pub fn handle(&self) -> SessionHandle {
        self.handle.clone()
    }

    /// Takes a final snapshot and writes the document.
    ///
    /// # Errors
    /// Returns an error if the document can't be written. The timeline has the data recorded
    /// before.
    pub fn finish(mut self) -> Result<Document, DocumentError> {
        self.end(Way::Finish)
    }

    fn off() -> Self {
        Self { handle: SessionHandle::default(), is_over: true }
    }

    pub(super) fn begin(resolved: &Resolved) -> Result<Self, StartError> {
        if !resolved.config.enabled {
            // A session that is off warns only about an invalid value of `MEMPROF`.
            resolved.warnings.iter().for_each(|warning| warnings::print(&WithCauses(warning)));
            return Ok(Self::off());
        }
        let pid = std::process::id();
        // A forked child finds its parent's process id here.
        let owner = OWNER.load(Ordering::Acquire);
        let taken = OWNER.compare_exchange(owner, pid, Ordering::AcqRel, Ordering::Acquire);
        if owner == pid || taken.is_err() {
            return Err(StartError::AlreadyRunning);
        }
        Ok(Self::record(resolved, pid).unwrap_or_else(|error| {
            disown(pid);
            let what = "could not start the session thread";
            warnings::print(&format_args!("{what}: {error}; nothing is recorded"));
            Self::off()
        }))
    }

    fn record(
        Resolved { config, folder_named_by, warnings }: &Resolved,
        pid: u32,
    ) -> io::Result<Self> {
        let clock = Clock::start();
        time::forget_end_request();
        let (schedule, on_exit) = (Schedule::new(config), config.on_exit);
        // The session's thread frees the recorder as the profiler's memory.
        let (recorder, folder_named_by) = heap::as_profiler(|| {
            let heap = Heap::begin(config);
            let not_installed = heap.as_ref().err().cloned();
            let invalid = warnings.iter().map(|warning| WithCauses(warning).to_string());
            let mut recorder = Recorder::new(config.clone(), clock, heap.unwrap_or_default());
            for warning in not_installed.into_iter().chain(invalid) {
                recorder.warn(warning);
            }
            (recorder, folder_named_by.clone())
        });
        let (commands, receiver) = heap::as_profiler(channel);
        let thread = SessionThread::new(recorder, folder_named_by, clock, schedule, receiver);
        // Files are created on the session's thread: if a file exceeds a limit, the system sends a
        // signal to its writer.
        let removal_of_hooks = Arc::new(Once::new());
        let its_removal = removal_of_hooks.clone();
        let over = move || {
            // Remove the hooks first: after `disown` another session may install its own.
            remove_hooks(&its_removal);
            disown(pid);
        };
        let work = move || thread.run(over);
        heap::as_profiler(|| threads::spawn(threads::SESSION, work))?;
        let over = AtomicBool::new(false);
        let shared = Shared { commands: Some(commands), pid, over, removal_of_hooks };
        let handle = SessionHandle { shared: Some(Arc::new(shared)) };
        if on_exit {
            exit::begin();
        }
        #[cfg(unix)]
        if config.signals {
            match heap::as_profiler(super::signals::Watchdog::spawn) {
                Ok(watchdog) => super::signals::begin(watchdog),
                Err(error) => handle.send(|| {
                    Command::Warn(format!(
                        "could not start the signal thread ({error}); a signal will terminate the \
                         program before the document is written"
                    ))
                }),
            }
        }
        let session = Self { handle, is_over: false };
        heap::as_profiler(|| drop(session.handle.take_snapshot(Trigger::Start, None)));
        Ok(session)
    }

    fn end(&mut self, way: Way) -> Result<Document, DocumentError> {
        if core::mem::replace(&mut self.is_over, true) {
            return Ok(Document::default());
        }
        // A forked child lacks the thread to wait for.
        let Some(shared) = self.handle.alive() else { return Ok(Document::default()) };
        let deadline = Deadline::after(FINISH);
        let answer = shared.ask(|reply| Command::Finish { way, deadline, reply });
        shared.over.store(true, Ordering::Release);
        // The hooks are removed here too, because the session's thread may not have answered.
        remove_hooks(&shared.removal_of_hooks);
        let Some((document, written)) = answer else {
            return Err(DocumentError { document: Box::default(), why: Why::Unanswered });
        };
        handed_over(document, written)
    }
}

fn disown(pid: u32) {
    let _ = OWNER.compare_exchange(pid, 0, Ordering::AcqRel, Ordering::Relaxed);
}

/// Copies what the session's thread created, so that the copy is the program's own memory.
fn handed_over(document: Document, written: io::Result<()>) -> Result<Document, DocumentError> {
    let document = owned(document);
    match written {
        Ok(()) => Ok(document),
        Err(error) => Err(DocumentError { document: Box::new(document), why: Why::Io(error) }),
    }
}

/// The original is freed as the profiler's memory, so that the counts of both stay exact.
pub(crate) fn owned<T: Clone>(made: impl Borrow<T>) -> T {
    let copy = made.borrow().clone();
    heap::as_profiler(|| drop(made));
    copy
}

impl Drop for Session {
    fn drop(&mut self) {
        match self.end(Way::Drop) {
            // If the document could not be written, the session's thread has printed a warning.
            Ok(_) | Err(DocumentError { why: Why::Io(_), .. }) => {}
            Err(error @ DocumentError { why: Why::Unanswered, .. }) => {
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
    /// Returns `true` if the session is enabled and not over.
    pub fn is_recording(&self) -> bool {
        self.alive().is_some()
    }

    /// Profiles this value in each snapshot.
    ///
    /// The value is immutable or behind a lock. The session tries the lock and never waits for it.
    /// The session keeps the value alive until the session ends or
    /// [`remove_root`](Self::remove_root) is called. A [`weak_root`](Self::weak_root) is not kept
    /// alive.
    ///
    /// The walk of a root ends after 10 ms, or 300 ms in a debug build
    /// ([`SessionBuilder::walk_budget`]). The rest is estimated from a sample or marked as not
    /// visited. After a walk, interval snapshots skip the root for 99 times as long as it was held.
    /// A second root with the same name is called `name (2)`.
    ///
    /// ```
    /// # let session = memprof::Session::builder().start()?;
    /// use std::sync::{Arc, Mutex};
    ///
    /// let names = Arc::new(Mutex::new(vec![String::from("alpha")]));
    /// session.root("names", names.clone());
    /// # Ok::<(), memprof::session::StartError>(())
    /// ```
    pub fn root<T>(&self, name: &str, value: Arc<T>)
    where
        T: MemoryProfile + Send + Sync + ?Sized + 'static,
    {
        self.send(|| Command::AddRoot(HostValue::new(Root::shared(name, value))));
    }

    /// Profiles this value in each snapshot, like [`root`](Self::root), without keeping it alive.
    ///
    /// During a walk the session holds a handle, so [`Arc::try_unwrap`] may fail at that moment.
    /// After the value is gone, one snapshot reports the root as dropped, and later ones leave it
    /// out.
    pub fn weak_root<T>(&self, name: &str, value: Weak<T>)
    where
        T: MemoryProfile + Send + Sync + ?Sized + 'static,
    {
        self.send(|| Command::AddRoot(HostValue::new(Root::weak(name, value))));
    }

    /// Calls a closure that passes values to the walk, in each snapshot.
    ///
    /// Use this method for values behind a lock from another crate, in a static, or within a larger
    /// value.
    ///
    /// The closure must not wait for a lock: it runs on a thread of the session while the program
    /// may wait for the snapshot. If it does not return, the root is marked as stuck.
    ///
    /// ```
    /// # let session = memprof::Session::builder().start()?;
    /// use std::sync::Mutex;
    ///
    /// static CACHE: Mutex<Vec<String>> = Mutex::new(Vec::new());
    ///
    /// session.root_with("cache", |walk| match CACHE.try_lock() {
    ///     Ok(cache) => walk.value(&*cache),
    ///     Err(_) => walk.locked(),
    /// });
    /// # Ok::<(), memprof::session::StartError>(())
    /// ```
    pub fn root_with(&self, name: &str, show: impl FnMut(&mut RootWalk<'_>) + Send + 'static) {
        self.send(|| Command::AddRoot(HostValue::new(Root::new(name, show))));
    }

    /// Stops profiling the root with this name.
    pub fn remove_root(&self, name: &str) {
        self.send(|| Command::RemoveRoot(HostValue::new(name.to_owned())));
        wake();
    }

    /// Reads this source in each snapshot: a GPU, a pool, or anything else that reports memory.
    pub fn source(&self, source: impl Source + 'static) {
        self.send(|| Command::AddSource(HostValue::new(Box::new(source))));
    }

    /// Takes a snapshot now, with a name.
    ///
    /// # Cost
    /// The caller waits for about 100 µs, for the walks of the roots, and until the session has found
    /// who keeps their shared memory alive.
    pub fn checkpoint(&self, name: &str) {
        heap::as_profiler(|| drop(self.take_snapshot(Trigger::Checkpoint, Some(name))));
    }

    /// Takes a snapshot now, without a name; returns `None` if nothing is recorded.
    ///
    /// # Cost
    /// The same as [`checkpoint`](Self::checkpoint): each call walks all roots and holds their
    /// locks. For a caller that reads often, such as a server of metrics, use
    /// [`latest_snapshot`](Self::latest_snapshot).
    pub fn snapshot(&self) -> Option<Snapshot> {
        self.take_snapshot(Trigger::Request, None).map(owned)
    }

    /// Returns the last snapshot; `None` if nothing is recorded.
    ///
    /// If the last snapshot is older than the interval, this takes a new one, as the session itself
    /// does at the interval. So any number of callers together hold each root for at most 1 % of the
    /// time.
    pub fn latest_snapshot(&self) -> Option<Snapshot> {
        let made = self.alive()?.ask(|reply| Command::LatestSnapshot { reply })?;
        Some(owned(made))
    }

    /// Resets the heap's peak, which then covers only the time after this call.
    pub fn reset_peak(&self) {
        if self.alive().is_some() {
            let _ = memprof_heap::reset_peak();
        }
    }

    /// Returns what the session has in memory: at most six snapshots, the last of them at most an
    /// interval old, the summary, and the live stacks at the peak and now. Addresses have no names.
    ///
    /// Returns `None` if nothing is recorded.
    pub fn recording(&self) -> Option<Recording> {
        let recording = self.alive()?.ask(|reply| Command::Recording { reply })?;
        Some(owned(recording))
    }

    /// Writes the document of everything recorded so far. The session continues, and the next
    /// document replaces this one.
    ///
    /// # Errors
    /// Returns an error if the document can't be written.
    pub fn write_document(&self) -> Result<Document, DocumentError> {
        let Some(shared) = self.alive() else { return Ok(Document::default()) };
        let deadline = Deadline::after(FINISH);
        match shared.ask(|reply| Command::Document { deadline, reply }) {
            Some((document, written)) => handed_over(document, written),
            None => Err(DocumentError { document: Box::default(), why: Why::Unanswered }),
        }
    }

    fn take_snapshot(&self, trigger: Trigger, name: Option<&str>) -> Option<Arc<Snapshot>> {
        let name = || name.map(str::to_owned);
        self.alive()?.ask(|reply| Command::Snapshot { trigger, name: name(), reply })
    }

    fn send(&self, command: impl FnOnce() -> Command) {
        if let Some(shared) = self.alive() {
            // Call `command` outside of `as_profiler`: the root that it allocates counts as the
            // program's memory, wherever the root is dropped.
            let command = command();
            // If the session is over by now, the command is not needed.
            let _ = heap::as_profiler(|| shared.send(command));
        }
    }

    fn alive(&self) -> Option<&Shared> {
        let shared = self.shared.as_deref()?;
        let alive = !shared.over.load(Ordering::Acquire) && shared.pid == std::process::id();
        alive.then_some(shared)
    }
}

impl Shared {
    fn send(&self, command: Command) -> Option<()> {
        self.commands.as_ref()?.send(command).ok()
    }

    /// Returns `None` without an answer, and on a thread of the session itself, where a root's
    /// closure may call this method.
    fn ask<T>(&self, command: impl FnOnce(Reply<T>) -> Command) -> Option<T> {
        heap::as_profiler(|| {
            let (reply, answer) = pair();
            let command = command(reply);
            if threads::is_ours() {
                // The request to finish the session must be sent even if the answer is not awaited.
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
    /// Frees the channel as the profiler's memory. A forked child leaves it alone.
    fn drop(&mut self) {
        if self.pid == std::process::id() {
            heap::as_profiler(|| drop(self.commands.take()));
        } else {
            core::mem::forget(self.commands.take());
        }
    }
}
