//! What the system says of the memory of the process.

#[cfg(any(target_os = "linux", target_os = "android"))]
mod cgroup;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod status;

use crate::document::ProcessMemory;

/// Reads the memory of this process: on Linux from `/proc` and the control group. Elsewhere all of
/// it is unknown for now, macOS and Windows included.
#[derive(Debug)]
pub(crate) struct ProcessMemoryReader {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    linux: linux::Reader,
}

impl ProcessMemoryReader {
    /// Finds the files to read, once: a reading after that opens and reads a few, and allocates
    /// nothing.
    pub(crate) fn new() -> Self {
        Self {
            #[cfg(any(target_os = "linux", target_os = "android"))]
            linux: linux::Reader::new(),
        }
    }

    /// The memory now. What can't be read is `None`.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(crate) fn read(&mut self) -> ProcessMemory {
        self.linux.read()
    }

    /// Unknown: this system isn't asked yet.
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    #[expect(clippy::unused_self, reason = "callers need not know the system")]
    pub(crate) fn read(&mut self) -> ProcessMemory {
        ProcessMemory::default()
    }
}

#[cfg(test)]
mod tests;
