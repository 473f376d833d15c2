//! The signals on which a session writes its document: `SIGUSR1`, and `SIGINT` and `SIGTERM`, which
//! then end the program.
//!
//! The handler marks the signal and wakes two threads. The session's thread does the work. The
//! watchdog ends the program if that work takes too long. The handler is installed by hand, because
//! the replaced action shows whether the program answers the signal too. A profiler must not end a
//! program whose runtime has its own Ctrl-C handler.
#![expect(unsafe_code, reason = "installs signal handlers")]

use super::time::{self, Deadline};
use super::wake::{Wakeup, wake};
use super::{files, heap, threads};
use core::cell::Cell;
use core::ffi::c_int;
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use libc::{SIG_DFL, SIG_IGN, SIGINT, SIGTERM, SIGUSR1, sigaction, siginfo_t};
use std::io;
use std::sync::Arc;
use std::time::Duration;

memprof_profile::keywords! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Signal {
        Interrupt => "SIGINT",
        Terminate => "SIGTERM",
        User1 => "SIGUSR1",
    }
}

struct State {
    /// The action before the session's; null until a session installs its handler.
    ///
    /// It is never freed, because a handler may be reading it.
    previous: AtomicPtr<sigaction>,
    /// The time at which the signal came, until the session has answered it; otherwise [`NEVER`].
    received_ns: AtomicU64,
}

const NEVER: u64 = u64::MAX;

impl State {
    const fn new() -> Self {
        Self { previous: AtomicPtr::new(ptr::null_mut()), received_ns: AtomicU64::new(NEVER) }
    }
}

static STATES: [State; 3] = [State::new(), State::new(), State::new()];

/// The longest time until a signal terminates the program.
const BUDGET: Duration = Duration::from_secs(2);

/// Signals this close are one request: `timeout` and shells signal the process and its group.
const TOGETHER: Duration = Duration::from_millis(100);

/// The recording process; 0 without one. A forked child acts as if there were no session.
static RECORDS: AtomicI32 = AtomicI32::new(0);

impl Signal {
    fn number(self) -> c_int {
        match self {
            Self::Interrupt => SIGINT,
            Self::Terminate => SIGTERM,
            Self::User1 => SIGUSR1,
        }
    }

    fn of(number: c_int) -> Option<Self> {
        Self::ALL.iter().copied().find(|signal| signal.number() == number)
    }

    fn state(self) -> &'static State {
        &STATES[self as usize]
    }

    /// Returns a signal that the session has to answer, if one came.
    pub(crate) fn pending() -> Option<Self> {
        Self::ALL.iter().copied().find(|signal| signal.received_ns().is_some())
    }

    /// Returns the first signal that terminates the program and has no answer yet.
    pub(crate) fn ending() -> Option<Self> {
        let ending = Self::ALL.iter().copied().filter(|signal| signal.ends_the_program());
        ending
            .filter_map(|signal| Some((signal.received_ns()?, signal)))
            .min_by_key(|&(received, _)| received)
            .map(|(_, signal)| signal)
    }

    /// Returns a time of the clock in `deadline`; `None` if the signal needs no answer.
    pub(crate) fn received_ns(self) -> Option<u64> {
        let received = self.state().received_ns.load(Ordering::Acquire);
        (received != NEVER).then_some(received)
    }

    /// Marks the signal of that moment as answered. A later signal still needs an answer.
    pub(crate) fn done(self, received_ns: u64) {
        let received = &self.state().received_ns;
        let _ = received.compare_exchange(received_ns, NEVER, Ordering::AcqRel, Ordering::Relaxed);
    }

    /// Returns `true` if the signal would terminate the program without a session, because no
    /// handler answers it.
    ///
    /// The first process of a container ignores signals without a handler.
    pub(crate) fn ends_the_program(self) -> bool {
        const FIRST_PROCESS: i32 = 1;
        self != Self::User1 && pid() != FIRST_PROCESS && self.is_ours_alone()
    }

    /// Returns `true` if the current handler is the session's, and it replaced no handler.
    ///
    /// A handler that the program installs later replaces this one, and calls it as the earlier
    /// handler.
    fn is_ours_alone(self) -> bool {
        let previous = self.state().previous.load(Ordering::Acquire);
        // SAFETY: the pointer is null or points to the earlier action, which is never freed.
        let replaced_default =
            unsafe { previous.as_ref() }.is_some_and(|previous| previous.sa_sigaction == SIG_DFL);
        replaced_default
            && current_action(self.number())
                .is_some_and(|now| now.sa_sigaction == session_handler())
    }

    /// Ends the program as the signal would have ended it.
    pub(crate) fn end_the_program(self) {
        let number = self.number();
        set_default(number);
        // SAFETY: a signal set consists of integers, for which zero bytes are valid.
        let mut set: libc::sigset_t = unsafe { core::mem::zeroed() };
        // SAFETY: the pointer is to a local set.
        unsafe { libc::sigemptyset(&raw mut set) };
        // SAFETY: the pointer is to a local set, and the number is a signal's.
        unsafe { libc::sigaddset(&raw mut set, number) };
        // SAFETY: the pointer is to a local set.
        unsafe { libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const set, ptr::null_mut()) };
        // SAFETY: the call has no preconditions.
        unsafe { libc::raise(number) };
    }
}

