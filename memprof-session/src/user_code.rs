//! A thread that runs the program's own code: the closures of roots, the sources, and the
//! destructors of both.
//!
//! Such code may run forever, wait for a lock that the program holds, or end the program. The
//! session's thread waits for this code until a deadline. After the deadline, it abandons the
//! thread that runs the code and starts another one, so that one root does not affect the others.

use super::time::Deadline;
use super::{heap, threads};
use core::panic::AssertUnwindSafe;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::panic::catch_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

type Job = Box<dyn FnOnce() + Send>;

pub(crate) struct UserCode {
    jobs: Sender<Job>,
    /// An abandoned thread takes no further job, so the next thread takes jobs from here.
    queue: Arc<Mutex<Receiver<Job>>>,
    thread: Option<Thread>,
    cpu_ns: Arc<AtomicU64>,
    /// Time spent on waiting for jobs that did not return.
    late: Duration,
}

struct Thread {
    is_given_up: Arc<AtomicBool>,
}

/// A value of the program that jobs use, one after the other.
pub(crate) enum Lent<P, R> {
    Here(P),
    /// The value is on the thread that runs the program's code.
    Away {
        job: Running<P, R>,
        /// `true` if the snapshot that started the job has stopped waiting.
        is_late: bool,
    },
    /// The value was lost in a panic that could not be caught.
    Lost,
}

pub(crate) enum Answer<R> {
    Done(R),
    /// The job of an earlier snapshot is done by now, so the result is of an earlier moment.
    Earlier(R),
    Lost,
    /// The job has taken longer than a job may take, and is still running.
    Stuck,
    /// The time for all jobs was over. The job is still running.
    Late,
}

impl<P: Send + 'static, R: Send + 'static> Lent<P, R> {
    pub(crate) const fn is_here(&self) -> bool {
        matches!(self, Self::Here(_))
    }

    /// Does nothing if an earlier job still has the value.
    pub(crate) fn begin(
        &mut self,
        user_code: &mut UserCode,
        work: impl FnOnce(&mut P) -> R + Send + 'static,
    ) {
        *self = match core::mem::replace(self, Self::Lost) {
            Self::Here(mut value) => {
                let job = user_code.begin(move || {
                    let result = work(&mut value);
                    (value, result)
                });
                Self::Away { job, is_late: false }
            }
            away_or_lost => away_or_lost,
        };
    }

    /// If a job of an earlier snapshot is done by now, takes back the value and returns the result.
    pub(crate) fn take_back(&mut self) -> Option<R> {
        let Self::Away { job, is_late: true } = self else { return None };
        let outcome = job.outcome();
        match self.take(outcome) {
            Answer::Done(result) | Answer::Earlier(result) => Some(result),
            Answer::Lost | Answer::Stuck | Answer::Late => None,
        }
    }

    pub(crate) fn end(&mut self, patience: Patience, user_code: &mut UserCode) -> Answer<R> {
        let Self::Away { job, .. } = self else { return Answer::Lost };
        let outcome = user_code.wait_for(job, patience);
        self.take(outcome)
    }

    fn take(&mut self, outcome: Outcome<(P, R)>) -> Answer<R> {
        let was_late = matches!(self, Self::Away { is_late: true, .. });
        let answer = match outcome {
            Outcome::Done((value, result)) => {
                *self = Self::Here(value);
                return if was_late { Answer::Earlier(result) } else { Answer::Done(result) };
            }
            Outcome::Gone => {
                *self = Self::Lost;
                Answer::Lost
            }
            Outcome::Stuck => Answer::Stuck,
            Outcome::Late => Answer::Late,
        };
        if let Self::Away { is_late, .. } = self {
            *is_late = true;
        }
        answer
    }
}

pub(crate) struct Running<P, R> {
    /// `Some` until this is dropped.
    result: Option<Receiver<(P, R)>>,
    is_given_up: bool,
    /// `true` if this job has taken longer than a job may take.
    is_stuck: bool,
}

impl<P, R> Running<P, R> {
    /// Returns the outcome of a job that is done, without waiting for it.
    fn outcome(&self) -> Outcome<(P, R)> {
        match self.result.as_ref().map(Receiver::try_recv) {
            Some(Ok(outcome)) => Outcome::Done(outcome),
            Some(Err(TryRecvError::Empty)) => Outcome::Late,
            Some(Err(TryRecvError::Disconnected)) | None => Outcome::Gone,
        }
    }
}

/// Drops a job's value as work of the program, and the rest as work of the profiler.
impl<P, R> Drop for Running<P, R> {
    fn drop(&mut self) {
        let Some(receiver) = self.result.take() else { return };
        heap::as_profiler(|| {
            if let Ok(unwanted) = receiver.try_recv() {
                drop_unwanted(unwanted);
            }
            drop(receiver);
        });
    }
}

fn drop_unwanted<P, R>((value, result): (P, R)) {
    let dropped = catch_unwind(AssertUnwindSafe(|| heap::as_program(|| drop(value))));
    forget_panic(dropped);
    drop(result);
}

/// The time limits of several jobs: for the sum of their times, and for each job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// A job that takes longer is stuck.
    max: Duration,
    /// The wait for one job is a part of the remaining time, so that the other jobs have time too.
    share: Duration,
    deadline: Deadline,
}

