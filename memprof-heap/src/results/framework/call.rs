//! One call of an operation, as its wrapper reports it.

use core::time::Duration;

/// One call of a framework's operation: its name, and the figures that the wrapper reports.
///
/// A figure that is not set is unknown. No summary treats it as 0.
///
/// ```
/// use memprof::heap::framework::FrameworkCall;
/// use memprof::heap::framework;
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
    /// Creates a call of the operation `name` without any figures.
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

    /// Sets the shapes of the inputs, in elements per dimension. A scalar has no dimension, and an
    /// operation without inputs has no shape.
    pub const fn shapes(mut self, shapes: &'a [&'a [usize]]) -> Self {
        self.shapes = Some(shapes);
        self
    }

    /// Sets how long the call occupied the calling thread, including waiting.
    pub const fn cpu_time(mut self, time: Duration) -> Self {
        self.cpu_time = Some(time);
        self
    }

    /// Sets how long the device worked on the call.
    pub const fn device_time(mut self, time: Duration) -> Self {
        self.device_time = Some(time);
        self
    }

    /// Sets the bytes that the call allocated in host memory less the bytes it freed.
    pub const fn cpu_bytes(mut self, net: i64) -> Self {
        self.cpu_bytes = Some(net);
        self
    }

    /// Sets the bytes that the call allocated in device memory less the bytes it freed.
    pub const fn device_bytes(mut self, net: i64) -> Self {
        self.device_bytes = Some(net);
        self
    }
}
