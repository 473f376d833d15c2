//! The peak of resident memory on systems without a file for it.
#![expect(unsafe_code, reason = "calls the operating system")]

/// Returns the peak of the resident bytes, or `None` if the system refuses.
pub(super) fn resident() -> Option<u64> {
    /// Apple's systems count bytes, all others KiB.
    const UNIT: u64 = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    // SAFETY: the structure consists of integers, for which zero bytes are valid.
    let mut usage: libc::rusage = unsafe { core::mem::zeroed() };
    // SAFETY: the pointer is to a local structure.
    let read = unsafe { libc::getrusage(libc::RUSAGE_SELF, &raw mut usage) };
    let peak = u64::try_from(usage.ru_maxrss).ok()?;
    (read == 0 && peak > 0).then(|| peak.saturating_mul(UNIT))
}
