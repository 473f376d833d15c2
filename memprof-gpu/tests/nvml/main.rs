//! NVML's own wrapper over a library that the tests wrote: no driver is needed, and each refusal of
//! one can be had.

#[path = "../fake/mod.rs"]
mod fake;

mod absent;
mod counters;
mod devices;
mod processes;
#[cfg(feature = "json")]
mod record;
mod session;

use fake::Fake;
use memprof_gpu::{DeviceReading, DeviceSampler, NvmlSampler, Wanted};

const GIB: u64 = 1 << 30;
/// What NVML calls a device that has no such counter, one that fell off the bus, and what a user may
/// not read.
const NOT_SUPPORTED: u64 = 3;
const NO_PERMISSION: u64 = 4;
const LOST: u64 = 15;

/// A library with so many devices of 80 GiB, of which the driver keeps one and 20 are used, without
/// these functions.
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
