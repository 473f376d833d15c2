//! Tests of device time between two events in a stream.

use crate::{initialised, loaded};
use core::time::Duration;
use memprof_gpu::cuda::{Cuda, CudaError, CudaStream, DeviceContext, EventTimer};

fn timer(cuda: &Cuda) -> EventTimer {
    let context = DeviceContext::retain(cuda, 0).unwrap();
    EventTimer::in_context(&context, CudaStream::DEFAULT).unwrap()
}

#[test]
fn elapsed_is_the_devices_time() {
    let (fake, cuda) = initialised();
    let timer = timer(&cuda);
    let start = timer.record().unwrap();
    for nanoseconds in [0, 500, 1500, 2_000_000, 90_000_000_000] {
        fake.set("clock", nanoseconds);
        let event = timer.record().unwrap();
        timer.synchronize().unwrap();
        let elapsed = timer.elapsed(&start, &event).unwrap();
        assert_eq!(elapsed, Duration::from_nanos(nanoseconds));
    }
}

#[test]
fn marks_are_read_once_the_work_is_done() {
    let (fake, cuda) = initialised();
    let timer = timer(&cuda);
    fake.set("passed", 0);
    let [from, to] = [(); 2].map(|()| timer.record().unwrap());
    let early = timer.elapsed(&from, &to);
    assert!(matches!(early, Err(CudaError::NotReady)), "{early:?}");
    timer.synchronize().unwrap();
    assert_eq!(timer.elapsed(&from, &to).unwrap(), Duration::ZERO);
}

#[test]
fn swapped_marks_are_an_error() {
    let (fake, cuda) = initialised();
    let timer = timer(&cuda);
    let from = timer.record().unwrap();
    fake.set("clock", 1000);
    let to = timer.record().unwrap();
    assert!(matches!(timer.elapsed(&to, &from), Err(CudaError::EventsSwapped)));
}

#[test]
fn the_newer_function_is_called_if_it_exists() {
    for (without, call) in
        [(&[][..], "cuEventElapsedTime_v2"), (&["cuEventElapsedTime_v2"], "cuEventElapsedTime")]
    {
        let (fake, cuda) = loaded(without);
        cuda.initialise().unwrap();
        let timer = timer(&cuda);
        let [from, to] = [(); 2].map(|()| timer.record().unwrap());
        timer.elapsed(&from, &to).unwrap();
        assert_eq!(fake.get(&format!("calls of {call}")), 1);
    }
}

#[test]
fn events_are_reused_and_prepared_ones_are_used_first() {
    let (fake, cuda) = initialised();
    let timer = timer(&cuda);
    timer.prepare(3).unwrap();
    timer.prepare(2).unwrap();
    for _ in 0..10 {
        let events = [(); 3].map(|()| timer.record().unwrap());
        timer.elapsed(&events[0], &events[2]).unwrap();
    }
    assert_eq!(fake.get("calls of cuEventCreate"), 3);
}

#[test]
fn the_last_event_releases_the_context() {
    let (fake, cuda) = initialised();
    let timer = timer(&cuda);
    timer.prepare(4).unwrap();
    let event = timer.record().unwrap();
    drop(timer);
    assert_eq!([fake.get("events"), fake.get("contexts retained")], [1, 1]);
    drop(event);
    assert_eq!([fake.get("events"), fake.get("contexts retained")], [0, 0]);
    assert_eq!(fake.get("contexts pushed"), 0);
}

#[test]
fn a_mark_of_another_context_is_refused() {
    let (fake, cuda) = initialised();
    let [one, other] = [timer(&cuda), timer(&cuda)];
    let [from, to] = [one.record().unwrap(), other.record().unwrap()];
    for timer in [&one, &other] {
        assert!(matches!(timer.elapsed(&from, &to), Err(CudaError::UnknownEvent(_))));
    }
    assert_eq!(fake.get("calls of cuEventElapsedTime_v2"), 0);
}

#[test]
#[expect(unsafe_code, reason = "a stream is named by its bits")]
fn a_stream_of_other_code_is_timed() {
    let (fake, cuda) = initialised();
    let stream = CudaStream(0x57AE);
    let context = DeviceContext::retain(&cuda, 0).unwrap();
    let unknown = EventTimer::in_context(&context, stream);
    assert!(matches!(unknown, Err(CudaError::UnknownStream(0x57AE))), "{unknown:?}");

    fake.set("stream", stream.0);
    // SAFETY: the stream belongs to the fake.
    unsafe { context.adopt_stream(stream) };
    let timer = EventTimer::in_context(&context, stream).unwrap();
    let [from, to] = [(); 2].map(|()| timer.record().unwrap());
    timer.synchronize().unwrap();
    timer.elapsed(&from, &to).unwrap();
}

#[test]
fn synchronize_returns_the_error_of_the_devices_work() {
    let (fake, cuda) = initialised();
    let timer = timer(&cuda);
    fake.set("fail cuStreamSynchronize", 719);
    let error = timer.synchronize().unwrap_err();
    assert!(error.to_string().contains("CUDA_ERROR_LAUNCH_FAILED"), "{error}");
}

#[test]
fn caches_are_displaced_by_memory_that_is_allocated_once_and_goes_with_the_timer() {
    let (fake, cuda) = initialised();
    let timer = timer(&cuda);
    assert_eq!(fake.get("allocations"), 0, "it may never be needed");
    for times in 1..=3 {
        timer.displace_caches().unwrap();
        assert_eq!(fake.get("bytes overwritten"), times * (256 << 20));
    }
    assert_eq!(fake.get("allocations"), 1);
    let event = timer.record().unwrap();
    drop(timer);
    assert_eq!([fake.get("allocations"), fake.get("contexts retained")], [0, 1]);
    drop(event);
    assert_eq!([fake.get("contexts pushed"), fake.get("contexts retained")], [0, 0]);
}

#[test]
fn displacing_caches_fails_without_memory_and_succeeds_later() {
    let (fake, cuda) = initialised();
    let timer = timer(&cuda);
    fake.set("fail cuMemAlloc_v2", 2);
    let error = timer.displace_caches().unwrap_err();
    assert!(error.to_string().contains("CUDA_ERROR_OUT_OF_MEMORY"), "{error}");
    fake.set("fail cuMemAlloc_v2", 0);
    timer.displace_caches().unwrap();
}
