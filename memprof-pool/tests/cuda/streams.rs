//! Tests of the order of streams, by events.

use crate::initialised;
use memprof_gpu::cuda::DeviceContext;
use memprof_pool::{AllocationError, DeviceUpstream, MemoryResource, Stream, Streams};

#[test]
fn events_pass_in_the_order_of_the_work() {
    let (fake, cuda) = initialised();
    let upstream = DeviceUpstream::new(&cuda, 0).unwrap();
    let streams = upstream.streams().unwrap();
    fake.set("passed", 0);
    let marks = [(); 3].map(|()| streams.record(Stream::DEFAULT).unwrap());
    assert_eq!([fake.get("events"), fake.get("events with a clock")], [3, 0]);
    for done in 0..=3 {
        fake.set("passed", done);
        let passed = marks.iter().filter(|mark| mark.has_passed().unwrap()).count();
        assert_eq!(passed as u64, done);
    }
    drop(marks);
    assert_eq!([fake.get("events"), fake.get("contexts pushed")], [0, 0]);
}

#[test]
#[expect(unsafe_code, reason = "a stream is made known")]
fn a_stream_waits_for_an_event_of_another() {
    let (fake, cuda) = initialised();
    let context = DeviceContext::retain(&cuda, 0).unwrap();
    let stream = Stream(0xBEEF);
    fake.set("stream", stream.0);
    // SAFETY: the stream belongs to the fake.
    unsafe { context.adopt_stream(stream.into()) };
    let mark = context.record(Stream::DEFAULT).unwrap();
    mark.delay(stream).unwrap();
    assert_eq!(fake.get("waits"), 1);
    assert_eq!(fake.get("stream of the last wait"), stream.0);
    assert_ne!(fake.get("event of the last wait"), 0);
}

#[test]
fn a_failed_recording_leaves_no_event() {
    let (fake, cuda) = initialised();
    let context = DeviceContext::retain(&cuda, 0).unwrap();
    fake.set("fail cuEventRecord", 719);
    context.record(Stream::DEFAULT).unwrap_err();
    assert_eq!([fake.get("calls of cuEventCreate"), fake.get("events")], [1, 0]);
}

#[test]
fn an_event_delays_only_registered_streams() {
    let (fake, cuda) = initialised();
    let context = DeviceContext::retain(&cuda, 0).unwrap();
    let mark = context.record(Stream::DEFAULT).unwrap();
    mark.delay(Stream(0xBEEF)).unwrap_err();
    assert_eq!(fake.get("waits"), 0);
}

#[test]
fn a_failed_device_returns_an_error_for_an_event() {
    let (fake, cuda) = initialised();
    let context = DeviceContext::retain(&cuda, 0).unwrap();
    let mark = context.record(Stream::DEFAULT).unwrap();
    fake.set("fail cuEventQuery", 719);
    assert!(matches!(mark.has_passed(), Err(AllocationError::Failed(_))));
}

#[test]
fn an_event_keeps_its_context() {
    let (fake, cuda) = initialised();
    let upstream = DeviceUpstream::new(&cuda, 0).unwrap();
    let mark = upstream.streams().unwrap().record(Stream::DEFAULT).unwrap();
    drop(upstream);
    assert_eq!([fake.get("events"), fake.get("contexts retained")], [1, 1]);
    drop(mark);
    assert_eq!([fake.get("events"), fake.get("contexts retained")], [0, 0]);
    assert_eq!(fake.get("contexts pushed"), 0);
}
