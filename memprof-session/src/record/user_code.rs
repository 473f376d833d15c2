//! A thread for the program's own code: closures of roots, sources, and their destructors.
//!
//! They may take for ever, wait for a lock that the program holds, or end the program. The session's
//! thread waits for them until a deadline; then it gives the thread up and starts another one, so that
//! one root costs no other.

use super::deadline::Deadline;
use super::{heap, self_cost, threads};
use core::panic::AssertUnwindSafe;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::panic::catch_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

type Job = Box<dyn FnOnce() + Send>;

/// Runs jobs one after the other.
pub(crate) struct UserCode {
    jobs: Sender<Job>,
    /// A thread that was given up takes no further job, so the next one takes its place here.
    queue: Arc<Mutex<Receiver<Job>>>,
    thread: Option<Thread>,
    cpu_ns: Arc<AtomicU64>,
    /// Time that was spent on waiting for jobs that did not return.
    late: Duration,
}

/// The thread that runs jobs now.
struct Thread {
    is_given_up: Arc<AtomicBool>,
}

/// A job that was begun, and what it will return.
pub(crate) struct Running<T> {
    result: Receiver<T>,
}

/// The outcome of a wait for a job.
pub(crate) enum Outcome<T> {
    Done(T),
    /// It panicked outside of what it catches itself.
    Gone,
    /// It goes on.
    Late,
}

impl UserCode {
    pub(crate) fn new() -> Self {
        let (jobs, queue) = channel();
        let queue = Arc::new(Mutex::new(queue));
        Self { jobs, queue, thread: None, cpu_ns: Arc::default(), late: Duration::ZERO }
    }

    /// Begins a job. A result that comes too late is dropped as the program's.
    pub(crate) fn begin<T: Send + 'static>(
        &mut self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Running<T> {
        let (done, result) = channel();
        let job = move || {
            if let Err(unwanted) = done.send(work()) {
                heap::recorded(|| drop(unwanted));
            }
        };
        // The other end of the queue is in `self`.
        let _ = self.jobs.send(Box::new(job));
        self.ensure_thread();
        Running { result }
    }

    /// Waits for a job.
    pub(crate) fn wait<T>(&mut self, running: &Running<T>, deadline: Deadline) -> Outcome<T> {
        /// So often it is looked at whether the program is about to end.
        const LOOK: Duration = Duration::from_millis(20);
        let began = Instant::now();
        loop {
            let left = deadline.left();
            match running.result.recv_timeout(left.min(LOOK)) {
                Ok(result) => return Outcome::Done(result),
                Err(RecvTimeoutError::Disconnected) => return Outcome::Gone,
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    self.late += began.elapsed();
                    return Outcome::Late;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Leaves the thread to the job that it runs, and starts another one for the rest.
    pub(crate) fn give_up(&mut self) {
        if let Some(thread) = self.thread.take() {
            thread.is_given_up.store(true, Ordering::Release);
        }
        self.ensure_thread();
    }

    /// Drops values of the program, and waits a moment for it. Returns `true` if they are gone.
    pub(crate) fn let_go<T: Send + 'static>(&mut self, values: Vec<T>) -> bool {
        /// A destructor may wait for a lock of the thread that waits for this one.
        const MOST: Duration = Duration::from_millis(100);
        if values.is_empty() {
            return true;
        }
        let running = self.begin(move || {
            for value in values {
                let dropped = catch_unwind(AssertUnwindSafe(|| heap::recorded(|| drop(value))));
                forget_panic(dropped);
            }
        });
        let is_done = !matches!(self.wait(&running, Deadline::after(MOST)), Outcome::Late);
        if !is_done {
            self.give_up();
        }
        is_done
    }

    /// Time that was spent on waiting for jobs that did not return, since the last call.
    pub(crate) fn take_late(&mut self) -> Duration {
        core::mem::take(&mut self.late)
    }

    /// Processor time that jobs took.
    pub(crate) fn cpu_ns(&self) -> u64 {
        self.cpu_ns.load(Ordering::Relaxed)
    }

    fn ensure_thread(&mut self) {
        if self.thread.is_some() {
            return;
        }
        let is_given_up = Arc::new(AtomicBool::new(false));
        let thread = Thread { is_given_up: is_given_up.clone() };
        let (queue, cpu_ns) = (self.queue.clone(), self.cpu_ns.clone());
        let work = move || heap::unrecorded_thread(move || run(&queue, &is_given_up, &cpu_ns));
        // Without a thread the jobs wait until there is one.
        self.thread = threads::spawn("memprof-roots", work).is_ok().then_some(thread);
    }
}

fn run(queue: &Mutex<Receiver<Job>>, is_given_up: &AtomicBool, cpu_ns: &AtomicU64) {
    let mut before = self_cost::cpu_ns().unwrap_or(0);
    while !is_given_up.load(Ordering::Acquire) {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        // The session is over.
        let Ok(job) = job else { return };
        forget_panic(catch_unwind(AssertUnwindSafe(job)));
        let now = self_cost::cpu_ns().unwrap_or(before);
        cpu_ns.fetch_add(now.saturating_sub(before), Ordering::Relaxed);
        before = now;
    }
}

/// The payload of a panic has a destructor, which may panic too.
pub(crate) fn forget_panic(result: std::thread::Result<()>) {
    if let Err(payload) = result {
        let _ = catch_unwind(AssertUnwindSafe(|| heap::recorded(|| drop(payload))));
    }
}
