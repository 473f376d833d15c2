//! The devices as JSON, for programs; `docs/format.md` describes its keys.

use super::name_of;
use memprof_gpu::{
    Counter, DeviceIdentity, DeviceReading, DeviceSampler, DeviceStatistics, Environment,
    MemoryCounters, Traffic,
};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
pub(super) struct GpuJson {
    format: &'static str,
    version: u32,
    environment: Environment,
    devices: Vec<DeviceJson>,
}

#[derive(Serialize)]
struct DeviceJson {
    device: String,
    #[serde(flatten)]
    identity: DeviceIdentity,
    memory: Option<MemoryCounters>,
    processes: Option<Vec<ProcessJson>>,
    temperature_celsius: Option<u32>,
    power_milliwatts: Option<u32>,
    traffic: Option<Traffic>,
    /// The reason for each key that is `null`.
    unknown: BTreeMap<&'static str, String>,
    advice: Vec<String>,
}

#[derive(Serialize)]
struct ProcessJson {
    pid: u32,
    used: Option<u64>,
    gpu_instance: Option<u32>,
    name: Option<String>,
}

pub(super) fn of(
    sampler: &dyn DeviceSampler,
    readings: &[DeviceReading],
    is_here: bool,
) -> GpuJson {
    let devices = sampler.devices().iter().zip(readings);
    GpuJson {
        format: "memprof gpu",
        version: 1,
        environment: sampler.environment(),
        devices: devices.map(|(identity, reading)| device(identity, reading, is_here)).collect(),
    }
}

fn device(identity: &DeviceIdentity, reading: &DeviceReading, is_here: bool) -> DeviceJson {
    let mut unknown = BTreeMap::new();
    let statistics = DeviceStatistics::new(identity, reading, 0);
    let advice = statistics.map_or_else(|_| Vec::new(), |statistics| statistics.advice());
    let processes = value_or_reason("processes", &reading.processes, &mut unknown).map(|rows| {
        let process = |row: memprof_gpu::ProcessMemory| ProcessJson {
            pid: row.pid,
            used: row.used,
            gpu_instance: row.gpu_instance,
            name: name_of(row.pid, is_here),
        };
        rows.into_iter().map(process).collect()
    });
    DeviceJson {
        device: identity.frame(),
        identity: identity.clone(),
        memory: value_or_reason("memory", &reading.memory, &mut unknown),
        processes,
        temperature_celsius: value_or_reason(
            "temperature_celsius",
            &reading.temperature_celsius,
            &mut unknown,
        ),
        power_milliwatts: value_or_reason(
            "power_milliwatts",
            &reading.power_milliwatts,
            &mut unknown,
        ),
        traffic: value_or_reason("traffic", &reading.traffic, &mut unknown),
        unknown,
        advice: advice.iter().map(ToString::to_string).collect(),
    }
}

fn value_or_reason<T: Clone>(
    key: &'static str,
    counter: &Counter<T>,
    unknown: &mut BTreeMap<&'static str, String>,
) -> Option<T> {
    counter.clone().map_err(|reason| unknown.insert(key, reason.to_string())).ok()
}