/// Makes this process's session answer signals, until [`end`].
pub(crate) fn begin(watchdog: Watchdog) {
    watchdog.watch();
    for &signal in Signal::ALL {
        signal.state().received_ns.store(NEVER, Ordering::Release);
    }
    RECORDS.store(pid(), Ordering::Release);
    for &signal in Signal::ALL {
        install(signal);
    }
}

fn install(signal: Signal) {
    let number = signal.number();
    let Some(previous) = current_action(number) else { return };
    // A signal that the program ignored stays ignored. An earlier session's handler is kept.
    if previous.sa_sigaction == SIG_IGN || previous.sa_sigaction == session_handler() {
        return;
    }
    // The handler may run as soon as it is installed, so the earlier action is remembered first.
    remember(signal, previous);
    let action = action_over(&previous);
    // SAFETY: an action consists of integers, for which zero bytes are valid.
    let mut replaced: sigaction = unsafe { core::mem::zeroed() };
    // SAFETY: the handler does only what a handler may, and the last pointer is to a local action.
    if unsafe { sigaction(number, &raw const action, &raw mut replaced) } != 0 {
        return;
    }
    if replaced.sa_sigaction == previous.sa_sigaction {
        return;
    }
    // Another thread installed a handler since the first call, so `replaced` is the action to chain
    // to.
    if replaced.sa_sigaction == SIG_IGN {
        // SAFETY: the system returned this action.
        unsafe { sigaction(number, &raw const replaced, ptr::null_mut()) };
    } else if replaced.sa_sigaction != session_handler() {
        remember(signal, replaced);
        let action = action_over(&replaced);
        // SAFETY: as above; the earlier action is stored.
        unsafe { sigaction(number, &raw const action, ptr::null_mut()) };
    }
}

fn action_over(previous: &sigaction) -> sigaction {
    // Signals that the program's handler blocks stay blocked while it runs.
    let mut action = *previous;
    action.sa_sigaction = session_handler();
    let kept = match previous.sa_sigaction {
        // Without a handler, the signal interrupted no system call, so calls must restart now too.
        SIG_DFL => libc::SA_RESTART,
        // The program may rely on system calls that end early, or on a handler that runs only once.
        _ => previous.sa_flags & (libc::SA_RESTART | libc::SA_RESETHAND),
    };
    // The handler uses the alternate stack if the thread has one.
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | kept;
    for &signal in Signal::ALL {
        // Only one handler runs at a time: a thread's alternate stack has room for few.
        // SAFETY: the pointer is to a local mask, and the number is a signal's.
        unsafe { libc::sigaddset(&raw mut action.sa_mask, signal.number()) };
    }
    action
}

