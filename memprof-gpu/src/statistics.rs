//! What of a device's memory is whose: its own counters beside what values and allocators say.

use crate::{Counter, DeviceIdentity, DeviceReading, MemoryCounters, ProcessMemory};
use core::fmt;
use memprof_profile::{ATTRIBUTED, Device};
use std::error::Error;

/// What of a device's memory is whose, in bytes; `None` is not known.
///
/// ```text
/// total = free + driver_reserved + used
/// used  = process + other_processes          where the driver lists this process
///       = attributed + unknown_owner         where it does not, as in a container
/// process = attributed + unattributed
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceStatistics {
    /// The device.
    pub identity: DeviceIdentity,
    /// Its memory.
    pub memory: MemoryCounters,
    /// What the driver says that this process holds; `None` if it does not list it.
    pub process: Option<u64>,
    /// What the program's values say that they hold there.
    pub held: u64,
    /// What an allocator of this process says of the device, if one was asked.
    pub allocator: Option<AllocatorCounters>,
}

/// What an allocator says of the memory that it took from a device, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct AllocatorCounters {
    /// What it has given out.
    pub allocated: u64,
    /// What it has taken from the device.
    pub reserved: u64,
    /// The most it had given out; `None` if it does not count that.
    pub peak_allocated: Option<u64>,
    /// The most it had taken; `None` if it does not count that.
    pub peak_reserved: Option<u64>,
}

impl AllocatorCounters {
    /// These, without peaks.
    pub const fn new(allocated: u64, reserved: u64) -> Self {
        Self { allocated, reserved, peak_allocated: None, peak_reserved: None }
    }

    /// What it has taken and nobody has.
    pub const fn cached(&self) -> u64 {
        self.reserved.saturating_sub(self.allocated)
    }
}

impl DeviceStatistics {
    /// What a reading says, beside what values in this process hold on that device.
    ///
    /// # Errors
    /// If the reading does not tell the device's memory, or what can't be, with the reason.
    pub fn new(identity: &DeviceIdentity, reading: &DeviceReading, held: u64) -> Counter<Self> {
        Self::of_process(identity, reading, held, std::process::id())
    }

    pub(crate) fn of_process(
        identity: &DeviceIdentity,
        reading: &DeviceReading,
        held: u64,
        pid: u32,
    ) -> Counter<Self> {
        let memory = reading.memory.clone()?.checked()?;
        let rows = reading.processes.as_deref().unwrap_or_default();
        // Read at another moment than the total, it may be more than that.
        let process = process(rows, pid).map(|bytes| bytes.min(memory.used));
        Ok(Self { identity: identity.clone(), memory, process, held, allocator: None })
    }

    /// The same with what an allocator says.
    #[must_use]
    pub fn with_allocator(self, allocator: AllocatorCounters) -> Self {
        Self { allocator: Some(allocator), ..self }
    }

    /// What values hold, as far as the device's counters leave room for it.
    pub fn attributed(&self) -> u64 {
        self.held.min(self.process.unwrap_or(self.memory.used))
    }

    /// By how much values say that they hold more than the device's counters leave room for: they
    /// were not read at one moment, or a value says something wrong of itself.
    pub fn attributed_excess(&self) -> u64 {
        self.held - self.attributed()
    }

    /// What this process holds and no value says: CUDA's context, libraries, what is cached, what
    /// is not profiled.
    pub fn unattributed(&self) -> Option<u64> {
        Some(self.process?.saturating_sub(self.attributed()))
    }

    /// What other processes hold.
    pub fn other_processes(&self) -> Option<u64> {
        Some(self.memory.used.saturating_sub(self.process?))
    }

    /// What is used and not free for anybody, as a share of all, between 0 and 1.
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub fn pressure(&self) -> Option<f64> {
        let total = self.memory.total;
        (total > 0).then(|| total.saturating_sub(self.memory.free) as f64 / total as f64)
    }

