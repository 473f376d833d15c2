//! Functions of the program and of a recorder that the allocator calls: at a peak, when events wait,
//! when the inner allocator refuses a request. [`hooks`](super::hooks) sets them.
//!
//! There are two parties, the program and one recorder that runs in it, such as a session. Each has
//! callbacks and switches of its own, so that a recorder that starts and stops leaves the program's
//! as they were. Any thread may set a function; the allocator reads it without a lock, and runs it
//! inside of an allocation. So a function may do only what a signal handler may do.
#![expect(unsafe_code, reason = "an atomic word stores a function pointer")]

use core::cell::Cell;
use core::marker::PhantomData;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicU64};
use core::{mem, ptr};

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

    /// A panic aborts the process, because nothing may unwind out of an allocator.
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

#[derive(Clone, Copy)]
pub(crate) enum Party {
    /// The program, by the functions of [`hooks`](crate::hooks), [`event`](crate::event) and
    /// [`operation`](mod@crate::operation).
    Program,
    /// The recorder, by the functions of [`recorder`](crate::recorder).
    Recorder,
}

pub(crate) struct Callbacks<A>([Callback<A>; 2]);

impl<A: Copy> Callbacks<A> {
    const fn none() -> Self {
        Self([const { Callback::none() }; 2])
    }

    pub(crate) fn of(&self, party: Party) -> &Callback<A> {
        &self.0[party as usize]
    }

    /// The recorder's function runs first, because the program's function may not return.
    fn call(&self, argument: A) {
        self.of(Party::Recorder).call(argument);
        self.of(Party::Program).call(argument);
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

/// The reason why the function of [`set_wake`](crate::hooks::set_wake) is called.
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

pub(crate) static WAKE: Callbacks<Wake> = Callbacks::none();

const NO_LIMIT: u64 = u64::MAX;

/// In bytes: the program's limit is on the peak, the recorder's on live bytes.
static LIMITS: [AtomicU64; 2] = [const { AtomicU64::new(NO_LIMIT) }; 2];

/// Compares live bytes and a peak with the limits. Both are above the bytes that were live when
/// counting began. The peak need not be a new one.
pub(crate) fn check_limits(live: i64, peak: i64) {
    // The recorder's function is called first, because the program's function may take long.
    for (party, bytes) in [(Party::Recorder, live), (Party::Program, peak)] {
        let word = &LIMITS[party as usize];
        let limit = word.load(Relaxed);
        // No bytes are above `NO_LIMIT`.
        if bytes.max(0).cast_unsigned() > limit
            && word.compare_exchange(limit, NO_LIMIT, Relaxed, Relaxed).is_ok()
        {
            WAKE.of(party).call(Wake::Peak);
        }
    }
}

/// Sets the limit of the party's watch; `u64::MAX` ends the watch. The caller then checks the limits.
pub(crate) fn set_limit(party: Party, above_bytes: u64) {
    LIMITS[party as usize].store(above_bytes, Relaxed);
}

/// Counted above the bytes that were live when counting began. `None` without a watch.
pub(crate) fn live_limit() -> Option<u64> {
    Some(LIMITS[Party::Recorder as usize].load(Relaxed)).filter(|limit| *limit != NO_LIMIT)
}

pub(crate) fn notify_events() {
    WAKE.call(Wake::Events);
}

/// An allocation that the inner allocator refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The requested bytes; for a reallocation, the whole new size.
    pub requested_bytes: u64,
}

pub(crate) static ON_REFUSAL: Callbacks<Refusal> = Callbacks::none();

thread_local! {
    // The word has no destructor. So on most platforms it exists until the thread has ended.
    static IS_REPORTING: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn report_refusal(size: usize) {
    // `try_with` may fail if the word is destroyed before the thread ends. Then nothing is
    // reported.
    let _ = IS_REPORTING.try_with(|is_reporting| {
        if !is_reporting.replace(true) {
            ON_REFUSAL.call(Refusal { requested_bytes: size as u64 });
            is_reporting.set(false);
        }
    });
}
