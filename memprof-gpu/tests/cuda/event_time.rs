//! Tests of device time as a criterion measurement.

use crate::{Fake, initialised};
use core::time::Duration;
use criterion::measurement::Measurement;
use memprof_gpu::cuda::{CudaStream, DeviceContext, EventTime, EventTimer};

fn event_time() -> (Fake, EventTime) {
    let (fake, cuda) = initialised();
    let context = DeviceContext::retain(&cuda, 0).unwrap();
    let timer = EventTimer::in_context(&context, CudaStream::DEFAULT).unwrap();
    (fake, EventTime::new(timer).unwrap())
}

#[test]
fn a_sample_is_the_devices_time_after_the_work_is_done() {
    let (fake, time) = event_time();
    fake.set("passed", 0);
    let start = time.start();
    fake.set("clock", 1500);
    let sample = time.end(start);
    assert_eq!(sample, Duration::from_nanos(1500));
    let sum = time.add(&sample, &time.zero());
    assert!((time.to_f64(&sum) - 1500.0).abs() < 1e-9);
    assert_eq!(time.formatter().format_value(1500.0), "1.5000 µs");
}

#[test]
fn events_are_created_before_the_first_sample() {
    let (fake, time) = event_time();
    for _ in 0..10 {
        time.end(time.start());
    }
    assert_eq!(fake.get("calls of cuEventCreate"), 2);
}

#[test]
fn caches_are_displaced_before_each_sample_on_request() {
    let (fake, time) = event_time();
    time.end(time.start());
    assert_eq!(fake.get("bytes overwritten"), 0);
    let time = time.displacing_caches().unwrap();
    time.end(time.start());
    assert_eq!(fake.get("bytes overwritten"), 2 * (256 << 20));
}