    /// The leaves of the device's branch, which add up to its total.
    pub(crate) fn leaves(&self) -> Vec<(Vec<String>, Device, u64)> {
        let (frame, device) = (self.identity.frame(), self.identity.device());
        let mut leaves = Vec::new();
        let mut leaf = |path: &[&str], bytes: u64| {
            let path = core::iter::once(frame.as_str()).chain(path.iter().copied());
            leaves.push((path.map(str::to_owned).collect(), device, bytes));
        };
        leaf(&["free"], self.memory.free);
        if let Some(bytes) = self.memory.driver_reserved {
            leaf(&["driver_reserved"], bytes);
        }
        leaf(&["used", "process", ATTRIBUTED], self.attributed());
        match self.unattributed().zip(self.other_processes()) {
            Some((unattributed, others)) => {
                leaf(&["used", "process", "unattributed"], unattributed);
                leaf(&["used", "other_processes"], others);
            }
            None => leaf(&["used", "unknown_owner"], self.memory.used - self.attributed()),
        }
        leaves
    }
}

/// What the process of that number holds; `None` if it is not listed, or without its bytes.
///
/// Of a device that is split, a process may have a row for each part that it runs on.
fn process(rows: &[ProcessMemory], pid: u32) -> Option<u64> {
    let mut rows = rows.iter().filter(|row| row.pid == pid).peekable();
    rows.peek()?;
    rows.try_fold(0_u64, |sum, row| Some(sum.saturating_add(row.used?)))
}

/// What changed between two moments of one device.
///
/// ```
/// # use memprof_gpu::{DeviceDelta, DeviceStatistics};
/// # fn show(before: DeviceStatistics, after: DeviceStatistics) {
/// if let Ok(delta) = DeviceDelta::between(&before, &after) {
///     println!("{:+} bytes used, {:+} of them in values", delta.used, delta.held);
/// }
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceDelta {
    /// What all processes hold.
    pub used: i128,
    /// What this process holds; `None` if either moment does not tell.
    pub process: Option<i128>,
    /// What values hold.
    pub held: i128,
    /// What this process holds and no value says: what grows here is not in any profiled value.
    pub unattributed: Option<i128>,
    /// What the allocator has given out.
    pub allocated: Option<i128>,
    /// What the allocator has taken from the device.
    pub reserved: Option<i128>,
}

impl DeviceDelta {
    /// What changed from `before` to `after`.
    ///
    /// # Errors
    /// If they are of two devices.
    pub fn between(
        before: &DeviceStatistics,
        after: &DeviceStatistics,
    ) -> Result<Self, TwoDevices> {
        let [one, other] = [before, after].map(|moment| moment.identity.uuid.clone());
        if one != other {
            return Err(TwoDevices { before: one, after: other });
        }
        let change = |before: u64, after: u64| i128::from(after) - i128::from(before);
        let known = |before: Option<u64>, after: Option<u64>| Some(change(before?, after?));
        let allocator = |value: fn(AllocatorCounters) -> u64| {
            known(before.allocator.map(value), after.allocator.map(value))
        };
        Ok(Self {
            used: change(before.memory.used, after.memory.used),
            process: known(before.process, after.process),
            held: change(before.held, after.held),
            unattributed: known(before.unattributed(), after.unattributed()),
            allocated: allocator(|counters| counters.allocated),
            reserved: allocator(|counters| counters.reserved),
        })
    }
}

/// Two moments are of two devices, so nothing changed between them.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TwoDevices {
    /// The UUID of the first.
    pub before: String,
    /// The UUID of the second.
    pub after: String,
}

impl fmt::Display for TwoDevices {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { before, after } = self;
        write!(out, "expected two moments of one device, found {before} and {after}")
    }
}

/// The same text as `Display`, which is what `main` and `unwrap` print.
impl fmt::Debug for TwoDevices {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for TwoDevices {}

#[cfg(test)]
mod tests;
