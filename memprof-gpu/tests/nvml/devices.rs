//! Tests of the listed devices and their names.

use crate::{GIB, LOST, fake, open, read};
use memprof_gpu::{DeviceIdentity, DeviceSampler, SamplerError};

#[test]
fn devices_are_listed_with_index_uuid_and_name() {
    let sampler = open(&fake(2, &[]));
    let uuids: Vec<&str> = sampler.devices().iter().map(|device| &*device.uuid).collect();
    assert_eq!(uuids, ["GPU-0", "GPU-1"]);
    assert_eq!(sampler.devices()[1].name.as_deref(), Some("NVIDIA H100 80GB HBM3"));
    let environment = sampler.environment();
    assert_eq!(environment.driver.as_deref(), Some("580.159.03"));
    assert_eq!(environment.cuda.as_deref(), Some("13.2"));
}

#[test]
fn a_driver_without_devices_lists_none() {
    assert_eq!(open(&fake(0, &[])).devices(), []);
}

#[test]
fn a_missing_device_is_an_error() {
    let error = open(&fake(2, &[])).sample(2, memprof_gpu::Wanted::ALL).expect_err("there are two");
    assert!(matches!(error, SamplerError::NoSuchDevice { device: 2, devices: 2 }));
}

#[test]
fn a_device_that_is_lost_from_the_start_is_listed_by_its_number() {
    let fake = fake(2, &[]);
    fake.set("fail nvmlDeviceGetHandleByIndex_v2 of 0", LOST);
    let sampler = open(&fake);
    assert_eq!(sampler.devices().len(), 2);
    assert!(sampler.devices()[0].uuid.starts_with("unknown: the device is lost"));
    assert_eq!(sampler.devices()[1].uuid, "GPU-1");
}

#[test]
fn a_split_device_is_listed_as_its_parts() {
    let fake = fake(2, &[]);
    fake.set("parts", 2);
    for part in [1, 2] {
        fake.set(&format!("total of 0 part {part}"), 10 * GIB);
        fake.set(&format!("reserved of 0 part {part}"), 0);
        fake.set(&format!("used of 0 part {part}"), part * GIB);
        fake.set(&format!("Compute processes of 0 part {part}"), 0);
    }
    let mut sampler = open(&fake);
    let frames: Vec<String> = sampler.devices().iter().map(DeviceIdentity::frame).collect();
    assert_eq!(frames, ["nvml:0/mig:1", "nvml:0/mig:2", "nvml:1"]);
    assert_eq!(sampler.devices()[1].uuid, "MIG-2");
    assert_eq!(read(&mut sampler, 1).memory.expect("a part reports memory").used, 2 * GIB);
}

#[test]
fn a_driver_without_mig_lists_whole_devices() {
    let sampler = open(&fake(2, &["nvmlDeviceGetMigMode"]));
    assert!(sampler.devices().iter().all(|device| device.part.is_none()));
}
