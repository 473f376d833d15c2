//! A device's clock in the harness that compares a wrapper with what it wraps.

use crate::initialised;
use core::time::Duration;
use memprof_gpu::cuda::{CudaStream, DeviceContext, EventTimer};
use memprof_gpu::overhead::Timer;

#[test]
fn the_harness_reads_the_devices_clock_and_waits_for_what_is_not_done() {
    let (fake, cuda) = initialised();
    let context = DeviceContext::retain(&cuda, 0).unwrap();
    let mut timer = EventTimer::in_context(&context, CudaStream::DEFAULT).unwrap();
    fake.set("passed", 0);
    let start = Timer::mark(&mut timer).unwrap();
    fake.set("clock", 1500);
    let end = Timer::mark(&mut timer).unwrap();
    assert_eq!(Timer::elapsed(&mut timer, &start, &end).unwrap(), Duration::from_nanos(1500));
    assert_eq!(Timer::elapsed(&mut timer, &end, &start).unwrap(), Duration::ZERO);
    Timer::flush(&mut timer).unwrap();
    Timer::sync(&mut timer).unwrap();
}
