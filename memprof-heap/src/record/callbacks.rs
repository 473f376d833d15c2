//! Functions of the program and of a recorder that the allocator calls: at a peak, when events wait,
//! when the inner allocator refuses a request.
//!
//! There are two parties, the program and one recorder that runs in it, such as a session. Each has
//! callbacks and switches of its own, so that a recorder that starts and stops leaves the program's
//! as they were. Any thread may set a function; the allocator reads it without a lock, and runs it
//! inside of an allocation. So a function may do only what a signal handler may do.
#![expect(unsafe_code, reason = "an atomic word stores a function pointer")]

use crate::record::level::LevelWord;
use crate::record::switch::is_installed;
use crate::record::system::pin;
use crate::record::{counted, process};
use core::cell::Cell;
use core::marker::PhantomData;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicU64};
use core::{mem, ptr};

/// An optional function.
pub(crate) struct Callback<A> {
    function: AtomicPtr<()>,
    takes: PhantomData<fn(A)>,
}

impl<A> Callback<A> {
    pub(crate) const fn none() -> Self {
        Self { function: AtomicPtr::new(ptr::null_mut()), takes: PhantomData }
    }

    pub(crate) fn set(&self, function: Option<fn(A)>) {
        let function = function.map_or(ptr::null_mut(), |function| function as *mut ());
        // A thread that reads the function also sees what the program stored before it set it.
        self.function.store(function, Release);
    }

    /// Calls the function, if there is one. A panic aborts the process, because nothing may unwind
    /// out of an allocator.
    #[cold]
    pub(crate) fn call(&self, argument: A) {
        let function = self.function.load(Acquire);
        if function.is_null() {
            return;
        }
        // SAFETY: `set` stores only functions of this type and null, and null was excluded above.
        let function = unsafe { mem::transmute::<*mut (), fn(A)>(function) };
        let panicked = AbortOnUnwind;
        function(argument);
        mem::forget(panicked);
    }
}

struct AbortOnUnwind;

impl Drop for AbortOnUnwind {
    fn drop(&mut self) {
        std::process::abort();
    }
}

/// The party whose callback or switch is set.
#[derive(Clone, Copy)]
pub(crate) enum Party {
    /// The program, by the functions of [`hooks`](crate::hooks), [`event`](crate::event) and
    /// [`operation`](mod@crate::operation).
    Program,
    /// The recorder, by the functions of [`recorder`](crate::recorder).
    Recorder,
}

/// One value for each party.
pub(crate) struct Parties<T> {
    pub(crate) program: T,
    pub(crate) recorder: T,
}

impl<T> Parties<T> {
    pub(crate) fn of(&self, party: Party) -> &T {
        match party {
            Party::Program => &self.program,
            Party::Recorder => &self.recorder,
        }
    }
}

impl<A: Copy> Parties<Callback<A>> {
    pub(crate) const fn none() -> Self {
        Self { program: Callback::none(), recorder: Callback::none() }
    }

    /// Calls the functions of both parties. The recorder's function runs first, because the
    /// program's function may not return.
    pub(crate) fn call(&self, argument: A) {
        self.recorder.call(argument);
        self.program.call(argument);
    }
}

/// A switch that is on while at least one party has it on.
pub(crate) struct Switch(AtomicU8);

impl Switch {
    pub(crate) const fn off() -> Self {
        Self(AtomicU8::new(0))
    }

    pub(crate) fn set(&self, party: Party, on: bool) {
        let bit = 1 << party as u8;
        if on {
            self.0.fetch_or(bit, Relaxed)
        } else {
            self.0.fetch_and(!bit, Relaxed)
        };
    }

    pub(crate) fn is_on(&self) -> bool {
        self.0.load(Relaxed) != 0
    }
}

