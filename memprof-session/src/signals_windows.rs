//! Console events that write the document on Windows: Ctrl-C, Ctrl-Break, and a closed console.
//!
//! Windows calls the handler on a new thread, before earlier handlers and before the handler of
//! Windows, which ends the program. The handler wakes the session's thread, waits until the
//! document is written, and passes the event on. So the program ends if it would end without a
//! session. A handler that the program adds later runs first. If that handler answers the event, no
//! document is written.
#![expect(unsafe_code, reason = "installs a console handler")]

use super::deadline::{self, Deadline};
use super::wake::wake;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::io;
use std::time::Duration;
use windows_sys::Win32::System::Console::{
    CTRL_BREAK_EVENT, CTRL_C_EVENT, CTRL_CLOSE_EVENT, SetConsoleCtrlHandler,
};
use windows_sys::core::BOOL;

memprof_profile::keywords! {
    /// An event that a session answers, by its usual name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Signal {
        Interrupt => "Ctrl-C",
        Break => "Ctrl-Break",
        Close => "console closed",
    }
}

/// The time at which each event came, until the event is answered; otherwise [`NEVER`].
static RECEIVED_NS: [AtomicU64; 3] = [const { AtomicU64::new(NEVER) }; 3];

const NEVER: u64 = u64::MAX;

/// Set while a session records.
static RECORDS: AtomicBool = AtomicBool::new(false);

/// The longest time until an event ends the program.
const BUDGET: Duration = Duration::from_secs(2);

impl Signal {
    fn of(event: u32) -> Option<Self> {
        match event {
            CTRL_C_EVENT => Some(Self::Interrupt),
            CTRL_BREAK_EVENT => Some(Self::Break),
            CTRL_CLOSE_EVENT => Some(Self::Close),
            // A service receives the other events too, and goes on when a user logs off. So the
            // session does not answer them.
            _ => None,
        }
    }

    /// Returns an event that the session has to answer, if one came.
    pub(crate) fn pending() -> Option<Self> {
        Self::ALL.iter().copied().find(|signal| signal.received_ns().is_some())
    }

    /// Returns the time at which the event came, on the clock of the module `deadline`. Returns
    /// `None` if the event needs no answer.
    pub(crate) fn received_ns(self) -> Option<u64> {
        let came = RECEIVED_NS[self as usize].load(Ordering::Acquire);
        (came != NEVER).then_some(came)
    }

    /// Marks the event as answered.
    pub(crate) fn done(self) {
        RECEIVED_NS[self as usize].store(NEVER, Ordering::Release);
    }
}

/// Makes the session answer events, until [`end`].
///
/// # Errors
/// Returns an error if the system rejects the handler.
pub(crate) fn begin() -> io::Result<()> {
    for signal in Signal::ALL {
        signal.done();
    }
    RECORDS.store(true, Ordering::Release);
    // SAFETY: the handler may be called at any time, on any thread.
    if unsafe { SetConsoleCtrlHandler(Some(handle), 1) } == 0 {
        RECORDS.store(false, Ordering::Release);
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Removes the handler. An event that waits for the session is passed on.
pub(crate) fn end() {
    // Stored first, because the system may hold a lock until the handler returns.
    RECORDS.store(false, Ordering::Release);
    // SAFETY: the call removes the handler of `begin`, if that handler is installed.
    unsafe { SetConsoleCtrlHandler(Some(handle), 0) };
}

/// Answers an event, on a thread that the system starts for the event.
unsafe extern "system" fn handle(event: u32) -> BOOL {
    const POLL_INTERVAL: Duration = Duration::from_millis(1);
    if let Some(signal) = Signal::of(event)
        && RECORDS.load(Ordering::Acquire)
    {
        let received_ns = deadline::now_ns();
        deadline::request_end();
        RECEIVED_NS[signal as usize].store(received_ns, Ordering::Release);
        wake();
        let ends = Deadline::of_end(received_ns, BUDGET);
        let is_waited_for = || RECORDS.load(Ordering::Acquire) && signal.received_ns().is_some();
        while is_waited_for() && !ends.is_over() {
            std::thread::sleep(POLL_INTERVAL);
        }
    }
    // Windows calls the next handler, which decides whether the program ends.
    0
}
