//! Who holds memory of a device.

use super::reason;
use crate::{Counter, ProcessMemory};
use nvml_wrapper::Device;
use nvml_wrapper::enums::device::UsedGpuMemory;
use nvml_wrapper::error::NvmlError;
use nvml_wrapper::struct_wrappers::device::ProcessInfo;

/// The processes that compute or draw on a device, by their numbers; one that does both is one.
pub(super) fn read(device: &Device<'_>) -> Counter<Vec<ProcessMemory>> {
    let computing = again(|| device.running_compute_processes());
    let computing = computing.map_err(|error| reason::of(&error))?;
    // A device that can't draw has no list of who does.
    let drawing = again(|| device.running_graphics_processes()).unwrap_or_default();
    let mut rows: Vec<_> = computing.into_iter().chain(drawing).collect();
    let known = |info: &ProcessInfo| row(info).used;
    rows.sort_by_key(|info| (place(info), core::cmp::Reverse(known(info))));
    // What it holds on two compute instances are two amounts; what it computes and draws with is one.
    rows.dedup_by_key(|info| place(info));
    Ok(rows.iter().map(row).collect())
}

/// Which process it is, and on which part of a device that is split.
fn place(info: &ProcessInfo) -> (u32, Option<u32>, Option<u32>) {
    (info.pid, info.gpu_instance_id, info.compute_instance_id)
}

/// Asks again if there came to be more of them between count and list.
fn again(
    list: impl Fn() -> Result<Vec<ProcessInfo>, NvmlError>,
) -> Result<Vec<ProcessInfo>, NvmlError> {
    match list() {
        Err(NvmlError::InsufficientSize(_)) => list(),
        listed => listed,
    }
}

fn row(info: &ProcessInfo) -> ProcessMemory {
    let used = match info.used_gpu_memory {
        UsedGpuMemory::Used(bytes) => Some(bytes),
        UsedGpuMemory::Unavailable => None,
    };
    ProcessMemory { pid: info.pid, used, gpu_instance: info.gpu_instance_id }
}
