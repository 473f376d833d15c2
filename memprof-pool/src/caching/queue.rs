//! The identity of a stream: some handles name a different stream in each thread.

use crate::{Stream, Streams};
use core::cell::Cell;
use core::sync::atomic::{AtomicU64, Ordering};

/// The identity of a stream in a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Queue {
    pub(super) stream: Stream,
    /// 0 if every thread reaches the stream by its handle. Otherwise the number of the only thread
    /// that reaches the stream. After [`retired`](Self::retired), no thread has the number.
    owner: u64,
}

impl Queue {
    pub(super) const DEFAULT: Self = Self::shared(Stream::DEFAULT);
    pub(super) const FIRST: Self = Self { stream: Stream(0), owner: 0 };
    pub(super) const LAST: Self = Self { stream: Stream(u64::MAX), owner: u64::MAX };

    /// Returns the stream that the handle names in the current thread.
    pub(super) fn of(streams: &dyn Streams, stream: Stream) -> Self {
        let owner = if streams.is_per_thread(stream) { current_thread() } else { 0 };
        Self { stream, owner }
    }

    /// Returns the stream that the handle names in every thread.
    pub(super) const fn shared(stream: Stream) -> Self {
        Self { stream, owner: 0 }
    }

    /// Returns the stream with an owner that no thread has. From then on, its handle may name
    /// another stream.
    pub(super) fn retired(self) -> Self {
        Self { owner: new_number(), ..self }
    }

    /// Returns `true` if at most one thread reaches the stream.
    pub(super) const fn is_owned(self) -> bool {
        self.owner != 0
    }

    /// Returns `true` if the handle names this stream in the current thread. Only then may the pool
    /// pass the handle to the device.
    pub(super) fn is_reachable(self) -> bool {
        !self.is_owned() || self.owner == current_thread()
    }

    /// Returns this stream if the current thread reaches it, otherwise one that the thread reaches.
    pub(super) fn reachable(self, streams: &dyn Streams) -> Self {
        if self.is_reachable() {
            self
        } else if streams.is_per_thread(self.stream) {
            // The legacy default stream would wait for the streams of all threads.
            Self::of(streams, self.stream)
        } else {
            Self::DEFAULT
        }
    }
}

// `std::thread::current` may panic in destructors of thread-locals. Reading this variable never
// panics.
thread_local!(static THREAD: Cell<u64> = const { Cell::new(0) });

/// Returns the number of the current thread. No other thread gets this number, even after the
/// current one has ended.
fn current_thread() -> u64 {
    THREAD.with(|number| {
        if number.get() == 0 {
            number.set(new_number());
        }
        number.get()
    })
}

fn new_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Makes the current thread act as another one, so that a test has a fixed order without threads.
#[cfg(test)]
pub(super) fn simulate_thread(number: u64) {
    THREAD.set(number);
}

/// Returns the number of the thread that the test simulates.
#[cfg(test)]
pub(super) fn simulated_thread() -> u64 {
    current_thread()
}
