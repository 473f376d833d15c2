//! Tests of calls while a graph captures a stream.

use crate::{initialised, loaded};
use memprof_gpu::cuda::{CudaError, CudaStream, DeviceContext};

const CAPTURED: CudaStream = CudaStream(0x5712);

#[test]
#[expect(unsafe_code, reason = "a stream is adopted, and memory is freed")]
fn calls_are_refused_in_a_captured_stream_and_work_beside_it() {
    let (fake, cuda) = initialised();
    let context = DeviceContext::retain(&cuda, 0).unwrap();
    fake.set("stream", CAPTURED.0);
    // SAFETY: the stream belongs to the fake.
    unsafe { context.adopt_stream(CAPTURED) };
    let before = context.record_event(CAPTURED).unwrap();
    fake.set("capture", CAPTURED.0);
    assert!(context.is_capturing(CAPTURED).unwrap());
    // The legacy stream synchronises with the captured one.
    for stream in [CAPTURED, CudaStream::DEFAULT] {
        let refused = [
            context.record_event(stream).err(),
            before.record_again(stream).err(),
            before.delay(stream).err(),
            context.synchronize(stream).err(),
            context.allocate_async(512, stream).err(),
        ];
        for error in refused {
            let expected = |error: &CudaError| matches!(error, CudaError::StreamIsCapturing(named) if *named == stream.0);
            assert!(error.as_ref().is_some_and(expected), "{error:?}");
        }
    }
    let address = context.allocate(512).unwrap();
    // SAFETY: the memory was allocated just now, and nothing uses it.
    unsafe { context.free(address) }.unwrap();
    assert!(before.has_passed().unwrap());
    assert_eq!(fake.get("invalidated captures"), 0);
    fake.set("end captures", 0);
    assert!(!context.is_capturing(CAPTURED).unwrap());
    context.record_event(CAPTURED).unwrap();
}

#[test]
fn a_driver_without_graphs_captures_nothing() {
    let old = ["cuStreamIsCapturing", "cuThreadExchangeStreamCaptureMode"];
    let (_fake, cuda) = loaded(&old);
    cuda.initialise().unwrap();
    let context = DeviceContext::retain(&cuda, 0).unwrap();
    assert!(!context.is_capturing(CudaStream::DEFAULT).unwrap());
    context.allocate(512).unwrap();
}
