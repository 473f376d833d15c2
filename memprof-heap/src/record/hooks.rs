//! Callbacks that a profiler in the same process sets, and the work that it leaves out of the samples.
//!
//! [`callbacks`](super::callbacks) has the words; the setters are here because they read the counts
//! and call the allocator.

use crate::record::callbacks::{ON_REFUSAL, Party, Refusal, WAKE, Wake, set_limit};
use crate::record::switch::is_installed;
use crate::record::system::pin;
use crate::record::{process, sample};

/// Sets or removes the function that is called when a recorder should act. Its [`Wake`] argument is
/// the reason.
///
/// The function is called on any thread that allocates or ends an operation, before the allocation
/// or the operation is complete. So it must be async-signal-safe. It must not allocate, free or
/// wait for a lock, and it must return soon. Typically, it writes a byte to a pipe or sets an
/// atomic word.
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
/// A [recorder](crate::recorder) has its own function, which is called too.
pub fn set_wake(wake: Option<fn(Wake)>) {
    WAKE.of(Party::Program).set(wake);
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
    set_limit(Party::Program, above_bytes);
    process::check_limits_now();
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
/// A [recorder](crate::recorder) has its own function, which is called first.
pub fn set_on_refusal(function: Option<fn(Refusal)>) {
    set_on_refusal_for(Party::Program, function);
}

fn set_on_refusal_for(party: Party, function: Option<fn(Refusal)>) {
    // On its first call, `is_installed` allocates, and `pin` takes the loader's lock. Call them now,
    // so that `totals` need not do that later.
    is_installed();
    pin();
    ON_REFUSAL.of(party).set(function);
}

/// Runs a profiler's own work. Its allocations are not sampled, and they are counted separately.
///
/// So [`sites`](crate::sites()), [`largest`](crate::largest()), the retained bytes of operations
/// and the [`Peak`](crate::Peak) of the process do not include them. [`totals`](crate::totals())
/// includes them, because they are live memory too;
/// [`profiler_bytes`](crate::Totals::profiler_bytes) is their share.
///
/// ```
/// use memprof::heap::hooks::unrecorded;
/// use memprof::heap::{set_level, set_rate, sites, Level, Rate};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system();
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// set_rate(Rate::EACH_BLOCK);
/// set_level(Level::Sampled);
/// let snapshot = unrecorded(|| vec![0_u8; 1_000_000]);
/// assert!(sites()?.live.value < 1_000_000.0);
/// # drop(snapshot);
/// # Ok(())
/// # }
/// ```
///
/// # Cost
/// The call writes to one thread-local word twice.
pub fn unrecorded<T>(work: impl FnOnce() -> T) -> T {
    sample::unsampled(|| process::as_profiler(work))
}

/// Runs the work of a thread that belongs to a profiler for its entire life.
///
/// Unlike with [`unrecorded`], what the thread counted before this call also belongs to the
/// profiler, and so does what it frees after `work`, when its closure and its handle are dropped.
/// Call it first in a thread's closure, and start the thread within [`unrecorded`] work, so that
/// both the allocation and the free of the thread's own blocks count for the profiler.
///
/// ```
/// use memprof::heap::hooks::{unrecorded, unrecorded_thread};
/// use memprof::heap::{totals, Level};
/// use memprof::Allocator;
/// use std::thread;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// let before = totals()?.program_bytes();
/// let work = || unrecorded_thread(|| drop(vec![0_u8; 1_000_000]));
/// unrecorded(|| thread::spawn(work).join()).expect("it doesn't panic");
/// assert_eq!(totals()?.program_bytes(), before);
/// # Ok(())
/// # }
/// ```
pub fn unrecorded_thread<T>(work: impl FnOnce() -> T) -> T {
    process::adopt_current_thread();
    sample::unsampled(work)
}

/// Runs work of the program within [`unrecorded`] work. The allocations of the inner work are
/// sampled, and its allocations and frees count for the program.
///
/// A profiler uses this to drop a value of the program or to call its code.
///
/// ```
/// use memprof::heap::hooks::{recorded, unrecorded};
/// use memprof::heap::{totals, Level};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// let value = vec![0_u8; 1_000_000];
/// unrecorded(|| recorded(|| drop(value)));
/// assert!(totals()?.profiler_bytes < 10_000);
/// # Ok(())
/// # }
/// ```
pub fn recorded<T>(work: impl FnOnce() -> T) -> T {
    process::with_profiler_work(false, || sample::sampled_again(work))
}

/// The caller frees the result, so it gets a copy that was not allocated as a profiler's memory.
pub(crate) fn for_caller<T: Clone>(work: impl FnOnce() -> T) -> T {
    sample::unsampled(|| {
        let result = process::as_profiler(work);
        let copy = result.clone();
        process::as_profiler(|| drop(result));
        copy
    })
}

pub mod recorder {
    //! Settings of a recorder that runs in the same process as the program, such as a session.
    //!
    //! Each function but [`watch_live`] and [`set_default_rate`] does the same as the function of that
    //! name in [`hooks`](crate::hooks), [`event`](crate::event) or [`operation`](mod@crate::operation),
    //! for a separate setting. If both the program and the recorder set a callback, both are called. A switch
    //! is on if either of them has it on. So a recorder that starts and stops leaves the program's
    //! settings as they were. There is one recorder at a time.
    //!
    //! Each [event](crate::event::drain_operation_events) is returned once, to the first party that
    //! drains it.
    //!
    //! ```
    //! use memprof::heap::hooks::{set_wake, Wake};
    //! use memprof::heap::recorder;
    //!
    //! fn of_the_program(_: Wake) {}
    //! fn of_the_recorder(_: Wake) {}
    //!
    //! set_wake(Some(of_the_program));
    //! recorder::set_wake(Some(of_the_recorder)); // Both are called.
    //! recorder::set_wake(None); // The program's is called.
    //! ```

    use super::set_on_refusal_for;
    use crate::record::callbacks::{Party, Refusal, WAKE, Wake, set_limit};
    use crate::record::sample::Rate;
    use crate::record::{events, process, running, switch};

    /// Sets the function that wakes the recorder; see [`set_wake`](crate::hooks::set_wake).
    pub fn set_wake(function: Option<fn(Wake)>) {
        WAKE.of(Party::Recorder).set(function);
    }

    /// Requests one call of the recorder's function, as soon as the process's live bytes are found above
    /// `above_bytes`. If they are above that already, the function is called at once.
    ///
    /// Unlike [`watch_peak`](crate::hooks::watch_peak), this also finds live bytes that are below an
    /// earlier peak. They are found at the same moments as a new peak. The watch ends with that one
    /// call. `u64::MAX` ends it early.
    ///
    /// ```
    /// use memprof::heap::hooks::Wake;
    /// use memprof::heap::{recorder, totals, Level};
    /// use memprof::Allocator;
    /// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    ///
    /// #[global_allocator]
    /// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
    ///
    /// static BURSTS: AtomicU32 = AtomicU32::new(0);
    ///
    /// # fn main() -> Result<(), memprof::heap::NotRecorded> {
    /// drop(vec![0_u8; 8_000_000]);
    /// recorder::set_wake(Some(|why| {
    ///     if why == Wake::Peak {
    ///         BURSTS.fetch_add(1, Relaxed);
    ///     }
    /// }));
    /// recorder::watch_live(totals()?.live_bytes().unsigned_abs() + 1_000_000);
    /// let burst = vec![0_u8; 4_000_000];
    /// assert_eq!(BURSTS.load(Relaxed), 1, "although the peak is 8 MB");
    /// # drop(burst);
    /// # Ok(())
    /// # }
    /// ```
    pub fn watch_live(above_bytes: u64) {
        set_limit(Party::Recorder, above_bytes);
        process::recompute_soon();
        process::check_limits_now();
    }

    /// Sets the rate at which blocks are sampled while the program has not [set one](crate::set_rate).
    ///
    /// A rate set by the program stays in effect, even if it is coarser. The default is
    /// [`Rate::ADAPTIVE`], which a recorder restores when it ends.
    ///
    /// ```
    /// use memprof::heap::recorder::set_default_rate;
    /// use memprof::heap::{set_level, set_rate, sites, Level, Rate};
    /// use memprof::Allocator;
    ///
    /// #[global_allocator]
    /// static ALLOC: Allocator = Allocator::system();
    ///
    /// # fn main() -> Result<(), memprof::heap::NotRecorded> {
    /// set_level(Level::Sampled);
    /// set_default_rate(Rate::adaptive(64 << 10, 4096));
    /// assert_eq!(sites()?.mean_bytes, 64 << 10);
    /// set_rate(Rate::every(1 << 20));
    /// assert_eq!(sites()?.mean_bytes, 1 << 20);
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_default_rate(rate: Rate) {
        switch::set_default_rate(rate);
    }

    /// Sets the recorder's function for refused memory; see
    /// [`set_on_refusal`](crate::hooks::set_on_refusal). It is called before the program's.
    pub fn set_on_refusal(function: Option<fn(Refusal)>) {
        set_on_refusal_for(Party::Recorder, function);
    }

    /// Sets whether each call of an operation is kept as an event for the recorder; see
    /// [`set_operation_events`](crate::event::set_operation_events).
    pub fn set_operation_events(on: bool) {
        events::keep_events(Party::Recorder, on);
    }

    /// Sets whether calls of operations are timed for the recorder; see
    /// [`set_wall_time`](crate::operation::set_wall_time).
    pub fn set_wall_time(on: bool) {
        running::time_calls(Party::Recorder, on);
    }
}
