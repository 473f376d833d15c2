//! The modules of the process, for the look-up of names in another process: the program and its shared
//! libraries, with their build ids.

#[cfg(any(target_os = "linux", target_os = "android"))]
mod elf;

use crate::record::hooks::for_caller;
use core::ops::Range;

/// A module of the process: the program itself or a shared library.
///
/// With the module of an [address](crate::site::Frame::address), another process can look up the
/// function, file and line of that address.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Module {
    /// The path of the module's file when it was loaded.
    pub path: String,
    /// The identifier that the linker wrote into the module, such as the GNU build id. `None` if
    /// the module has none.
    pub build_id: Option<Vec<u8>>,
    /// The run-time address of the module's address 0.
    pub load_bias: usize,
    /// The addresses of the module's segments.
    pub ranges: Vec<Range<usize>>,
    /// The offset in the module's file at which each segment of [`ranges`](Self::ranges) begins, in
    /// the same order.
    pub file_offsets: Vec<u64>,
}

impl Module {
    /// Returns true if an address is in one of the module's segments.
    pub fn contains(&self, address: usize) -> bool {
        self.ranges.iter().any(|range| range.contains(&address))
    }
}

/// Returns the loaded modules, the program first.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn loaded() -> Vec<Module> {
    elf::loaded()
}

/// Returns no modules: on this platform, frames are named in the process.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn loaded() -> Vec<Module> {
    Vec::new()
}

/// Returns the modules that are loaded now, the program first.
///
/// The result is empty on platforms other than Linux and Android.
///
/// ```
/// for module in memprof::heap::site::modules() {
///     println!("{} at {:#x}", module.path, module.load_bias);
/// }
/// ```
///
/// # Cost
/// The call holds the lock of the system's loader for some microseconds.
pub fn modules() -> Vec<Module> {
    for_caller(loaded)
}
