//! Operations: names for the program's work. [`running`](super::running) counts it.
//!
//! A call may be counted in parts, on any thread: polls of a future, entries of a span. A wrapper
//! of a framework also reports the bytes of its tensors to the thread that creates or drops them; they
//! belong to the call that runs there.
#![expect(unsafe_code, reason = "`Send` under a bound that nothing meets")]

use crate::record::events::{self, Call};
use crate::record::level::LevelWord;
use crate::record::running::{
    EVENT, Flow, Place, TIMED, current_path, end_parts, enter, enter_part, leave, leave_part,
    note_time, read_switches,
};
use crate::record::{named, paths, system, threads};
use core::fmt;
use core::marker::PhantomData;
use core::panic::Location;
use core::pin::Pin;
use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;
use core::task::{Context, Poll};
use pin_project_lite::pin_project;

/// The number of entries of the cache of nested operations in each record.
pub(crate) const CHILDREN: usize = 4;

/// An operation in the source of the program: its name and location.
///
/// `operation!` creates one for each location. Create one by hand for names that come from
/// elsewhere, such as the spans of another crate.
///
/// ```
/// use memprof::heap::operation::OperationSite;
///
/// static PARSE: OperationSite = OperationSite::new("parse", file!(), line!());
///
/// let guard = PARSE.enter();
/// assert_eq!(PARSE.name(), "parse");
/// # drop(guard);
/// ```
#[derive(Debug)]
pub struct OperationSite {
    name: &'static str,
    file: &'static str,
    line: u32,
}

impl OperationSite {
    /// Creates an operation with this name at a location in the source.
    pub const fn new(name: &'static str, file: &'static str, line: u32) -> Self {
        Self { name, file, line }
    }

    /// Returns the name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the file that names the operation.
    pub fn file(&self) -> &'static str {
        self.file
    }

    /// Returns the line that names the operation.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Returns the entry for this operation in the caches of records. It is known at compile time.
    /// Operations on adjacent lines have different entries, so they don't replace each other.
    #[inline(always)]
    pub(crate) const fn child(&self) -> usize {
        self.line as usize % CHILDREN
    }
}

/// Names the work from here to the end of the scope. The macro returns a guard, which counts what
/// the work allocates.
///
/// The counts of an operation within another one are part of the outer operation's counts too. Each
/// path of names is counted by itself. An operation within itself, at any depth, has the path of
/// the outer call. The cost is low enough for functions that are called a million times a second.
///
/// ```
/// use memprof::heap::{operations, Level};
/// use memprof::{operation, Allocator};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// fn load() -> Vec<String> {
///     let _operation = operation!("load");
///     (0..1000).map(|row| format!("row {row}")).collect()
/// }
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// let rows = load();
/// let operations = operations()?;
/// let load = operations.find("load").expect("it ran");
/// assert_eq!(load.calls, 1);
/// assert!(load.allocated_blocks >= 1001);
/// assert!(load.net_bytes() >= 24 * 1000);
/// # drop(rows);
/// # Ok(())
/// # }
/// ```
///
/// Bind the guard to a variable: `let _ = operation!("load")` ends the operation at once. The guard
/// belongs to its thread. For work that awaits, use [`TrackFuture`](crate::operation::TrackFuture).
///
/// # Cost
/// `docs/comparison.md` lists the instructions. No lock is taken, and only the first call on a
/// thread allocates.
#[macro_export]
macro_rules! operation {
    ($name:expr $(,)?) => {{
        static OPERATION: $crate::operation::OperationSite =
            $crate::operation::OperationSite::new($name, ::core::file!(), ::core::line!());
        OPERATION.enter()
    }};
}

/// An operation that runs until this is dropped. [`operation!`](macro@crate::operation) creates it.
///
/// The guard belongs to the thread that created it. Guards may be dropped in any order. Until the
/// outer one is dropped, it also counts everything that the inner one counts. An operation whose
/// guard is forgotten runs until its thread ends.
#[derive(Debug)]
#[must_use = "the operation ends when the guard is dropped: `let _operation = …`"]
pub struct OperationGuard {
    end: OnOneThread,
}

/// A pointer to the end of the operation's entry on its thread's stack. It is not `Send`, because
/// the entry stays on its thread. If code sends the guard, the compiler's message states what to do
/// instead.
#[derive(Debug)]
struct OnOneThread<T = ()>(Place, PhantomData<*const T>);

// SAFETY: no type implements the bound, and no type outside this module can. So nothing becomes
// `Send`.
unsafe impl<T: OperationAcrossAwait> Send for OnOneThread<T> {}

