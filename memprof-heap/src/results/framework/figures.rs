//! Sums over calls, some of which may lack a figure.

use super::FrameworkCall;
use core::time::Duration;

/// The sums of several calls of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Figures {
    /// The number of calls.
    pub calls: u64,
    /// The time for which the calls occupied their threads, including waiting; `None` if no call
    /// reported it.
    pub cpu_time: Option<Known<Duration>>,
    /// The time for which the device worked on the calls; `None` if no call reported it.
    pub device_time: Option<Known<Duration>>,
    /// Bytes allocated in host memory less bytes freed; `None` if no call reported them.
    pub cpu_bytes: Option<Known<i64>>,
    /// Bytes allocated in device memory less bytes freed; `None` if no call reported them.
    pub device_bytes: Option<Known<i64>>,
}

/// A figure over the calls that reported it. The values of the other calls are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Known<T> {
    /// The number of calls that reported the figure: at least 1, and at most all.
    pub calls: u64,
    /// The sum of the reported values. A sum that does not fit its type stays at the type's limit.
    pub total: T,
    /// The largest value.
    pub max: T,
}

impl Known<Duration> {
    /// Returns the mean over the calls that reported their time, in whole nanoseconds.
    ///
    /// ```
    /// use memprof::heap::framework::{FrameworkCall, FrameworkOperations};
    /// use std::time::Duration;
    ///
    /// let operations = FrameworkOperations::new();
    /// operations.record(FrameworkCall::new("relu").cpu_time(Duration::from_nanos(10)));
    /// operations.record(FrameworkCall::new("relu").cpu_time(Duration::from_nanos(20)));
    /// operations.record(FrameworkCall::new("relu"));
    /// let figures = operations.summary().rows()[0].figures;
    /// let cpu_time = figures.cpu_time.expect("two calls knew it");
    /// assert_eq!(cpu_time.mean(), Duration::from_nanos(15));
    /// assert_eq!((cpu_time.calls, figures.calls), (2, 3));
    /// ```
    pub fn mean(self) -> Duration {
        let nanoseconds = self.total.as_nanos() / u128::from(self.calls.max(1));
        let seconds = u64::try_from(nanoseconds / 1_000_000_000).unwrap_or(u64::MAX);
        Duration::new(seconds, (nanoseconds % 1_000_000_000) as u32)
    }
}

impl Figures {
    /// The figures of no calls.
    pub(super) const NONE: Self =
        Self { calls: 0, cpu_time: None, device_time: None, cpu_bytes: None, device_bytes: None };

    pub(super) fn of(call: &FrameworkCall<'_>) -> Self {
        Self {
            calls: 1,
            cpu_time: call.cpu_time.map(one),
            device_time: call.device_time.map(one),
            cpu_bytes: call.cpu_bytes.map(one),
            device_bytes: call.device_bytes.map(one),
        }
    }

    pub(super) fn add(&mut self, more: &Self) {
        self.calls = self.calls.saturating_add(more.calls);
        self.cpu_time = both(self.cpu_time, more.cpu_time, Duration::saturating_add);
        self.device_time = both(self.device_time, more.device_time, Duration::saturating_add);
        self.cpu_bytes = both(self.cpu_bytes, more.cpu_bytes, i64::saturating_add);
        self.device_bytes = both(self.device_bytes, more.device_bytes, i64::saturating_add);
    }
}

fn one<T: Copy>(value: T) -> Known<T> {
    Known { calls: 1, total: value, max: value }
}

fn both<T: Copy + Ord>(
    left: Option<Known<T>>,
    right: Option<Known<T>>,
    sum: fn(T, T) -> T,
) -> Option<Known<T>> {
    let (Some(one), Some(other)) = (left, right) else { return left.or(right) };
    Some(Known {
        calls: one.calls.saturating_add(other.calls),
        total: sum(one.total, other.total),
        max: one.max.max(other.max),
    })
}
