//! One call of an operation, as its wrapper reports it.

use core::time::Duration;

/// One call of a framework's operation: its name, and what the reporter knows of it.
///
/// What is not said is unknown, which no summary takes for 0.
///
/// ```
/// use memprof_heap::framework::{self, FrameworkCall};
/// use std::time::Duration;
///
/// framework::record(
///     FrameworkCall::new("aten::mm")
///         .shapes(&[&[32, 64], &[64, 10]])
///         .cpu_time(Duration::from_micros(21))
///         .device_time(Duration::from_micros(7))
///         .device_bytes(1280),
/// );
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct FrameworkCall<'a> {
    pub(super) name: &'a str,
    pub(super) shapes: Option<&'a [&'a [usize]]>,
    pub(super) cpu_time: Option<Duration>,
    pub(super) device_time: Option<Duration>,
    pub(super) cpu_bytes: Option<i64>,
    pub(super) device_bytes: Option<i64>,
}

impl<'a> FrameworkCall<'a> {
    /// A call of the operation `name`, of which nothing else is known.
    pub const fn new(name: &'a str) -> Self {
        Self {
            name,
            shapes: None,
            cpu_time: None,
            device_time: None,
            cpu_bytes: None,
            device_bytes: None,
        }
    }

    /// The same call with the shapes of its inputs, in elements per dimension: no dimension for a
    /// scalar, no shape for an operation without inputs.
    pub const fn shapes(mut self, shapes: &'a [&'a [usize]]) -> Self {
        self.shapes = Some(shapes);
        self
    }

    /// The same call and how long it kept the calling thread, waiting included.
    pub const fn cpu_time(mut self, time: Duration) -> Self {
        self.cpu_time = Some(time);
        self
    }

    /// The same call and how long the device worked on it.
    pub const fn device_time(mut self, time: Duration) -> Self {
        self.device_time = Some(time);
        self
    }

    /// The same call and the bytes it allocated in the host's memory less those it freed.
    pub const fn cpu_bytes(mut self, net: i64) -> Self {
        self.cpu_bytes = Some(net);
        self
    }

    /// The same call and the bytes it allocated in the device's memory less those it freed.
    pub const fn device_bytes(mut self, net: i64) -> Self {
        self.device_bytes = Some(net);
        self
    }
}