/// A bound that no type meets. It exists only for the compiler's message.
#[diagnostic::on_unimplemented(
    message = "the guard of `operation!` cannot be held across an `.await` or sent to another thread",
    label = "a guard counts what its own thread allocates",
    note = "to count an `async fn`, put `#[memprof::track]` on it; to count another future, call `.track(…)` of `memprof::heap::operation::TrackFuture` on it"
)]
trait OperationAcrossAwait {}

impl OperationSite {
    /// Begins the operation on the current thread. Works like
    /// [`operation!`](macro@crate::operation), but for this site.
    #[inline]
    pub fn enter(&'static self) -> OperationGuard {
        OperationGuard { end: OnOneThread(enter(self), PhantomData) }
    }
}

impl Drop for OperationGuard {
    #[inline]
    fn drop(&mut self) {
        leave(self.end.0);
    }
}

/// The counts of a call up to now, with its path.
pub(crate) struct Parts {
    path: u32,
    whole: Flow,
    begun: bool,
    /// The time at which the first part began; 0 if times and events are off.
    began: u64,
    /// The marks of the switches that were on when the first part began.
    marks: u32,
    tensors: i64,
    /// True if one of the parts ran within a call of the same path.
    is_within_itself: bool,
}

impl Parts {
    pub(crate) fn new(path: u32) -> Self {
        Self {
            path,
            whole: Flow::default(),
            begun: false,
            began: 0,
            marks: 0,
            tensors: 0,
            is_within_itself: false,
        }
    }

    pub(crate) fn path(&self) -> u32 {
        self.path
    }

    pub(crate) fn begun(&self) -> bool {
        self.begun
    }

    /// Begins a part on the current thread, and returns the argument for `leave`.
    pub(crate) fn enter(&mut self) -> Place {
        if !self.begun {
            self.begun = true;
            (self.began, self.marks) = read_switches();
        }
        enter_part(self.path)
    }

    pub(crate) fn leave(&mut self, end: Place) {
        if let Some(part) = leave_part(end) {
            self.whole.then(part.flow);
            self.tensors = self.tensors.wrapping_add(part.tensors);
            self.is_within_itself |= part.is_within_itself;
        }
    }

    pub(crate) fn end(&self) {
        self.end_at(self.now());
    }

    pub(crate) fn end_at(&self, moment: Option<u64>) {
        if LevelWord::now().is_off() {
            return;
        }
        let Some((local, record)) = end_parts(self.path, self.whole) else { return };
        let Some(ended) = moment else { return };
        if self.marks & TIMED != 0 {
            note_time(record, ended.saturating_sub(self.began));
        }
        if self.marks & EVENT != 0 {
            let (began, delta, tensors) = (self.began, self.whole.net_bytes, self.tensors);
            let is_within_itself = self.is_within_itself;
            events::note(local, self.path, Call { began, ended, delta, tensors, is_within_itself });
        }
    }

    /// Returns the time now, if the call is timed or gets an event.
    pub(crate) fn now(&self) -> Option<u64> {
        (self.began != 0).then(system::nanoseconds)
    }
}

/// Ends a part without adding it: another part of the call includes it, or the call is gone.
#[cfg(feature = "tracing_subscriber03")]
pub(crate) fn discard(end: Place) {
    leave_part(end);
}

/// An extension trait for futures that names their work as an operation.
///
/// ```
/// use memprof::heap::operation::{OperationSite, TrackFuture};
/// use memprof::heap::{operations, Level};
/// use memprof::Allocator;
/// # use std::{pin::pin, task::{Context, Waker}};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// static ANSWER: OperationSite = OperationSite::new("answer", file!(), line!());
///
/// async fn answer() -> String {
///     async { "forty-two".repeat(100) }.track(&ANSWER).await
/// }
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// # let mut polled = pin!(answer());
/// # let _ = polled.as_mut().poll(&mut Context::from_waker(Waker::noop()));
/// let operations = operations()?;
/// assert!(operations.find("answer").expect("it ran").allocated_bytes >= 900);
/// # Ok(())
/// # }
/// ```
pub trait TrackFuture: Future + Sized {
    /// Counts this future as a call of the operation, within the current operation.
    ///
    /// The call counts what its polls allocate and free, on any thread, and what dropping the
    /// future frees. It begins with the first poll and ends when the future is ready or dropped.
    /// Work that the future spawns is not included: track that work too, with
    /// [`in_current_operation`].
    ///
    /// [`in_current_operation`]: TrackFuture::in_current_operation
    fn track(self, operation: &'static OperationSite) -> Tracked<Self> {
        Tracked::new(self, paths::path_to(current_path(), operation).0, true)
    }

