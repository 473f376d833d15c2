//! Summaries are worked out by a thread of their own: looking up names takes long, and meanwhile the
//! session's thread has events to take and moments to keep.

use super::clock::nanoseconds;
use super::heap::{self, SummaryJob};
use super::self_cost;
use super::wake::wake;
use crate::document::Summary;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Works out one summary at a time.
#[derive(Debug, Default)]
pub(crate) struct Summariser {
    running: Option<Receiver<Done>>,
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

/// Summaries may take a hundredth of the time.
const REST: u32 = 99;

impl Summariser {
    /// Whether it is time for another one.
    pub(crate) fn is_due(&self, at_ns: u64) -> bool {
        self.running.is_none() && at_ns >= self.next_ns
    }

    pub(crate) fn begin(&mut self, job: SummaryJob) {
        let (done, running) = channel();
        let work = move || {
            let began = Instant::now();
            let summary = heap::unrecorded(|| job.work_out());
            // Nobody waits any more if the session has ended without it.
            let (took, cpu_ns) = (began.elapsed(), self_cost::cpu_ns());
            let _ = done.send(Done { summary, took, cpu_ns });
            wake();
        };
        let spawned = thread::Builder::new().name("memprof-names".to_owned()).spawn(work);
        // Without a thread there is no summary now; the next one tries again.
        self.running = spawned.is_ok().then_some(running);
    }

    /// The summary that was begun, if it is done by then.
    pub(crate) fn finish(&mut self, at_ns: u64, patience: Duration) -> Option<Summary> {
        let running = self.running.as_ref()?;
        match running.recv_timeout(patience) {
            Ok(done) => {
                self.running = None;
                self.cpu_ns += done.cpu_ns.unwrap_or(0);
                self.next_ns = at_ns.saturating_add(nanoseconds(done.took.saturating_mul(REST)));
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

    /// Whether one is being worked out.
    pub(crate) fn is_running(&self) -> bool {
        self.running.is_some()
    }
}
