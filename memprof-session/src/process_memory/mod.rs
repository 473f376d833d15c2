//! The memory of the process as the operating system counts it.

#[cfg(target_vendor = "apple")]
mod apple;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod cgroup;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
mod peak;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod status;
#[cfg(windows)]
mod windows;

use memprof_recording::document::ProcessMemory;

/// The reader of the memory of this process.
///
/// Linux has all figures, in `/proc` and the control group. macOS and Windows have the resident
/// bytes and their peak. Other Unix systems have only the peak. All other figures are unknown.
#[derive(Debug)]
pub(crate) struct ProcessMemoryReader {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    linux: linux::Reader,
}

impl ProcessMemoryReader {
    /// Finds the files to read, once. Each reading then opens a few files and allocates nothing.
    pub(crate) fn new() -> Self {
        Self {
            #[cfg(any(target_os = "linux", target_os = "android"))]
            linux: linux::Reader::new(),
        }
    }

    /// Returns the memory now, with `None` for each figure that can't be read.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(crate) fn read(&mut self) -> ProcessMemory {
        self.linux.read()
    }

    /// Returns the memory now, with `None` for each figure that can't be read.
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    #[expect(clippy::unused_self, reason = "on Linux it keeps files open")]
    pub(crate) fn read(&mut self) -> ProcessMemory {
        ProcessMemory {
            #[cfg(windows)]
            rss_bytes: windows::counters().map(|counters| counters.resident),
            #[cfg(target_vendor = "apple")]
            rss_bytes: apple::resident(),
            #[cfg(windows)]
            rss_peak_bytes: windows::counters().map(|counters| counters.peak),
            #[cfg(unix)]
            rss_peak_bytes: peak::resident(),
            ..ProcessMemory::default()
        }
    }
}

#[cfg(test)]
mod tests;
