//! GPUs in one snapshot with roots and the heap.

use crate::alone;
use crate::folder::Folder;
use crate::program::{end, seldom};
use crate::sources::Buffer;
use memprof::gpu::{
    DeviceIdentity, DeviceReading, DeviceSampler, Environment, GpuSource, MemoryCounters,
    MemorySource, ProcessMemory, SamplerError, Unavailable, Wanted,
};
use memprof::tree::Device;
use std::sync::Arc;
use std::time::Duration;

/// One device in use by CUDA, with 600 of its 1,000 bytes in use, 400 of them by this process.
struct OneDevice([DeviceIdentity; 1]);

impl OneDevice {
    fn new() -> Self {
        let (uuid, name) = ("GPU-1".to_owned(), Some("H100".to_owned()));
        Self([DeviceIdentity { index: 0, uuid, name, part: None, ordinal: Some(0) }])
    }
}

impl DeviceSampler for OneDevice {
    fn devices(&self) -> &[DeviceIdentity] {
        &self.0
    }

    fn sample(&mut self, device: usize, _: Wanted) -> Result<DeviceReading, SamplerError> {
        let own = ProcessMemory { pid: std::process::id(), used: Some(400), gpu_instance: None };
        Ok(DeviceReading {
            memory: MemoryCounters::balanced(1000, 300, Some(100), MemorySource::NvmlV2),
            processes: Ok(vec![own]),
            temperature_celsius: Ok(41),
            power_milliwatts: Err(Unavailable::NoPermission),
            traffic: Err(Unavailable::NotSupported),
            ..DeviceReading::unread(device, Duration::ZERO)
        })
    }

    fn environment(&self) -> Environment {
        Environment::default()
    }
}

#[test]
fn a_snapshot_has_the_processes_on_the_device() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    let gpus = GpuSource::builder().start_with(OneDevice::new()).expect("there is a thread");
    session.source(gpus);
    let buffer = Arc::new(Buffer::<150>);
    session.root("buffer", buffer.clone());
    session.checkpoint("loaded");
    drop(buffer);
    end(session);
    let recording = folder.recording();
    let snapshot = recording.snapshot("loaded").expect("it was taken");
    let gpu = snapshot.root("gpu").expect("it tells").expect("it is a profile");
    let expected = "gpu;nvml:0;driver_reserved 100\ngpu;nvml:0;free 300\n\
                  gpu;nvml:0;used;other_processes 200\ngpu;nvml:0;used;process;attributed 150\n\
                  gpu;nvml:0;used;process;unattributed 250\n";
    assert_eq!(gpu.to_folded(), expected);
    let all = snapshot.profile("program").expect("profiles");
    assert_eq!(all.devices(), [(Device::Cuda(0), 1000)], "nothing counts twice");
    let page = recording.overview().at(snapshot).to_string();
    assert!(page.contains("nvml:0 temperature"), "{page}");
    assert!(page.contains("41 °C"), "{page}");
    assert!(page.contains("no permission to read it"), "{page}");
}

#[test]
fn a_session_reads_this_machines_gpus_or_records_the_reason() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    session.source(GpuSource::new());
    session.checkpoint("read");
    end(session);
    let recording = folder.recording();
    let source = &recording.snapshot("read").expect("it was taken").sources[0];
    match GpuSource::open() {
        Ok(_) => assert!(source.error.is_none() && source.profile.is_some(), "{source:?}"),
        Err(reason) => {
            let recorded = source.error.as_deref().expect("there is a reason");
            assert!(recorded.starts_with(&reason.to_string()), "{recorded}");
            assert!(source.profile.is_none());
        }
    }
}
