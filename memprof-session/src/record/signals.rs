//! Signals: what asks for a report, and what ends the program after one.
//!
//! The handler marks the signal and wakes the session's thread, which does the work, and the watchdog,
//! which ends the program if that work takes too long. The handler is installed by hand: the action
//! that it replaced says whether the program answers the signal too, and a runtime with its own Ctrl-C
//! must not be killed by a profiler.
#![expect(unsafe_code, reason = "signal handlers are the system's")]

use super::deadline;
use super::wake::wake;
use super::watchdog::{self, EndRequest, Watchdog};
use core::cell::Cell;
use core::ffi::c_int;
use core::ptr;
use core::sync::atomic::{AtomicI32, AtomicPtr, AtomicU64, Ordering};
use libc::{SIG_DFL, SIG_IGN, SIGINT, SIGTERM, SIGUSR1, sigaction, siginfo_t};
use std::time::Duration;

/// A signal that a session answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    Interrupt,
    Terminate,
    User1,
}

const ALL: [Signal; 3] = [Signal::Interrupt, Signal::Terminate, Signal::User1];

/// What is known of each signal.
struct State {
    /// What was there before; null until a session installs its handler. Never freed, as a handler
    /// may be reading it.
    before: AtomicPtr<sigaction>,
    /// When it came, if the session has not done what it asks for; else [`NEVER`].
    came_ns: AtomicU64,
}

const NEVER: u64 = u64::MAX;

impl State {
    const fn new() -> Self {
        Self { before: AtomicPtr::new(ptr::null_mut()), came_ns: AtomicU64::new(NEVER) }
    }
}

static STATES: [State; 3] = [State::new(), State::new(), State::new()];

/// A signal that ends the program does so at the latest after this time.
pub(crate) const BUDGET: Duration = Duration::from_secs(2);

/// Signals that come together are one request: `timeout` and shells send to the process and to its
/// group.
const TOGETHER: Duration = Duration::from_millis(100);

/// The process that records; 0 while none does. A forked child answers as if there were no session.
static RECORDS: AtomicI32 = AtomicI32::new(0);

impl Signal {
    fn number(self) -> c_int {
        match self {
            Self::Interrupt => SIGINT,
            Self::Terminate => SIGTERM,
            Self::User1 => SIGUSR1,
        }
    }

    /// As people call it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Interrupt => "SIGINT",
            Self::Terminate => "SIGTERM",
            Self::User1 => "SIGUSR1",
        }
    }

    fn of(number: c_int) -> Option<Self> {
        ALL.into_iter().find(|signal| signal.number() == number)
    }

    fn state(self) -> &'static State {
        &STATES[self as usize]
    }

    /// Whether a signal came that the session has to answer.
    pub(crate) fn pending() -> Option<Self> {
        ALL.into_iter().find(|signal| signal.came_ns().is_some())
    }

    /// The first signal that came, of those that end the program.
    pub(crate) fn ending() -> Option<Self> {
        let ending = ALL.into_iter().filter(|signal| signal.ends_the_program());
        ending
            .filter_map(|signal| Some((signal.came_ns()?, signal)))
            .min_by_key(|&(came, _)| came)
            .map(|(_, signal)| signal)
    }

    /// When it came, if the session has to answer it, by the clock of deadlines.
    pub(crate) fn came_ns(self) -> Option<u64> {
        let came = self.state().came_ns.load(Ordering::Acquire);
        (came != NEVER).then_some(came)
    }

    /// States that the session has done what the signal of that moment asked for. One that came since
    /// is still to be answered.
    pub(crate) fn done(self, came_ns: u64) {
        let came = &self.state().came_ns;
        let _ = came.compare_exchange(came_ns, NEVER, Ordering::AcqRel, Ordering::Relaxed);
    }

    /// Returns `true` if the signal would end the program without a session, as no handler answers it. The
    /// first process of a container ignores signals that no handler answers.
    pub(crate) fn ends_the_program(self) -> bool {
        const FIRST_PROCESS: i32 = 1;
        self != Self::User1 && pid() != FIRST_PROCESS && self.is_ours_alone()
    }

    /// Whether the handler is the session's, and nobody's was there before. Whoever installs one
    /// later has it in this one's place, and calls this one as what was there before.
    fn is_ours_alone(self) -> bool {
        let before = self.state().before.load(Ordering::Acquire);
        // SAFETY: null, or what was there before, which is never freed.
        let nobody_before =
            unsafe { before.as_ref() }.is_some_and(|was| was.sa_sigaction == SIG_DFL);
        nobody_before && now(self.number()).is_some_and(|now| now.sa_sigaction == ours())
    }

    /// Ends the program as the signal would have.
    pub(crate) fn end_the_program(self) {
        let number = self.number();
        set_default(number);
        // SAFETY: a set of signals is plain words.
        let mut set: libc::sigset_t = unsafe { core::mem::zeroed() };
        // SAFETY: the set is there.
        unsafe { libc::sigemptyset(&raw mut set) };
        // SAFETY: the set is there, and the signal is one.
        unsafe { libc::sigaddset(&raw mut set, number) };
        // SAFETY: the set is there.
        unsafe { libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const set, ptr::null_mut()) };
        // SAFETY: it has no conditions.
        unsafe { libc::raise(number) };
    }
}

