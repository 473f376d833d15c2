//! Tests of NVML's wrapper with a fake library, which needs no driver and can return each error.

#[path = "../fake/mod.rs"]
mod fake;

mod absent;
mod counters;
mod devices;
mod processes;
mod session;

use fake::Fake;
use memprof_gpu::{DeviceReading, DeviceSampler, NvmlSampler, Wanted};

const GIB: u64 = 1 << 30;
/// NVML's error codes for a missing counter, a missing permission and a lost device.
const NOT_SUPPORTED: u64 = 3;
const NO_PERMISSION: u64 = 4;
const LOST: u64 = 15;

/// Creates a library without the functions in `without`.
///
/// The library has `devices` devices of 80 GiB. On each, the driver keeps 1 GiB and processes use
/// 20 GiB.
fn fake(devices: u64, without: &[&str]) -> Fake {
    let fake = Fake::new("nvml", without);
    fake.set("devices", devices);
    for device in 0..devices {
        fake.set(&format!("total of {device}"), 80 * GIB);
        fake.set(&format!("reserved of {device}"), GIB);
        fake.set(&format!("used of {device}"), 20 * GIB);
        fake.set(&format!("Compute processes of {device}"), 0);
    }
    fake
}

fn open(fake: &Fake) -> NvmlSampler {
    NvmlSampler::open_at(fake.path()).expect("the fake can be opened")
}

fn read(sampler: &mut NvmlSampler, device: usize) -> DeviceReading {
    sampler.sample(device, Wanted::ALL).expect("there is such a device")
}
