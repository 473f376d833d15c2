//! A thread that ends the program if a signal requested that and the session's thread takes too
//! long.
//!
//! A root, a source, a write to the disk or a look-up of names may block forever.

use super::deadline::Deadline;
use super::files;
use super::heap;
use super::threads;
use super::wake::Wakeup;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// The wakeup of the watchdog's thread.
static WAKEUP: Wakeup = Wakeup::new();

/// The number of the current watchdog, the last one that began; 0 without one.
static WATCHES: AtomicU32 = AtomicU32::new(0);

/// `true` while a line of the timeline is being written.
static WRITES: AtomicBool = AtomicBool::new(false);

/// The watchdog ends the program this long before the budget is over. While a line is being
/// written, it waits until the whole budget is over.
const MARGIN: Duration = Duration::from_millis(150);

/// A thread that watches from [`watch`](Self::watch) to [`end`].
#[derive(Debug)]
pub(crate) struct Watchdog {
    number: u32,
    begun: Arc<AtomicBool>,
}

/// A request to end the program, which the session answers first if it can.
pub(crate) trait EndRequest: Copy {
    /// The longest time from the request to the end of the program.
    const BUDGET: Duration;

    /// Returns the first request that waits for an answer.
    fn first() -> Option<Self>;

    /// Returns the time at which the request came, if it still waits for an answer.
    fn received_ns(self) -> Option<u64>;

    /// Ends the program as requested.
    fn end_the_program(self);
}

impl Watchdog {
    pub(crate) fn spawn<R: EndRequest>() -> io::Result<Self> {
        static NUMBERS: AtomicU32 = AtomicU32::new(1);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed).max(1);
        let begun = Arc::new(AtomicBool::new(false));
        let watched = begun.clone();
        let work = move || heap::as_profiler_thread(move || watch::<R>(number, &watched));
        threads::spawn("memprof-signals", work)?;
        Ok(Self { number, begun })
    }

    pub(crate) fn watch(self) {
        WATCHES.store(self.number, Ordering::Release);
        self.begun.store(true, Ordering::Release);
        WAKEUP.wake();
    }
}

/// Wakes the thread to check for a signal. May be called from a signal handler.
pub(crate) fn wake() {
    WAKEUP.wake();
}

/// Ends the watchdog's thread.
pub(crate) fn end() {
    WATCHES.store(0, Ordering::Release);
    WAKEUP.wake();
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

fn watch<R: EndRequest>(number: u32, begun: &AtomicBool) {
    loop {
        WAKEUP.wait(Duration::MAX);
        let is_watching = WATCHES.load(Ordering::Acquire) == number;
        if begun.load(Ordering::Acquire) && !is_watching {
            // Wake again, because a later session's watchdog may wait for the same wakeup.
            WAKEUP.wake();
            return;
        }
        if let Some(request) = R::first()
            && let Some(received_ns) = request.received_ns()
        {
            end_in_time(number, request, received_ns);
        }
    }
}

/// Ends the program by the signal, unless the session ends or answers the request first.
fn end_in_time<R: EndRequest>(number: u32, request: R, received_ns: u64) {
    const POLL_INTERVAL: Duration = Duration::from_millis(10);
    let ends = Deadline::of_end(received_ns, R::BUDGET);
    while WATCHES.load(Ordering::Acquire) == number && request.received_ns() == Some(received_ns) {
        let left = ends.left();
        // Waits for a line that is half written, while there is time.
        if left.is_zero() || (left < MARGIN && !WRITES.load(Ordering::Acquire)) {
            files::remove_unfinished();
            request.end_the_program();
        }
        std::thread::sleep(POLL_INTERVAL.min(left.max(Duration::from_millis(1))));
    }
}