/// Stores the earlier action. It is never freed, because a handler may be reading it.
fn remember(signal: Signal, previous: sigaction) {
    signal.state().previous.store(Box::leak(Box::new(previous)), Ordering::Release);
}

/// A signal that came while the session ended then ends the program.
pub(crate) fn end() {
    let received = Signal::ending();
    RECORDS.store(0, Ordering::Release);
    end_watchdog();
    for &signal in Signal::ALL {
        let number = signal.number();
        let previous = signal.state().previous.load(Ordering::Acquire);
        // A handler installed later still calls the session's, which passes the signal on.
        if !previous.is_null()
            && current_action(number).is_some_and(|now| now.sa_sigaction == session_handler())
        {
            // SAFETY: the system returned this action.
            unsafe { sigaction(number, previous, ptr::null_mut()) };
        }
    }
    if let Some(signal) = received {
        signal.end_the_program();
    }
}

fn session_handler() -> libc::sighandler_t {
    handle as extern "C" fn(c_int, *mut siginfo_t, *mut libc::c_void) as libc::sighandler_t
}

fn pid() -> i32 {
    // SAFETY: the call has no preconditions.
    unsafe { libc::getpid() }
}

fn current_action(number: c_int) -> Option<sigaction> {
    // SAFETY: an action consists of integers, for which zero bytes are valid.
    let mut now: sigaction = unsafe { core::mem::zeroed() };
    // SAFETY: the pointer is to a local action.
    let found = unsafe { sigaction(number, ptr::null(), &raw mut now) };
    (found == 0).then_some(now)
}

fn set_default(number: c_int) {
    // SAFETY: `SIG_DFL` is the system's own action.
    unsafe { libc::signal(number, SIG_DFL) };
}

std::thread_local! {
    /// One bit for each signal. The variable has no destructor, so it can be read at any time.
    static PASSED_ON: Cell<u8> = const { Cell::new(0) };
}

/// Runs in a signal handler: it takes no lock, allocates nothing and never waits.
extern "C" fn handle(number: c_int, info: *mut siginfo_t, context: *mut libc::c_void) {
    let Some(signal) = Signal::of(number) else { return };
    // A handler that the program installs during one session is the earlier handler of the next
    // session. It calls this one as its own earlier handler, so the two would call each other
    // without end.
    let bit = 1 << signal as u8;
    if PASSED_ON.get() & bit != 0 {
        return;
    }
    let state = signal.state();
    let records = RECORDS.load(Ordering::Acquire) == pid();
    if records {
        let now_ns = time::now_ns();
        if signal.ends_the_program() {
            let earlier = Signal::ending().and_then(Signal::received_ns);
            match earlier {
                Some(received) if now_ns.saturating_sub(received) < TOGETHER.as_nanos() as u64 => {
                    return;
                }
                // The second Ctrl-C terminates the program before the document is written.
                Some(_) => {
                    signal.end_the_program();
                    return;
                }
                None => time::request_end(),
            }
            state.received_ns.store(now_ns, Ordering::Release);
            WATCHDOG.wake();
        } else {
            state.received_ns.store(now_ns, Ordering::Release);
        }
        wake();
    } else if signal.is_ours_alone() {
        signal.end_the_program();
        return;
    }
    // SAFETY: the pointer is null or points to the earlier action, which is never freed.
    let Some(previous) = (unsafe { state.previous.load(Ordering::Acquire).as_ref() }) else {
        return;
    };
    PASSED_ON.set(PASSED_ON.get() | bit);
    pass_on(previous, number, info, context);
    PASSED_ON.set(PASSED_ON.get() & !bit);
}

