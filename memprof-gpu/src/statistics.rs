//! Statistics of a device's memory: its counters, compared with the bytes of values and allocators.

use crate::{Counter, DeviceIdentity, DeviceReading, MemoryCounters, ProcessMemory};
use core::fmt;
use memprof_profile::source::ATTRIBUTED;
use memprof_profile::tree::Device;
use std::error::Error;

/// The owners of a device's memory, in bytes. `None` means unknown.
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
    /// The device's counters.
    pub memory: MemoryCounters,
    /// The bytes that this process holds, as the driver reports them. `None` if the driver does not
    /// list the process.
    pub process: Option<u64>,
    /// The bytes that the program's values report on this device.
    pub held: u64,
    /// The counters of an allocator of this process, if any were given.
    pub allocator: Option<AllocatorCounters>,
}

/// An allocator's counters of the memory that it took from a device, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct AllocatorCounters {
    /// The bytes that the allocator has allocated to its callers.
    pub allocated: u64,
    /// The bytes that the allocator has taken from the device.
    pub reserved: u64,
    /// The peak of `allocated`. `None` if the allocator does not count it.
    pub peak_allocated: Option<u64>,
    /// The peak of `reserved`. `None` if the allocator does not count it.
    pub peak_reserved: Option<u64>,
}

impl AllocatorCounters {
    /// Creates counters without peaks.
    pub const fn new(allocated: u64, reserved: u64) -> Self {
        Self { allocated, reserved, peak_allocated: None, peak_reserved: None }
    }

    /// Returns the bytes that are reserved and not allocated.
    pub const fn cached(&self) -> u64 {
        self.reserved.saturating_sub(self.allocated)
    }
}

impl DeviceStatistics {
    /// Creates the statistics of a device from a reading and the bytes that this process's values
    /// hold on it.
    ///
    /// # Errors
    /// Returns the reason if the reading lacks the device's memory, or if its memory counters
    /// contradict each other.
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
        // The processes are read at another moment than the memory, so the sum can exceed the used
        // bytes.
        let process = process(rows, pid).map(|bytes| bytes.min(memory.used));
        Ok(Self { identity: identity.clone(), memory, process, held, allocator: None })
    }

    /// Adds an allocator's counters, with which [`advice`](Self::advice) compares the device's.
    ///
    /// ```no_run
    /// use memprof::gpu::{AllocatorCounters, DeviceRule, DeviceStatistics};
    /// use memprof::report::Advisor;
    /// # fn counters_of_the_framework() -> (u64, u64) { (0, 0) }
    /// # fn advise(profile: &memprof::Profile, device: DeviceStatistics) {
    /// let (allocated, reserved) = counters_of_the_framework();
    /// let device = device.with_allocator(AllocatorCounters::new(allocated, reserved));
    /// for advice in Advisor::new().rule(DeviceRule(&[device])).advise(profile) {
    ///     println!("{advice}");
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn with_allocator(self, allocator: AllocatorCounters) -> Self {
        Self { allocator: Some(allocator), ..self }
    }

    /// Returns the bytes that values hold, limited to the bytes that the device's counters allow.
    pub fn attributed(&self) -> u64 {
        self.held.min(self.process.unwrap_or(self.memory.used))
    }

    /// Returns the bytes that values report beyond the bytes that the device's counters allow.
    ///
    /// The result is above 0 if values and counters were read at different moments, or if a value
    /// reports wrong bytes.
    pub fn attributed_excess(&self) -> u64 {
        self.held - self.attributed()
    }

    /// Returns the bytes that this process holds and no value reports.
    ///
    /// These bytes belong to CUDA's context, to libraries, to caches, and to values that are not
    /// profiled.
    pub fn unattributed(&self) -> Option<u64> {
        Some(self.process?.saturating_sub(self.attributed()))
    }

    /// Returns the bytes that other processes hold.
    pub fn other_processes(&self) -> Option<u64> {
        Some(self.memory.used.saturating_sub(self.process?))
    }

    /// Returns the share of the device's memory that is not free, between 0 and 1.
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub fn pressure(&self) -> Option<f64> {
        let total = self.memory.total;
        (total > 0).then(|| total.saturating_sub(self.memory.free) as f64 / total as f64)
    }

    /// Returns the leaves of the device's branch, which add up to the branch's total.
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

/// Returns the bytes that this process holds, or `None` if the process is not listed, or listed
/// without bytes.
///
/// On a split device (MIG), a process may have one row for each part on which it runs.
fn process(rows: &[ProcessMemory], pid: u32) -> Option<u64> {
    let mut rows = rows.iter().filter(|row| row.pid == pid).peekable();
    rows.peek()?;
    rows.try_fold(0_u64, |sum, row| Some(sum.saturating_add(row.used?)))
}

/// The differences between two moments of one device.
///
/// ```
/// # use memprof::gpu::{DeviceDelta, DeviceStatistics};
/// # fn show(before: DeviceStatistics, after: DeviceStatistics) {
/// if let Ok(delta) = DeviceDelta::between(&before, &after) {
///     println!("{:+} bytes used, {:+} of them in values", delta.used, delta.held);
/// }
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceDelta {
    /// Change of the bytes that all processes hold.
    pub used: i128,
    /// Change of the bytes that this process holds. `None` if either moment lacks them.
    pub process: Option<i128>,
    /// Change of the bytes that values hold.
    pub held: i128,
    /// Change of the bytes that this process holds and no value reports. No profiled value explains
    /// growth of these bytes.
    pub unattributed: Option<i128>,
    /// Change of the bytes that the allocator has allocated to its callers.
    pub allocated: Option<i128>,
    /// Change of the bytes that the allocator has taken from the device.
    pub reserved: Option<i128>,
}

impl DeviceDelta {
    /// Returns the changes from `before` to `after`.
    ///
    /// # Errors
    /// Returns [`TwoDevices`] if the statistics belong to two devices.
    pub fn between(
        before: &DeviceStatistics,
        after: &DeviceStatistics,
    ) -> Result<Self, TwoDevices> {
        let [one, other] = [before, after].map(|moment| moment.identity.uuid.clone());
        if one != other {
            return Err(TwoDevices { before: one, after: other });
        }
        let change = |before: u64, after: u64| i128::from(after) - i128::from(before);
        let change_if_known =
            |before: Option<u64>, after: Option<u64>| Some(change(before?, after?));
        let allocator = |value: fn(AllocatorCounters) -> u64| {
            change_if_known(before.allocator.map(value), after.allocator.map(value))
        };
        Ok(Self {
            used: change(before.memory.used, after.memory.used),
            process: change_if_known(before.process, after.process),
            held: change(before.held, after.held),
            unattributed: change_if_known(before.unattributed(), after.unattributed()),
            allocated: allocator(|counters| counters.allocated),
            reserved: allocator(|counters| counters.reserved),
        })
    }
}

/// The error of a comparison between two different devices.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TwoDevices {
    /// The UUID of the first device.
    pub before: String,
    /// The UUID of the second device.
    pub after: String,
}

impl fmt::Display for TwoDevices {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { before, after } = self;
        write!(out, "expected two moments of one device, found {before} and {after}")
    }
}

/// Prints the text of `Display`, because `main` and `unwrap` print this form.
impl fmt::Debug for TwoDevices {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for TwoDevices {}

#[cfg(test)]
mod tests;
