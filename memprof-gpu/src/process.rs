//! This process in the driver's list of processes.

/// Returns the ID of this process as the driver numbers processes, or `None` if that ID is unknown.
///
/// The driver uses the IDs of the initial PID namespace. A process in a namespace of its own, as in
/// most containers, does not learn its ID there, and its own ID may be another process's.
pub fn driver_pid() -> Option<u32> {
    /// The link of Linux's initial PID namespace.
    const INITIAL: &str = "pid:[4026531836]";
    let is_initial = !cfg!(target_os = "linux")
        || std::fs::read_link("/proc/self/ns/pid").is_ok_and(|link| link.as_os_str() == INITIAL);
    is_initial.then(std::process::id)
}
