//! The modules of the process, for the look-up of names in another process.

use crate::base::modules::{self, Module};
use crate::control::unrecorded::for_caller;

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
    for_caller(modules::loaded)
}
