//! The working set of the process, which is what Windows calls its resident memory.
#![expect(unsafe_code, reason = "calls the operating system")]

use windows_sys::Win32::System::ProcessStatus::{K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::Threading::GetCurrentProcess;

/// The bytes of the working set.
#[derive(Debug)]
pub(super) struct Counters {
    pub(super) resident: u64,
    pub(super) peak: u64,
}

/// Returns the counters now, or `None` if the system refuses.
pub(super) fn counters() -> Option<Counters> {
    const SIZE: u32 = size_of::<PROCESS_MEMORY_COUNTERS>() as u32;
    let mut counters = PROCESS_MEMORY_COUNTERS { cb: SIZE, ..Default::default() };
    // SAFETY: the call has no preconditions.
    let process = unsafe { GetCurrentProcess() };
    // SAFETY: the pointer is to a local structure, whose size is passed.
    let read = unsafe { K32GetProcessMemoryInfo(process, &raw mut counters, SIZE) };
    (read != 0).then_some(Counters {
        resident: counters.WorkingSetSize as u64,
        peak: counters.PeakWorkingSetSize as u64,
    })
}