/// The reason for a call of the function of [`set_wake`](crate::hooks::set_wake).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wake {
    /// A thread has 512 events that were not drained. The call repeats each time that this number
    /// doubles. [Drain](crate::event::drain_operation_events) the events.
    Events,
    /// The process's peak has passed the limit of [`watch_peak`](crate::hooks::watch_peak), or its
    /// live bytes have passed the limit of [`recorder::watch_live`](crate::recorder::watch_live).
    Peak,
}

pub(crate) static WAKE: Parties<Callback<Wake>> = Parties::none();

/// The limit while nothing is watched.
const NO_LIMIT: u64 = u64::MAX;

/// The limit of the program's watch in bytes. If the peak is above it, the program's function is
/// called.
static PEAK_LIMIT: AtomicU64 = AtomicU64::new(NO_LIMIT);

/// The limit of the recorder's watch in bytes. If live bytes are above it, the recorder's function
/// is called.
static LIVE_LIMIT: AtomicU64 = AtomicU64::new(NO_LIMIT);

/// Compares live bytes and a peak with the limits. The peak need not be a new one.
pub(crate) fn check_limits(live: i64, peak: i64) {
    // The recorder's function is called first, because the program's function may take long.
    check(&LIVE_LIMIT, live, Party::Recorder);
    check(&PEAK_LIMIT, peak, Party::Program);
}

fn check(limit_word: &AtomicU64, bytes: i64, party: Party) {
    let limit = limit_word.load(Relaxed);
    if limit == NO_LIMIT {
        return;
    }
    let bytes = bytes.wrapping_sub(counted::live_at_begin()).max(0).cast_unsigned();
    if bytes > limit && limit_word.compare_exchange(limit, NO_LIMIT, Relaxed, Relaxed).is_ok() {
        WAKE.of(party).call(Wake::Peak);
    }
}

/// Returns the live bytes of the process at which the recorder's function is called, including
/// those that were live when counting began. Returns `i64::MAX` without a watch.
pub(crate) fn live_limit() -> i64 {
    match LIVE_LIMIT.load(Relaxed) {
        NO_LIMIT => i64::MAX,
        limit => counted::live_at_begin().saturating_add_unsigned(limit),
    }
}

/// Wakes the parties, because events are ready to be drained.
pub(crate) fn notify_events() {
    WAKE.call(Wake::Events);
}

/// Sets or removes the function that is called when a recorder should act. Its [`Wake`] argument is
/// the reason.
///
/// The function is called on any thread that allocates or ends an operation, before the allocation
/// or the end is complete. So it may do only what a signal handler may do. It must not allocate,
/// free or wait for a lock, and it must return soon. Its purpose is to write a byte to a pipe or to
/// set an atomic word.
///
/// Several threads may call it at once. A thread may still call it after another function was set.
/// If it panics, the process is aborted.
///
/// ```
/// use memprof::heap::hooks::{set_wake, Wake};
/// use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
///
/// static EVENTS_WAIT: AtomicBool = AtomicBool::new(false);
///
/// fn wake(why: Wake) {
///     if why == Wake::Events {
///         EVENTS_WAIT.store(true, Relaxed);
///     }
/// }
///
/// set_wake(Some(wake));
/// ```
///
/// A [recorder](crate::recorder) has a function of its own, which is called as well.
pub fn set_wake(wake: Option<fn(Wake)>) {
    set_wake_for(Party::Program, wake);
}

pub(crate) fn set_wake_for(party: Party, wake: Option<fn(Wake)>) {
    WAKE.of(party).set(wake);
}