impl Patience {
    pub(crate) fn new(max: Duration, deadline: Deadline) -> Self {
        Self { max, share: max.min(deadline.left() / 3), deadline }
    }
}

enum Outcome<T> {
    Done(T),
    /// The job panicked outside of the code that catches panics.
    Gone,
    Stuck,
    Late,
}

impl UserCode {
    pub(crate) fn new() -> Self {
        let (jobs, queue) = channel();
        let queue = Arc::new(Mutex::new(queue));
        Self { jobs, queue, thread: None, cpu_ns: Arc::default(), late: Duration::ZERO }
    }

    fn begin<P: Send + 'static, R: Send + 'static>(
        &mut self,
        work: impl FnOnce() -> (P, R) + Send + 'static,
    ) -> Running<P, R> {
        let (done, result) = channel();
        let job = move || {
            if let Err(SendError(unwanted)) = done.send(work()) {
                drop_unwanted(unwanted);
            }
        };
        // Sending cannot fail, because the other end of the queue is in `self`.
        let _ = self.jobs.send(Box::new(job));
        self.ensure_thread();
        Running { result: Some(result), is_given_up: false, is_stuck: false }
    }

    /// Waits for one of several jobs that share their time.
    ///
    /// If a job uses up its share, its thread is abandoned, so that the others get a turn.
    fn wait_for<P, R>(
        &mut self,
        running: &mut Running<P, R>,
        patience: Patience,
    ) -> Outcome<(P, R)> {
        let began = Instant::now();
        // A stuck job is not waited for again.
        let share = if running.is_stuck { Duration::ZERO } else { patience.share };
        let outcome = self.wait(running, patience.deadline.within(share));
        if !matches!(outcome, Outcome::Late) {
            return outcome;
        }
        if running.is_stuck {
            return Outcome::Stuck;
        }
        // A signal may have cut the wait short.
        let waited = began.elapsed();
        // If no time is left, the share is zero. Without this check, each late job would then
        // abandon its thread and start another one.
        if !share.is_zero() && waited >= share && !running.is_given_up {
            running.is_given_up = true;
            self.give_up();
        }
        running.is_stuck = waited >= patience.max;
        if running.is_stuck { Outcome::Stuck } else { Outcome::Late }
    }

    fn wait<P, R>(&mut self, running: &Running<P, R>, deadline: Deadline) -> Outcome<(P, R)> {
        /// The interval at which this checks whether the program is about to end.
        const POLL_INTERVAL: Duration = Duration::from_millis(20);
        let Some(receiver) = &running.result else { return Outcome::Gone };
        let began = Instant::now();
        loop {
            let left = deadline.left();
            match receiver.recv_timeout(left.min(POLL_INTERVAL)) {
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

    fn give_up(&mut self) {
        if let Some(thread) = self.thread.take() {
            thread.is_given_up.store(true, Ordering::Release);
        }
        self.ensure_thread();
    }

    /// Waits at most 100 ms for the destructors. Returns `true` if all values are dropped by then.
    pub(crate) fn drop_values<T: Send + 'static>(&mut self, values: Vec<T>) -> bool {
        /// The longest wait: a destructor may wait for a lock that the waiting thread holds.
        const MAX: Duration = Duration::from_millis(100);
        if values.is_empty() {
            return true;
        }
        let running = self.begin(move || {
            for value in values {
                let dropped = catch_unwind(AssertUnwindSafe(|| heap::as_program(|| drop(value))));
                forget_panic(dropped);
            }
            ((), ())
        });
        let is_done = !matches!(self.wait(&running, Deadline::after(MAX)), Outcome::Late);
        if !is_done {
            self.give_up();
        }
        is_done
    }

    /// Returns the time spent on waiting for jobs that did not return, since the last call.
    pub(crate) fn take_late(&mut self) -> Duration {
        core::mem::take(&mut self.late)
    }

    pub(crate) fn cpu_ns(&self) -> u64 {
        self.cpu_ns.load(Ordering::Relaxed)
    }

    pub(crate) fn ensure_thread(&mut self) {
        if self.thread.is_some() {
            return;
        }
        let is_given_up = Arc::new(AtomicBool::new(false));
        let thread = Thread { is_given_up: is_given_up.clone() };
        let (queue, cpu_ns) = (self.queue.clone(), self.cpu_ns.clone());
        let work = move || heap::as_profiler_thread(move || run(&queue, &is_given_up, &cpu_ns));
        // Without a thread the jobs wait until there is one.
        self.thread = threads::spawn("memprof-roots", work).is_ok().then_some(thread);
    }
}

fn run(queue: &Mutex<Receiver<Job>>, is_given_up: &AtomicBool, cpu_ns: &AtomicU64) {
    let mut before = threads::cpu_ns().unwrap_or(0);
    while !is_given_up.load(Ordering::Acquire) {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        // The session is over.
        let Ok(job) = job else { return };
        forget_panic(catch_unwind(AssertUnwindSafe(job)));
        let now = threads::cpu_ns().unwrap_or(before);
        cpu_ns.fetch_add(now.saturating_sub(before), Ordering::Relaxed);
        before = now;
    }
}

/// Drops the payload of a panic, whose destructor may panic too.
pub(crate) fn forget_panic(result: std::thread::Result<()>) {
    if let Err(payload) = result {
        let _ = catch_unwind(AssertUnwindSafe(|| heap::as_program(|| drop(payload))));
    }
}
