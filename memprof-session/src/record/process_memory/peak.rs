//! The peak of resident memory, where no file of the kernel has it.
#![expect(unsafe_code, reason = "the call is the system's")]

/// Returns the bytes that were resident at most, or `None` if the system refuses.
pub(super) fn resident() -> Option<u64> {
    /// Apple's systems count bytes, every other one KiB.
    const UNIT: u64 = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    // SAFETY: the structure is plain numbers.
    let mut usage: libc::rusage = unsafe { core::mem::zeroed() };
    // SAFETY: there is room for the structure.
    let read = unsafe { libc::getrusage(libc::RUSAGE_SELF, &raw mut usage) };
    let peak = u64::try_from(usage.ru_maxrss).ok()?;
    (read == 0 && peak > 0).then(|| peak.saturating_mul(UNIT))
}