impl EndRequest for Signal {
    const BUDGET: Duration = BUDGET;

    fn first() -> Option<Self> {
        Self::ending()
    }

    fn came_ns(self) -> Option<u64> {
        Self::came_ns(self)
    }

    fn end_the_program(self) {
        Self::end_the_program(self);
    }
}

/// From now on signals are answered by this process's session, until [`end`].
pub(crate) fn begin(watchdog: Watchdog) {
    watchdog.watch();
    for signal in ALL {
        signal.state().came_ns.store(NEVER, Ordering::Release);
    }
    RECORDS.store(pid(), Ordering::Release);
    for signal in ALL {
        install(signal);
    }
}

fn install(signal: Signal) {
    let number = signal.number();
    let Some(was) = now(number) else { return };
    // A program that was started with the signal ignored goes on to ignore it. A handler of an
    // earlier session is still in place.
    if was.sa_sigaction == SIG_IGN || was.sa_sigaction == ours() {
        return;
    }
    // The handler may run as soon as it is installed, so it must find the action before that.
    remember(signal, was);
    let action = action_over(&was);
    // SAFETY: an action is plain words.
    let mut replaced: sigaction = unsafe { core::mem::zeroed() };
    // SAFETY: the handler does only what a handler may, and there is room for the old action.
    if unsafe { sigaction(number, &raw const action, &raw mut replaced) } != 0 {
        return;
    }
    if replaced.sa_sigaction == was.sa_sigaction {
        return;
    }
    // Another thread has installed one since the look: what this call replaced is what counts.
    if replaced.sa_sigaction == SIG_IGN {
        // SAFETY: it is what the system said was there.
        unsafe { sigaction(number, &raw const replaced, ptr::null_mut()) };
    } else if replaced.sa_sigaction != ours() {
        remember(signal, replaced);
        let action = action_over(&replaced);
        // SAFETY: as above; the old action is known.
        unsafe { sigaction(number, &raw const action, ptr::null_mut()) };
    }
}

/// The session's action in the place of another one.
fn action_over(was: &sigaction) -> sigaction {
    // Signals that the program's handler blocks stay blocked while it runs.
    let mut action = *was;
    action.sa_sigaction = ours();
    let kept = match was.sa_sigaction {
        // No handler interrupted calls of the system, so none of them may end early.
        SIG_DFL => libc::SA_RESTART,
        // The program may rely on it that a call of the system ends early, or on one delivery only.
        _ => was.sa_flags & (libc::SA_RESTART | libc::SA_RESETHAND),
    };
    // A stack of its own is used if the thread has one.
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | kept;
    for signal in ALL {
        // One handler at a time: a thread's stack for signals has room for few.
        // SAFETY: the mask is there, and the signal is one.
        unsafe { libc::sigaddset(&raw mut action.sa_mask, signal.number()) };
    }
    action
}

/// Keeps what was there before. It is never freed, as a handler may be reading it.
fn remember(signal: Signal, was: sigaction) {
    signal.state().before.store(Box::leak(Box::new(was)), Ordering::Release);
}

