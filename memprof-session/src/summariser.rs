//! A thread that computes summaries, because looking up names takes long.
//!
//! While it runs, the session's thread takes events and snapshots.

use super::clock::nanoseconds;
use super::heap::{self, SummaryJob};
use super::self_cost;
use super::threads;
use super::wake::wake;
use memprof_recording::document::{StackTable, Summary};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The summariser, which computes one summary at a time.
#[derive(Debug, Default)]
pub(crate) struct Summariser {
    running: Option<Receiver<Done>>,
    began: Option<Instant>,
    /// The time until which no summary is computed, because the last one took long.
    next_ns: u64,
    /// Processor time of all finished threads; 0 if the system does not report it.
    cpu_ns: u64,
}

/// A summary, and the time that computing it took.
#[derive(Debug)]
struct Done {
    summary: Summary,
    stacks: StackTable,
    took: Duration,
    cpu_ns: Option<u64>,
}

/// The rest after a summary, in multiples of its duration: fast summaries take at most 1 % of the
/// time.
const REST: u32 = 99;
/// The rest is at most `LONGEST` times the duration or `LONG`, whichever is longer. So slow
/// summaries may take up to 10 % of the time.
const LONGEST: u32 = 9;
const LONG: Duration = Duration::from_secs(30);
/// Until `START_NS`, the rest is at most this long.
const EARLY: Duration = Duration::from_secs(5);
const START_NS: u64 = 15_000_000_000;

impl Summariser {
    /// Returns `true` if it is time for another summary.
    pub(crate) fn is_due(&self, at_ns: u64) -> bool {
        self.running.is_none() && at_ns >= self.next_ns
    }

    /// Starts to compute a summary of this moment.
    pub(crate) fn begin(&mut self, job: SummaryJob, at_ns: u64) {
        let (done, running) = channel();
        let work = move || {
            // All allocations of this thread are the profiler's, wherever they are freed.
            heap::unrecorded_thread(move || {
                let began = Instant::now();
                let (mut summary, stacks) = job.work_out();
                summary.at_ns = Some(at_ns);
                summary.names_at_ns = Some(at_ns);
                // If the session has ended without this summary, the receiver is gone.
                let (took, cpu_ns) = (began.elapsed(), self_cost::cpu_ns());
                let _ = done.send(Done { summary, stacks, took, cpu_ns });
                wake();
            });
        };
        let spawned = threads::spawn("memprof-names", work);
        // If the thread could not be started, there is no summary now. `is_due` stays true, so the
        // next snapshot tries again.
        self.running = spawned.is_ok().then_some(running);
        self.began = Some(Instant::now());
    }

    /// Returns the summary that was started, and the stacks that got names with it, if both are done
    /// within `patience`.
    pub(crate) fn finish(
        &mut self,
        at_ns: u64,
        patience: Duration,
    ) -> Option<(Summary, StackTable)> {
        let running = self.running.as_ref()?;
        match running.recv_timeout(patience) {
            Ok(done) => {
                self.running = None;
                self.cpu_ns += done.cpu_ns.unwrap_or(0);
                self.next_ns = at_ns.saturating_add(nanoseconds(rest(at_ns, done.took)));
                Some((done.summary, done.stacks))
            }
            Err(RecvTimeoutError::Timeout) => None,
            // The thread panicked; the panic was printed.
            Err(RecvTimeoutError::Disconnected) => {
                self.running = None;
                None
            }
        }
    }

    /// Returns the processor time that summaries took.
    pub(crate) fn cpu_ns(&self) -> u64 {
        self.cpu_ns
    }

    /// Returns the time that the current summary has taken, or `None` if none is being computed.
    pub(crate) fn running_for(&self) -> Option<Duration> {
        self.began.filter(|_| self.is_running()).map(|began| began.elapsed())
    }

    /// Returns `true` while a summary is being computed.
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
