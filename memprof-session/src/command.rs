//! The commands that the program sends to the session's thread, and the answers that it waits for.
//!
//! Unlike a channel, an answer leaves no memory in thread-local variables of the waiting thread, so
//! all of its memory is the profiler's.

use super::heap;
use super::result::Document;
use super::roots::Root;
use super::time::Deadline;
use memprof_profile::source::Source;
use memprof_recording::Recording;
use memprof_recording::document::{Snapshot, Trigger};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Finish,
    Drop,
}

/// A command to the session's thread.
///
/// The memory of roots, names and sources counts as the program's, even if the profiler drops the
/// command.
pub(crate) enum Command {
    AddRoot(HostValue<Root>),
    RemoveRoot(HostValue<String>),
    AddSource(HostValue<Box<dyn Source>>),
    #[cfg(unix)]
    Warn(String),
    Snapshot {
        trigger: Trigger,
        name: Option<String>,
        reply: Reply<Arc<Snapshot>>,
    },
    /// Answer with the last snapshot, or with a new one if that is older than the interval.
    LatestSnapshot {
        reply: Reply<Arc<Snapshot>>,
    },
    /// Answer with what is in memory, after a snapshot if the last one is older than the interval.
    Recording {
        reply: Reply<Recording>,
    },
    Document {
        deadline: Deadline,
        reply: Reply<(Document, io::Result<()>)>,
    },
    Finish {
        way: Way,
        deadline: Deadline,
        reply: Reply<(Document, io::Result<()>)>,
    },
}

/// A value of the program. Dropping it counts as work of the program, even within the profiler.
pub(crate) struct HostValue<T>(Option<T>);

impl<T> HostValue<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Some(value))
    }

    pub(crate) fn as_ref(&self) -> Option<&T> {
        self.0.as_ref()
    }

    pub(crate) fn take(mut self) -> Option<T> {
        self.0.take()
    }
}

impl<T> Drop for HostValue<T> {
    fn drop(&mut self) {
        if let Some(value) = self.0.take() {
            heap::as_program(|| drop(value));
        }
    }
}

/// The side that answers, once. If it is dropped, the other side gets `None`.
pub(crate) struct Reply<T>(Arc<Slot<T>>);

/// The side that waits.
pub(crate) struct Answer<T>(Arc<Slot<T>>);

struct Slot<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

enum State<T> {
    Open,
    Answered(T),
    Closed,
}

pub(crate) fn pair<T>() -> (Reply<T>, Answer<T>) {
    let shared = Arc::new(Slot { state: Mutex::new(State::Open), changed: Condvar::new() });
    (Reply(shared.clone()), Answer(shared))
}

impl<T> Slot<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Reply<T> {
    /// A caller that has stopped waiting never reads the value.
    pub(crate) fn send(self, value: T) {
        *self.0.lock() = State::Answered(value);
    }
}

impl<T> Drop for Reply<T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        if let State::Open = *state {
            *state = State::Closed;
        }
        drop(state);
        self.0.changed.notify_all();
    }
}

impl<T> Answer<T> {
    /// Returns the answer, or `None` if the time is over or the other side was dropped.
    pub(crate) fn wait(self, max: Duration) -> Option<T> {
        let ends = Instant::now() + max;
        let mut state = self.0.lock();
        loop {
            match std::mem::replace(&mut *state, State::Closed) {
                State::Answered(value) => return Some(value),
                State::Closed => return None,
                State::Open => *state = State::Open,
            }
            let left = ends.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            let waited = self.0.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::pair;
    use std::thread;
    use std::time::Duration;

    const LONG: Duration = Duration::from_mins(1);

    #[test]
    fn an_answer_is_waited_for_and_a_dropped_reply_is_none() {
        let (reply, answer) = pair();
        let other = thread::spawn(move || reply.send(7));
        assert_eq!(answer.wait(LONG), Some(7));
        other.join().expect("it doesn't panic");
        let (reply, answer) = pair::<u8>();
        let other = thread::spawn(move || drop(reply));
        assert_eq!(answer.wait(LONG), None);
        other.join().expect("it doesn't panic");
        let (_reply, answer) = pair::<u8>();
        assert_eq!(answer.wait(Duration::from_millis(1)), None);
    }
}
