//! The processes that hold memory of a device.

use super::reason;
use crate::{Counter, ProcessMemory};
use nvml_wrapper::Device;
use nvml_wrapper::enums::device::UsedGpuMemory;
use nvml_wrapper::error::NvmlError;
use nvml_wrapper::struct_wrappers::device::ProcessInfo;

/// Returns the processes that compute or draw on a device, ordered by process ID.
///
/// A process that does both has one row.
pub(super) fn read(device: &Device<'_>) -> Counter<Vec<ProcessMemory>> {
    let computing = list_with_retry(|| device.running_compute_processes());
    let computing = computing.map_err(|error| reason::of(&error))?;
    // A device that can't draw has no list of drawing processes.
    let drawing = list_with_retry(|| device.running_graphics_processes()).unwrap_or_default();
    let mut rows: Vec<_> = computing.into_iter().chain(drawing).collect();
    let used = |info: &ProcessInfo| row(info).used;
    rows.sort_by_key(|info| (instance_key(info), core::cmp::Reverse(used(info))));
    // A process on two compute instances has two amounts. A process that computes and draws is in
    // both lists with one amount.
    rows.dedup_by_key(|info| instance_key(info));
    Ok(rows.iter().map(row).collect())
}

/// Returns the process ID and the part of a split device on which the process runs.
fn instance_key(info: &ProcessInfo) -> (u32, Option<u32>, Option<u32>) {
    (info.pid, info.gpu_instance_id, info.compute_instance_id)
}

/// Lists the processes. Tries once more if processes were added between counting and listing.
fn list_with_retry(
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
