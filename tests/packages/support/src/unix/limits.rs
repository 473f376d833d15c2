//! Limits of a process.

#[cfg(not(target_env = "gnu"))]
use libc::c_int;

/// Limits the size of files that this process writes. The system sends SIGXFSZ if a write exceeds
/// the limit.
pub fn limit_files(bytes: u64) {
    limit(libc::RLIMIT_FSIZE, bytes);
}

/// Limits the threads and processes of this user.
pub fn limit_threads(max: u64) {
    limit(libc::RLIMIT_NPROC, max);
}

/// Limits the address space of this process.
pub fn limit_memory(bytes: u64) {
    limit(libc::RLIMIT_AS, bytes);
}

/// Limits the address space of this process to its current size plus `more` bytes.
#[cfg(target_os = "linux")]
pub fn limit_more_memory(more: u64) {
    let pages = std::fs::read_to_string("/proc/self/statm").expect("it can be read");
    let pages: u64 = pages.split(' ').next().and_then(|n| n.parse().ok()).expect("it is a number");
    limit_memory(pages * 4096 + more);
}

#[cfg(target_env = "gnu")]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(target_env = "gnu"))]
type Resource = c_int;

#[allow(clippy::useless_conversion, reason = "the types differ between systems")]
fn limit(resource: Resource, max: u64) {
    let max = max.try_into().expect("the system has limits of that size");
    let limit = libc::rlimit { rlim_cur: max, rlim_max: max };
    // SAFETY: the limit is live.
    let set = unsafe { libc::setrlimit(resource, &raw const limit) };
    assert_eq!(set, 0, "a limit can be lowered");
}
