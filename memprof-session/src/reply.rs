//! An answer that one thread waits for.
//!
//! Unlike a channel, it leaves no memory in thread-local variables of the waiting thread, so all of
//! its memory is the profiler's.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The side that answers, once. If it is dropped, the other side gets `None`.
pub(crate) struct Reply<T>(Arc<Shared<T>>);

/// The side that waits.
pub(crate) struct Answer<T>(Arc<Shared<T>>);

struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

enum State<T> {
    Open,
    Answered(T),
    Closed,
}

/// Creates both sides.
pub(crate) fn pair<T>() -> (Reply<T>, Answer<T>) {
    let shared = Arc::new(Shared { state: Mutex::new(State::Open), changed: Condvar::new() });
    (Reply(shared.clone()), Answer(shared))
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Reply<T> {
    /// Sends the answer. A caller that has stopped waiting never reads it.
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
