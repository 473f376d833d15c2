//! Statistics of a device's memory: its counters, compared with the bytes of values and allocators.

mod advice;

use crate::{Counter, DeviceIdentity, DeviceReading, MemoryCounters, ProcessMemory, Unavailable};
pub use advice::GpuRule;
use memprof_profile::source::ATTRIBUTED;
use memprof_profile::tree::Device;

/// The owners of a device's memory, in bytes.
///
/// ```text
/// total = free + driver_reserved + used
/// used  = process + other_processes          if the memory of this process is known
///       = attributed + unknown_owner         otherwise, for example in a container
/// process = attributed + unattributed
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceStatistics {
    /// The device.
    pub identity: DeviceIdentity,
    /// The device's counters.
    pub memory: MemoryCounters,
    /// The bytes that this process holds, as the driver reports them.
    pub process: Counter<u64>,
    /// The bytes that the program's values report on this device.
    pub held: u64,
    /// The counters of an allocator of this process, if any were given.
    pub allocator: Option<AllocatorCounters>,
}

/// An allocator's counters of the memory that it took from a device, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
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
        Self::of_process(identity, reading, held, driver_pid())
    }

    fn of_process(
        identity: &DeviceIdentity,
        reading: &DeviceReading,
        held: u64,
        pid: Option<u32>,
    ) -> Counter<Self> {
        let memory = reading.memory.clone()?.checked()?;
        let rows = reading.processes.as_deref().map_err(Unavailable::clone);
        let process = rows.and_then(|rows| process(rows, pid, held));
        // The processes are read at another moment than the memory, so the sum can exceed the used
        // bytes.
        let process = process.map(|bytes| bytes.min(memory.used));
        Ok(Self { identity: identity.clone(), memory, process, held, allocator: None })
    }

    /// Adds an allocator's counters, with which [`advice`](Self::advice) compares the device's.
    ///
    /// ```no_run
    /// use memprof::gpu::{AllocatorCounters, DeviceStatistics};
    /// # fn counters_of_the_framework() -> (u64, u64) { (0, 0) }
    /// # fn advise(device: DeviceStatistics) {
    /// let (allocated, reserved) = counters_of_the_framework();
    /// let device = device.with_allocator(AllocatorCounters::new(allocated, reserved));
    /// for advice in device.advice() {
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
        self.held.min(*self.process.as_ref().unwrap_or(&self.memory.used))
    }

    /// Returns the bytes that values report beyond the bytes that the device's counters allow.
    ///
    /// The result is above 0 if values and counters were read at different times, or if a value
    /// reports wrong bytes.
    pub fn attributed_excess(&self) -> u64 {
        self.held - self.attributed()
    }

    /// Returns the bytes that this process holds and no value reports.
    ///
    /// These bytes belong to CUDA's context, to libraries, to caches, and to values that are not
    /// profiled.
    pub fn unattributed(&self) -> Option<u64> {
        Some(self.process.as_ref().ok()?.saturating_sub(self.attributed()))
    }

    /// Returns the bytes that other processes hold.
    pub fn other_processes(&self) -> Option<u64> {
        Some(self.memory.used.saturating_sub(*self.process.as_ref().ok()?))
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

/// Returns the ID of this process as the driver numbers processes, or `None` if that ID is unknown.
///
/// The driver uses the IDs of the initial PID namespace. A process in a namespace of its own, as in
/// most containers, does not learn its ID there, and its own ID may be another process's.
pub fn driver_pid() -> Option<u32> {
    /// The link of Linux's initial PID namespace.
    const INITIAL: &str = "pid:[4026531836]";
    let is_initial = !cfg!(target_os = "linux")
        || std::fs::read_link("/proc/self/ns/pid").is_ok_and(|link| link.as_os_str() == INITIAL);
    is_initial.then(std::process::id)
}

/// Returns the bytes that the driver reports for this process, if they can be right.
///
/// In the PID namespace of a container, the driver lists the host's process IDs, and another process
/// may have the same number. Some drivers translate the IDs, but list 0 bytes for each. The values of
/// the process are part of its memory, so fewer bytes than they hold are wrong too.
///
/// On a split device (MIG), a process may have one row for each part on which it runs.
fn process(rows: &[ProcessMemory], pid: Option<u32>, held: u64) -> Counter<u64> {
    let pid = pid.ok_or(Unavailable::OtherPidNamespace)?;
    let rows = rows.iter().filter(|row| row.pid == pid);
    let bytes =
        rows.map(|row| row.used).try_fold(0_u64, |sum, used| Some(sum.saturating_add(used?)));
    match bytes {
        None | Some(0) => Err(Unavailable::NotReported),
        Some(bytes) if bytes < held => Err(Unavailable::Inconsistent(format!(
            "{bytes} bytes for this process, whose values hold {held}"
        ))),
        Some(bytes) => Ok(bytes),
    }
}

#[cfg(test)]
mod tests;
