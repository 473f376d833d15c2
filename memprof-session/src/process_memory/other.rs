//! The memory of the process on systems other than Linux.
//!
//! macOS and Windows have the resident bytes and their peak. Other Unix systems have only the peak.
#![expect(unsafe_code, reason = "calls the operating system")]

use memprof_recording::document::{MemoryPressure, ProcessMemory};

#[derive(Debug)]
pub(crate) struct ProcessMemoryReader;

impl ProcessMemoryReader {
    pub(crate) const fn new() -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "on Linux it keeps files open")]
    pub(crate) fn read(&mut self) -> ProcessMemory {
        #[cfg(windows)]
        let (rss_bytes, rss_peak_bytes) = working_set().unzip();
        #[cfg(target_vendor = "apple")]
        let (rss_bytes, rss_peak_bytes) = (resident(), peak());
        #[cfg(all(unix, not(target_vendor = "apple")))]
        let (rss_bytes, rss_peak_bytes) = (None, peak());
        #[cfg(not(any(unix, windows)))]
        let (rss_bytes, rss_peak_bytes) = (None, None);
        ProcessMemory { rss_bytes, rss_peak_bytes, ..ProcessMemory::default() }
    }

    /// Returns `None`: limits are not read on this system.
    #[expect(clippy::unused_self, reason = "on Linux it keeps files open")]
    pub(crate) const fn pressure(&mut self) -> Option<MemoryPressure> {
        None
    }
}

#[cfg(unix)]
fn peak() -> Option<u64> {
    /// Apple's systems count bytes, all others KiB.
    const UNIT: u64 = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    // SAFETY: the structure consists of integers, for which zero bytes are valid.
    let mut usage: libc::rusage = unsafe { core::mem::zeroed() };
    // SAFETY: the pointer is to a local structure.
    let read = unsafe { libc::getrusage(libc::RUSAGE_SELF, &raw mut usage) };
    let peak = u64::try_from(usage.ru_maxrss).ok()?;
    (read == 0 && peak > 0).then(|| peak.saturating_mul(UNIT))
}

#[cfg(target_vendor = "apple")]
fn resident() -> Option<u64> {
    let size = core::ffi::c_int::try_from(size_of::<libc::proc_taskinfo>()).ok()?;
    let pid = core::ffi::c_int::try_from(std::process::id()).ok()?;
    // SAFETY: the structure consists of integers, for which zero bytes are valid.
    let mut info: libc::proc_taskinfo = unsafe { core::mem::zeroed() };
    let place = (&raw mut info).cast();
    // SAFETY: the pointer is to a local structure of this size.
    let written = unsafe { libc::proc_pidinfo(pid, libc::PROC_PIDTASKINFO, 0, place, size) };
    (written == size).then_some(info.pti_resident_size)
}

/// Returns the working set, which is Windows' resident memory, and its peak.
#[cfg(windows)]
fn working_set() -> Option<(u64, u64)> {
    use windows_sys::Win32::System::ProcessStatus::{
        K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS,
    };
    use windows_sys::Win32::System::Threading::GetCurrentProcess;

    const SIZE: u32 = size_of::<PROCESS_MEMORY_COUNTERS>() as u32;
    let mut counters = PROCESS_MEMORY_COUNTERS { cb: SIZE, ..Default::default() };
    // SAFETY: the call has no preconditions.
    let process = unsafe { GetCurrentProcess() };
    // SAFETY: the pointer is to a local structure, whose size is passed.
    let read = unsafe { K32GetProcessMemoryInfo(process, &raw mut counters, SIZE) };
    (read != 0).then_some((counters.WorkingSetSize as u64, counters.PeakWorkingSetSize as u64))
}