fn pass_on(previous: &sigaction, number: c_int, info: *mut siginfo_t, context: *mut libc::c_void) {
    type Plain = extern "C" fn(c_int);
    type WithInfo = extern "C" fn(c_int, *mut siginfo_t, *mut libc::c_void);
    let handler = previous.sa_sigaction;
    if handler == SIG_DFL || handler == SIG_IGN {
        return;
    }
    if previous.sa_flags & libc::SA_SIGINFO != 0 {
        // SAFETY: with this flag, the handler was installed as a function with these three
        // parameters.
        let handler = unsafe { core::mem::transmute::<libc::sighandler_t, WithInfo>(handler) };
        handler(number, info, context);
    } else {
        // SAFETY: without the flag, the handler was installed as a function with the number as its
        // parameter.
        let handler = unsafe { core::mem::transmute::<libc::sighandler_t, Plain>(handler) };
        handler(number);
    }
}

/// The wakeup of the watchdog's thread: it ends the program if a signal requested that and the
/// session's thread takes too long. A root, a source, a write to the disk or a lookup of names may
/// block forever.
static WATCHDOG: Wakeup = Wakeup::new();

/// The number of the current watchdog, the last one that began; 0 without one.
static WATCHES: AtomicU32 = AtomicU32::new(0);

/// `true` while a line of the timeline is being written.
static WRITES: AtomicBool = AtomicBool::new(false);

/// The watchdog ends the program this long before the budget is over. While a line is being
/// written, it waits until the whole budget is over.
const MARGIN: Duration = Duration::from_millis(150);

#[derive(Debug)]
pub(crate) struct Watchdog {
    number: u32,
    begun: Arc<AtomicBool>,
}

impl Watchdog {
    pub(crate) fn spawn() -> io::Result<Self> {
        static NUMBERS: AtomicU32 = AtomicU32::new(1);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed).max(1);
        let begun = Arc::new(AtomicBool::new(false));
        let watched = begun.clone();
        let work = move || heap::as_profiler_thread(move || watch(number, &watched));
        threads::spawn("memprof-signals", work)?;
        Ok(Self { number, begun })
    }

    fn watch(self) {
        WATCHES.store(self.number, Ordering::Release);
        self.begun.store(true, Ordering::Release);
        WATCHDOG.wake();
    }
}

fn end_watchdog() {
    WATCHES.store(0, Ordering::Release);
    WATCHDOG.wake();
}

/// Runs work that writes a line, so that a signal does not cut the line.
pub(crate) fn writing<T>(work: impl FnOnce() -> T) -> T {
    struct Until;

    impl Drop for Until {
        fn drop(&mut self) {
            WRITES.store(false, Ordering::Release);
        }
    }

    WRITES.store(true, Ordering::Release);
    let _until = Until;
    work()
}

fn watch(number: u32, begun: &AtomicBool) {
    loop {
        WATCHDOG.wait(Duration::MAX);
        let is_watching = WATCHES.load(Ordering::Acquire) == number;
        if begun.load(Ordering::Acquire) && !is_watching {
            // Wake again, because a later session's watchdog may wait for the same wakeup.
            WATCHDOG.wake();
            return;
        }
        if let Some(signal) = Signal::ending()
            && let Some(received_ns) = signal.received_ns()
        {
            end_in_time(number, signal, received_ns);
        }
    }
}

/// Ends the program by the signal, unless the session ends or answers the request first.
fn end_in_time(number: u32, signal: Signal, received_ns: u64) {
    const POLL_INTERVAL: Duration = Duration::from_millis(10);
    let ends = Deadline::of_end(received_ns, BUDGET);
    while WATCHES.load(Ordering::Acquire) == number && signal.received_ns() == Some(received_ns) {
        let left = ends.left();
        // Waits for a line that is half written, while there is time.
        if left.is_zero() || (left < MARGIN && !WRITES.load(Ordering::Acquire)) {
            files::remove_unfinished();
            signal.end_the_program();
        }
        std::thread::sleep(POLL_INTERVAL.min(left.max(Duration::from_millis(1))));
    }
}
