//! Tests of the driver's data about devices.

use crate::{initialised, loaded};
use memprof_gpu::cuda::{CudaDevice, CudaError, DeviceContext, DeviceUuid, MemoryInfo};

#[test]
fn devices_have_names_sizes_and_uuids_in_the_format_of_nvml() {
    let (fake, cuda) = initialised();
    let devices = cuda.devices().unwrap();
    let uuids_from_cuda: Vec<_> = devices
        .iter()
        .map(|CudaDevice { ordinal, name, uuid, total_bytes, .. }| {
            (*ordinal, &**name, uuid.to_string(), *total_bytes)
        })
        .collect();
    let uuids =
        ["GPU-00102030-4050-6070-8090-a0b0c0d0e0f0", "GPU-01112131-4151-6171-8191-a1b1c1d1e1f1"];
    assert_eq!(
        uuids_from_cuda,
        [(0, "Fake H100", uuids[0].into(), 1 << 30), (1, "Fake card", uuids[1].into(), 1 << 30)]
    );
    assert_eq!(DeviceUuid::parse(uuids[1]), Some(devices[1].uuid));
    assert_eq!(fake.get("contexts created"), 0);
}

#[test]
fn an_old_driver_returns_the_uuid_by_the_old_function() {
    let (fake, cuda) = loaded(&["cuDeviceGetUuid_v2"]);
    cuda.initialise().unwrap();
    assert!(cuda.device(0).unwrap().uuid.to_string().starts_with("GPU-00102030-"));
    assert_eq!(fake.get("calls of cuDeviceGetUuid"), 1);
}

#[test]
fn the_version_is_known_before_initialisation() {
    let (fake, cuda) = loaded(&[]);
    for (number, text) in [(13000, "13.0"), (12080, "12.8"), (11040, "11.4")] {
        fake.set("version", number);
        assert_eq!(cuda.driver_version().unwrap().to_string(), text);
    }
}

#[test]
fn reading_the_primary_context_does_not_create_it() {
    let (fake, cuda) = initialised();
    assert!(!cuda.is_context_active(0).unwrap());
    assert_eq!(fake.get("contexts created"), 0);
    let context = DeviceContext::retain(&cuda, 0).unwrap();
    assert!(cuda.is_context_active(0).unwrap());
    assert!(!cuda.is_context_active(1).unwrap());
    drop(context);
    assert!(!cuda.is_context_active(0).unwrap());
}

#[test]
fn the_memory_of_a_device_is_read_only_in_a_context() {
    let (fake, cuda) = initialised();
    let without = cuda.memory_info();
    assert!(matches!(without, Err(CudaError::NoContext)), "{without:?}");
    assert_eq!(fake.get("calls of cuMemGetInfo_v2"), 0);

    let context = DeviceContext::retain(&cuda, 0).unwrap();
    assert!(cuda.memory_info().is_err(), "the context is there, and not current");
    let expected = MemoryInfo { free: (1 << 30) - (64 << 20), total: 1 << 30 };
    assert_eq!(context.memory_info().unwrap(), expected);
    fake.set("push context of device", 0);
    assert_eq!(cuda.memory_info().unwrap(), expected);
    fake.set("pop context", 0);
}

#[test]
fn a_part_of_a_split_device_has_its_own_uuid() {
    let (fake, cuda) = initialised();
    let whole = cuda.device(0).unwrap().uuid;
    fake.set("split", 1);
    let part = cuda.device(0).unwrap().uuid;
    assert_ne!(part, whole);
    assert_eq!(DeviceUuid::parse(&part.to_string().replace("GPU-", "MIG-")), Some(part));
}

#[test]
fn streams_of_a_context_are_destroyed_with_it() {
    let (fake, cuda) = initialised();
    let context = DeviceContext::retain(&cuda, 0).unwrap();
    let streams = [context.create_stream().unwrap(), context.create_stream().unwrap()];
    assert_ne!(streams[0], streams[1]);
    context.record_event(streams[0]).unwrap();
    assert_eq!(fake.get("streams"), 2);
    drop(context);
    assert_eq!(["streams", "events", "contexts pushed"].map(|name| fake.get(name)), [0; 3]);
}