/// Requests one call of the function of [`set_wake`], as soon as the [`Peak`](crate::Peak) of the
/// process is found above `above_bytes`. If the peak is above that already, the function is called
/// at once.
///
/// The peak is checked only when the threads' counters are read, so it may be too low by
/// [`error_bytes`](crate::Peak::error_bytes). The watch ends with that one call of the function.
/// Call `watch_peak` again to start another watch, or with `u64::MAX` to end a watch early.
///
/// ```
/// use memprof::heap::hooks::{set_wake, watch_peak, Wake};
/// use memprof::heap::{totals, Level};
/// use memprof::Allocator;
/// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// static PEAKS: AtomicU32 = AtomicU32::new(0);
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// set_wake(Some(|_| {
///     PEAKS.fetch_add(1, Relaxed);
/// }));
/// watch_peak(totals()?.peak.bytes + 1_000_000);
/// let most = vec![0_u8; 4_000_000];
/// let more = vec![0_u8; 4_000_000];
/// assert_eq!(PEAKS.load(Relaxed), 1);
/// # drop((most, more));
/// # Ok(())
/// # }
/// ```
pub fn watch_peak(above_bytes: u64) {
    PEAK_LIMIT.store(above_bytes, Relaxed);
    check_now();
}

pub(crate) fn watch_live(above_bytes: u64) {
    LIVE_LIMIT.store(above_bytes, Relaxed);
    process::recompute_soon();
    check_now();
}

fn check_now() {
    check_limits(process::exact_live(), process::peak());
}

/// An allocation that the inner allocator refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The requested bytes; for a reallocation, the whole new size.
    pub requested_bytes: u64,
}

static ON_REFUSAL: Parties<Callback<Refusal>> = Parties::none();

thread_local! {
    // The word has no destructor. So on most platforms it exists until the thread has ended.
    static IS_REPORTING: Cell<bool> = const { Cell::new(false) };
}

/// Reports that the inner allocator refused `size` bytes. Returns null.
#[cold]
#[inline(never)]
pub(crate) fn refused(size: usize) -> *mut u8 {
    if !LevelWord::now().is_off() {
        // `try_with` may fail on a platform where the word is destroyed before the thread ends.
        // Then nothing is reported.
        let _ = IS_REPORTING.try_with(|is_reporting| {
            if !is_reporting.replace(true) {
                ON_REFUSAL.call(Refusal { requested_bytes: size as u64 });
                is_reporting.set(false);
            }
        });
    }
    ptr::null_mut()
}

/// Sets or removes the function that is called when the inner allocator refuses a request.
///
/// The allocator calls it on the requesting thread, before the program gets null. At that time the
/// counts are up to date; they do not include the refused request. Most programs abort when they
/// get null, so it may be the last function that runs. Some refusals are expected, for example
/// those that `Vec::try_reserve` returns as errors. At [`Level::Off`](crate::Level::Off) the
/// function is never called, because results are passed on unchecked.
///
/// The function must not allocate, because there is no memory. It may call
/// [`totals`](crate::totals()), which doesn't allocate, and write to files that are open already.
/// It runs inside an allocation, so it must not wait for a lock that is held during allocations.
/// Further refusals on the same thread while it runs are not reported. If it panics, the process is
/// aborted.
///
/// ```
/// use memprof::heap::hooks::set_on_refusal;
/// use memprof::heap::Level;
/// use memprof::Allocator;
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// static REFUSED: AtomicU64 = AtomicU64::new(0);
///
/// # fn main() {
/// set_on_refusal(Some(|refusal| REFUSED.store(refusal.requested_bytes, Relaxed)));
/// let mut bytes: Vec<u8> = Vec::new();
/// assert!(bytes.try_reserve_exact(isize::MAX as usize).is_err());
/// assert_eq!(REFUSED.load(Relaxed), isize::MAX as u64);
/// # }
/// ```
///
/// A [recorder](crate::recorder) has a function of its own, which is called first.
pub fn set_on_refusal(function: Option<fn(Refusal)>) {
    set_on_refusal_for(Party::Program, function);
}

pub(crate) fn set_on_refusal_for(party: Party, function: Option<fn(Refusal)>) {
    // On its first call, `is_installed` allocates, and `pin` takes the loader's lock. Call them now,
    // so that `totals` need not do that later.
    is_installed();
    pin();
    ON_REFUSAL.of(party).set(function);
}
