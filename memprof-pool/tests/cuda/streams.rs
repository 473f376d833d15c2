//! Tests of the order of streams, by events.

use crate::initialised;
use memprof_gpu::cuda::{CudaError, DeviceContext};
use memprof_pool::{AllocationError, DeviceUpstream, MemoryResource, Stream, StreamEvent, Streams};

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
        let passed = marks.iter().filter(|mark| streams.has_passed(mark).unwrap()).count();
        assert_eq!(passed as u64, done);
    }
    for mark in marks {
        streams.release(mark);
    }
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
    context.wait(stream, &mark).unwrap();
    assert_eq!(fake.get("waits"), 1);
    assert_eq!(fake.get("stream of the last wait"), stream.0);
    assert_eq!(fake.get("event of the last wait"), mark.0);
    context.release(mark);
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
fn an_event_of_other_code_is_refused_and_not_destroyed() {
    let (fake, cuda) = initialised();
    let [one, other] = [(); 2].map(|()| DeviceContext::retain(&cuda, 0).unwrap());
    let mark = one.record(Stream::DEFAULT).unwrap();
    let number = mark.0;
    let error = other.has_passed(&mark).unwrap_err();
    let AllocationError::Failed(cause) = error else { panic!("{error:?}") };
    assert!(matches!(cause.downcast_ref(), Some(CudaError::UnknownEvent(m)) if *m == number));
    assert!(other.wait(Stream::DEFAULT, &mark).is_err());
    other.release(mark);
    assert_eq!(fake.get("events"), 1);
    assert!(one.has_passed(&StreamEvent(number)).unwrap());
}

#[test]
fn a_failed_device_returns_an_error_for_an_event() {
    let (fake, cuda) = initialised();
    let context = DeviceContext::retain(&cuda, 0).unwrap();
    let mark = context.record(Stream::DEFAULT).unwrap();
    fake.set("fail cuEventQuery", 719);
    assert!(matches!(context.has_passed(&mark), Err(AllocationError::Failed(_))));
    context.release(mark);
}

#[test]
fn unreleased_events_are_destroyed_with_the_context() {
    let (fake, cuda) = initialised();
    let context = DeviceContext::retain(&cuda, 0).unwrap();
    let _mark = context.record(Stream::DEFAULT).unwrap();
    let upstream = DeviceUpstream::in_context(&context);
    drop(context);
    assert_eq!(fake.get("events"), 1, "the resource has the context still");
    drop(upstream);
    assert_eq!([fake.get("events"), fake.get("contexts retained")], [0, 0]);
    assert_eq!(fake.get("contexts pushed"), 0);
}
