//! A thread that computes summaries, because looking up names takes long.
//!
//! While it runs, the session's thread takes events and snapshots. It is one thread for the whole
//! session: see [`threads`].

use super::clock::nanoseconds;
use super::heap::{self, SummaryJob};
use super::self_cost;
use super::threads;
use super::user_code::forget_panic;
use super::wake::wake;
use crate::document::{StackTable, Summary};
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// The summariser, which computes one summary at a time.
#[derive(Debug, Default)]
pub(crate) struct Summariser {
    /// `None` until the thread is started, and if it could not be started.
    worker: Option<Worker>,
    /// The start of the summary that is being computed.
    running_since: Option<Instant>,
    /// The time until which no summary is computed, because the last one took long.
    next_ns: u64,
    /// Processor time of all summaries; 0 if the system does not report it.
    cpu_ns: u64,
}

#[derive(Debug)]
struct Worker {
    jobs: Sender<Job>,
    results: Receiver<Option<Done>>,
}

/// A summary to compute.
#[derive(Debug)]
struct Job {
    job: SummaryJob,
    at_ns: u64,
}

/// A summary, and the time that computing it took.
#[derive(Debug)]
struct Done {
    summary: Summary,
    stacks: StackTable,
    took: Duration,
    cpu_ns: u64,
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
    /// Starts the thread. If the system provides none, the next summary tries again.
    pub(crate) fn start(&mut self) {
        let (jobs, waiting) = channel();
        let (done, results) = channel();
        // All allocations of this thread are the profiler's, wherever they are freed.
        let work = move || heap::unrecorded_thread(move || run(&waiting, &done));
        let is_started = threads::spawn("memprof-names", work).is_ok();
        self.worker = is_started.then_some(Worker { jobs, results });
    }

    /// Returns `true` if it is time for another summary.
    pub(crate) fn is_due(&self, at_ns: u64) -> bool {
        !self.is_running() && at_ns >= self.next_ns
    }

    /// Starts to compute a summary of this moment.
    pub(crate) fn begin(&mut self, job: SummaryJob, at_ns: u64) {
        if self.worker.is_none() {
            self.start();
        }
        let Some(worker) = &self.worker else { return };
        if worker.jobs.send(Job { job, at_ns }).is_ok() {
            self.running_since = Some(Instant::now());
        }
    }

    /// Returns the summary that was started, and the stacks that got names with it, if both are done
    /// within `patience`.
    pub(crate) fn finish(
        &mut self,
        at_ns: u64,
        patience: Duration,
    ) -> Option<(Summary, StackTable)> {
        let worker = self.worker.as_ref().filter(|_| self.running_since.is_some())?;
        let done = match worker.results.recv_timeout(patience) {
            Ok(done) => done,
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => {
                self.worker = None;
                None
            }
        };
        self.running_since = None;
        // Without a result, the job panicked; the panic was printed.
        let done = done?;
        self.cpu_ns += done.cpu_ns;
        self.next_ns = at_ns.saturating_add(nanoseconds(rest(at_ns, done.took)));
        Some((done.summary, done.stacks))
    }

    /// Returns the processor time that summaries took.
    pub(crate) fn cpu_ns(&self) -> u64 {
        self.cpu_ns
    }

    /// Returns the time that the current summary has taken, or `None` if none is being computed.
    pub(crate) fn running_for(&self) -> Option<Duration> {
        self.running_since.map(|began| began.elapsed())
    }

    /// Returns `true` while a summary is being computed.
    pub(crate) fn is_running(&self) -> bool {
        self.running_since.is_some()
    }
}

/// Computes summaries until the session is over.
fn run(jobs: &Receiver<Job>, results: &Sender<Option<Done>>) {
    while let Ok(Job { job, at_ns }) = jobs.recv() {
        let (began, cpu_before) = (Instant::now(), self_cost::cpu_ns());
        let done = catch_unwind(AssertUnwindSafe(|| job.work_out()));
        let done = match done {
            Ok((mut summary, stacks)) => {
                summary.at_ns = Some(at_ns);
                summary.names_at_ns = Some(at_ns);
                let cpu_ns = self_cost::cpu_ns().zip(cpu_before);
                let cpu_ns = cpu_ns.map_or(0, |(now, before)| now.saturating_sub(before));
                Some(Done { summary, stacks, took: began.elapsed(), cpu_ns })
            }
            Err(panic) => {
                forget_panic(Err(panic));
                None
            }
        };
        // If the session has ended without this summary, the receiver is gone.
        let _ = results.send(done);
        wake();
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
