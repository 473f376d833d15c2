//! Summaries are worked out by a thread of their own: looking up names takes long, and meanwhile the
//! session's thread has events to take and moments to keep.

use super::clock::nanoseconds;
use super::heap::{self, SummaryJob};
use super::self_cost;
use super::threads;
use super::wake::wake;
use crate::document::Summary;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Works out one summary at a time.
#[derive(Debug, Default)]
pub(crate) struct Summariser {
    running: Option<Receiver<Done>>,
    began: Option<Instant>,
    /// Until then none is made, as the last one took long.
    next_ns: u64,
    /// Processor time of all threads that were done; nothing where the system doesn't say.
    cpu_ns: u64,
}

/// A summary, and how long it took.
#[derive(Debug)]
struct Done {
    summary: Summary,
    took: Duration,
    cpu_ns: Option<u64>,
}

/// The rest after a summary, in times its length: summaries take at most 1 % of the time.
const REST: u32 = 99;
/// The rest is at most `LONGEST` times the length or `LONG`, whichever is more.
const LONGEST: u32 = 9;
const LONG: Duration = Duration::from_secs(30);
/// The rest is at most this long until `START_NS`.
const EARLY: Duration = Duration::from_secs(5);
const START_NS: u64 = 15_000_000_000;

impl Summariser {
    /// Whether it is time for another one.
    pub(crate) fn is_due(&self, at_ns: u64) -> bool {
        self.running.is_none() && at_ns >= self.next_ns
    }

    /// Begins one of what was seen at a moment.
    pub(crate) fn begin(&mut self, job: SummaryJob, at_ns: u64) {
        let (done, running) = channel();
        let work = move || {
            // All that this thread allocates is the profiler's, wherever it is freed.
            heap::unrecorded_thread(move || {
                let began = Instant::now();
                let mut summary = job.work_out();
                summary.at_ns = Some(at_ns);
                summary.names_at_ns = Some(at_ns);
                // Nobody waits any more if the session has ended without it.
                let (took, cpu_ns) = (began.elapsed(), self_cost::cpu_ns());
                let _ = done.send(Done { summary, took, cpu_ns });
                wake();
            });
        };
        let spawned = threads::spawn("memprof-names", work);
        // Without a thread there is no summary now; the next one tries again.
        self.running = spawned.is_ok().then_some(running);
        self.began = Some(Instant::now());
    }

    /// The summary that was begun, if it is done by then.
    pub(crate) fn finish(&mut self, at_ns: u64, patience: Duration) -> Option<Summary> {
        let running = self.running.as_ref()?;
        match running.recv_timeout(patience) {
            Ok(done) => {
                self.running = None;
                self.cpu_ns += done.cpu_ns.unwrap_or(0);
                self.next_ns = at_ns.saturating_add(nanoseconds(rest(at_ns, done.took)));
                Some(done.summary)
            }
            Err(RecvTimeoutError::Timeout) => None,
            // It panicked, which has been said.
            Err(RecvTimeoutError::Disconnected) => {
                self.running = None;
                None
            }
        }
    }

    /// Processor time that summaries took.
    pub(crate) fn cpu_ns(&self) -> u64 {
        self.cpu_ns
    }

    /// Returns the time that the running one has taken; `None` if none is running.
    pub(crate) fn running_for(&self) -> Option<Duration> {
        self.began.filter(|_| self.is_running()).map(|began| began.elapsed())
    }

    /// Whether one is being worked out.
    pub(crate) fn is_running(&self) -> bool {
        self.running.is_some()
    }
}

/// Returns the time to wait after a summary that ended at `at_ns`.
fn rest(at_ns: u64, took: Duration) -> Duration {
    let longest = took.saturating_mul(LONGEST).max(LONG);
    let rest = took.saturating_mul(REST).min(longest);
    if at_ns < START_NS { rest.min(EARLY) } else { rest }
}

#[cfg(test)]
mod tests {
    use super::rest;
    use std::time::Duration;

    #[test]
    fn a_slow_look_up_puts_the_next_summary_off_for_a_bounded_time() {
        let second = 1_000_000_000;
        for (at_ns, took_ms, rest_ms) in [
            (second, 10, 990),
            (second, 1_100, 5_000),
            (second, 9_000, 5_000),
            (60 * second, 10, 990),
            (60 * second, 1_100, 30_000),
            (60 * second, 10_000, 90_000),
        ] {
            let expected = Duration::from_millis(rest_ms);
            assert_eq!(rest(at_ns, Duration::from_millis(took_ms)), expected, "{at_ns} {took_ms}");
        }
    }
}