    /// Counts this future as a call of an operation that is named after the caller's line, such as
    /// `task src/main.rs:40`. Use it to break down bytes by the line that spawns a task.
    ///
    /// ```
    /// use memprof::heap::operation::TrackFuture;
    ///
    /// # async fn connection() {}
    /// // tokio::spawn(connection().track_here());
    /// # let _ = connection().track_here();
    /// ```
    #[track_caller]
    fn track_here(self) -> Tracked<Self> {
        self.track(named::of_location(Location::caller()))
    }

    /// Counts the polls of this future, on any thread, for the current operation. Use it for work
    /// that an operation spawns. The future is not a separate call.
    fn in_current_operation(self) -> Tracked<Self> {
        Tracked::new(self, current_path(), false)
    }
}

impl<F: Future> TrackFuture for F {}

pin_project! {
    /// A future whose polls are counted for an operation. [`TrackFuture`] creates it.
    #[must_use = "futures do nothing unless they are awaited"]
    pub struct Tracked<F> {
        // `None` once the future is ready. It is dropped at that moment, so that the frees of the
        // future itself are counted too.
        #[pin]
        future: Option<F>,
        parts: Parts,
        is_call: bool,
    }

    impl<F> PinnedDrop for Tracked<F> {
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            if this.future.is_none() {
                return;
            }
            let is_call = *this.is_call && this.parts.begun();
            let end = this.parts.enter();
            this.future.set(None);
            this.parts.leave(end);
            if is_call {
                this.parts.end();
            }
        }
    }
}

impl<F: Future> Tracked<F> {
    fn new(future: F, path: u32, is_call: bool) -> Self {
        Self { future: Some(future), parts: Parts::new(path), is_call }
    }

    /// Calls `make` as the first part of a call that the polls of its future go on with.
    #[cfg(feature = "tower_layer03")]
    pub(crate) fn begun_by(operation: &'static OperationSite, make: impl FnOnce() -> F) -> Self {
        let mut parts = Parts::new(paths::path_to(current_path(), operation).0);
        let part = Part { end: parts.enter(), parts: &mut parts };
        let future = make();
        drop(part);
        Self { future: Some(future), parts, is_call: true }
    }
}

/// A part of the call. The part ends when this is dropped, even if the future panics.
struct Part<'a> {
    end: Place,
    parts: &'a mut Parts,
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        self.parts.leave(self.end);
    }
}

impl<F: Future> Future for Tracked<F> {
    type Output = F::Output;

    /// # Panics
    /// Panics if the future is polled again after it was ready, like other futures.
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let mut this = self.project();
        let part = Part { end: this.parts.enter(), parts: &mut *this.parts };
        let future = this.future.as_mut().as_pin_mut().expect("a future is not polled when ready");
        let polled = future.poll(context);
        if polled.is_ready() {
            this.future.set(None);
            drop(part);
            if *this.is_call {
                this.parts.end();
            }
        }
        polled
    }
}

impl<F> fmt::Debug for Tracked<F> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = paths::path_of(self.parts.path());
        let names: Vec<_> = names.iter().map(|site| site.name()).collect();
        out.debug_struct("Tracked").field("operation", &names).finish_non_exhaustive()
    }
}

static REPORTED: AtomicBool = AtomicBool::new(false);

/// Reports that this thread created a tensor of `bytes` bytes, on any device.
///
/// The bytes that a thread reports while a call of an operation runs are added to the
/// [`tensor_net_bytes`](crate::event::OperationEvent::tensor_net_bytes) of that call. Before
/// the first report, the tensors of all calls are unknown, not 0.
///
/// ```
/// use memprof::heap::event::{
///     drain_operation_events, set_operation_events, tensor_created, tensor_dropped,
/// };
/// use memprof::heap::Level;
/// use memprof::{operation, Allocator};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() {
/// set_operation_events(true);
/// {
///     let _operation = operation!("forward");
///     tensor_created(4096);
///     tensor_dropped(1024);
/// }
/// let mut tensors = None;
/// drain_operation_events(|event| tensors = event.tensor_net_bytes);
/// assert_eq!(tensors, Some(3072));
/// # }
/// ```
pub fn tensor_created(bytes: u64) {
    report_tensors(bytes.cast_signed());
}

/// Reports that this thread dropped a tensor of `bytes` bytes; see [`tensor_created`].
pub fn tensor_dropped(bytes: u64) {
    report_tensors(bytes.cast_signed().wrapping_neg());
}

/// Adds bytes of tensors to the current thread's sum: positive if created, negative if dropped.
fn report_tensors(bytes: i64) {
    if let Some(local) = threads::local() {
        local.add_tensors(bytes);
    }
    // The word is not written each time, because all threads read it.
    if !REPORTED.load(Relaxed) {
        REPORTED.store(true, Relaxed);
    }
}

pub(crate) fn tensors_were_reported() -> bool {
    REPORTED.load(Relaxed)
}
