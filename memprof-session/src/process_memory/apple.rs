//! The resident memory of the process on macOS and related systems.
#![expect(unsafe_code, reason = "calls the operating system")]

use core::ffi::c_int;

/// Returns the resident bytes, or `None` if the system refuses.
pub(super) fn resident() -> Option<u64> {
    let size = c_int::try_from(size_of::<libc::proc_taskinfo>()).ok()?;
    let pid = c_int::try_from(std::process::id()).ok()?;
    // SAFETY: the structure consists of integers, for which zero bytes are valid.
    let mut info: libc::proc_taskinfo = unsafe { core::mem::zeroed() };
    let place = (&raw mut info).cast();
    // SAFETY: the pointer is to a local structure of this size.
    let written = unsafe { libc::proc_pidinfo(pid, libc::PROC_PIDTASKINFO, 0, place, size) };
    (written == size).then_some(info.pti_resident_size)
}