/// From now on signals do what they would have done without a session; so does one that came while
/// the session ended.
pub(crate) fn end() {
    let came = Signal::ending();
    RECORDS.store(0, Ordering::Release);
    watchdog::end();
    for signal in ALL {
        let number = signal.number();
        let before = signal.state().before.load(Ordering::Acquire);
        // What somebody has installed since goes on to call ours, which then passes it on.
        if !before.is_null() && now(number).is_some_and(|now| now.sa_sigaction == ours()) {
            // SAFETY: it is what the system said was there.
            unsafe { sigaction(number, before, ptr::null_mut()) };
        }
    }
    if let Some(signal) = came {
        signal.end_the_program();
    }
}

fn ours() -> libc::sighandler_t {
    handle as extern "C" fn(c_int, *mut siginfo_t, *mut libc::c_void) as libc::sighandler_t
}

fn pid() -> i32 {
    // SAFETY: it has no conditions.
    unsafe { libc::getpid() }
}

/// What answers a signal now.
fn now(number: c_int) -> Option<sigaction> {
    // SAFETY: an action is plain words.
    let mut now: sigaction = unsafe { core::mem::zeroed() };
    // SAFETY: there is room for it.
    let found = unsafe { sigaction(number, ptr::null(), &raw mut now) };
    (found == 0).then_some(now)
}

fn set_default(number: c_int) {
    // SAFETY: it is the system's own action.
    unsafe { libc::signal(number, SIG_DFL) };
}

std::thread_local! {
    /// The signals that this thread passes on, a bit each. No destructor, so it is there always.
    static PASSED_ON: Cell<u8> = const { Cell::new(0) };
}

/// Runs in a signal handler: no lock, no memory, nothing that waits.
extern "C" fn handle(number: c_int, info: *mut siginfo_t, context: *mut libc::c_void) {
    let Some(signal) = Signal::of(number) else { return };
    // A handler that was installed during one session is what was there before the next one, and
    // calls this one as what was there before it: round and round.
    let bit = 1 << signal as u8;
    if PASSED_ON.get() & bit != 0 {
        return;
    }
    let state = signal.state();
    let records = RECORDS.load(Ordering::Acquire) == pid();
    if records {
        let now_ns = deadline::now_ns();
        if signal.ends_the_program() {
            let earlier = Signal::ending().and_then(Signal::came_ns);
            match earlier {
                Some(came) if now_ns.saturating_sub(came) < TOGETHER.as_nanos() as u64 => return,
                // The second Ctrl-C ends the program without the report.
                Some(_) => {
                    signal.end_the_program();
                    return;
                }
                None => deadline::request_end(),
            }
            state.came_ns.store(now_ns, Ordering::Release);
            watchdog::ring();
        } else {
            state.came_ns.store(now_ns, Ordering::Release);
        }
        wake();
    } else if signal.is_ours_alone() {
        signal.end_the_program();
        return;
    }
    // SAFETY: null, or what was there before, which is never freed.
    let Some(before) = (unsafe { state.before.load(Ordering::Acquire).as_ref() }) else { return };
    PASSED_ON.set(PASSED_ON.get() | bit);
    pass_on(before, number, info, context);
    PASSED_ON.set(PASSED_ON.get() & !bit);
}

/// Calls the handler that was there before.
fn pass_on(before: &sigaction, number: c_int, info: *mut siginfo_t, context: *mut libc::c_void) {
    type Plain = extern "C" fn(c_int);
    type WithInfo = extern "C" fn(c_int, *mut siginfo_t, *mut libc::c_void);
    let handler = before.sa_sigaction;
    if handler == SIG_DFL || handler == SIG_IGN {
        return;
    }
    if before.sa_flags & libc::SA_SIGINFO != 0 {
        // SAFETY: with this flag, the handler was installed as one that takes these three.
        let handler = unsafe { core::mem::transmute::<libc::sighandler_t, WithInfo>(handler) };
        handler(number, info, context);
    } else {
        // SAFETY: without it, as one that takes the number.
        let handler = unsafe { core::mem::transmute::<libc::sighandler_t, Plain>(handler) };
        handler(number);
    }
}
