//! Tests that recorded readings are played back as they were read.

use crate::{GIB, LOST, fake, open, read};
use memprof_gpu::{DeviceSampler, TraceSampler, TraceWriter, Unavailable, Wanted};
use std::time::Duration;

#[test]
fn a_recording_of_a_driver_is_played_as_it_was_read() {
    let fake = fake(2, &[]);
    fake.set("fail nvmlDeviceGetMemoryInfo_v2 of 1", LOST);
    let mut sampler = open(&fake);
    let live = read(&mut sampler, 0);
    let mut trace = TraceWriter::begin(Vec::new(), &sampler).expect("memory can be written");
    let every = Duration::from_millis(10);
    let duration = Some(Duration::from_millis(25));
    let readings = trace.record(&mut sampler, every, duration).expect("memory can be written");
    let file = trace.finish().expect("memory can be written");
    let mut played = TraceSampler::read(&*file).expect("it is a trace");
    assert_eq!(played.devices(), sampler.devices());
    assert_eq!(readings, 2 * played.left(0) as u64);
    assert!(played.left(0) >= 1);
    let again = played.sample(0, Wanted::ALL).expect("it was read");
    assert_eq!((again.memory.clone(), again.processes), (live.memory, live.processes));
    assert_eq!(again.memory.expect("memory is read").used, 20 * GIB);
    let lost = played.sample(1, Wanted::ALL).expect("it was read");
    assert_eq!(lost.memory, Err(Unavailable::Lost));
}
