//! Processes: forks, ends, descriptors, users.

use libc::c_int;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;

/// Forks. Returns the child's process id in the parent, and 0 in the child.
pub fn fork() -> c_int {
    // SAFETY: the child has only the forking thread. It allocates, which glibc and memprof allow.
    let pid = unsafe { libc::fork() };
    assert!(pid >= 0, "the system has room for a child");
    pid
}

/// Waits for a child and returns how it ended.
pub fn wait_for(pid: c_int) -> ExitStatus {
    let mut status = 0;
    // SAFETY: the pointer is to a local integer.
    let waited = unsafe { libc::waitpid(pid, &raw mut status, 0) };
    assert_eq!(waited, pid, "the child can be waited for");
    ExitStatus::from_raw(status)
}

/// Stops a child and waits until all its threads have stopped.
pub fn stop(pid: u32) {
    crate::unix::send(pid, libc::SIGSTOP);
    let mut status = 0;
    // SAFETY: the pointer is to a local integer.
    let waited = unsafe { libc::waitpid(pid.cast_signed(), &raw mut status, libc::WUNTRACED) };
    assert_eq!(waited, pid.cast_signed(), "the child can be waited for");
    assert!(libc::WIFSTOPPED(status), "the child has stopped");
}

/// Runs a function in a forked child, which then exits. Returns how it ended.
pub fn forked(work: impl FnOnce()) -> ExitStatus {
    let pid = fork();
    if pid == 0 {
        work();
        std::process::exit(0);
    }
    wait_for(pid)
}

/// Ends the process at once, without the functions of `atexit`.
pub fn exit_at_once(code: c_int) -> ! {
    // SAFETY: the call has no preconditions.
    unsafe { libc::_exit(code) }
}

/// Registers a function to run at the program's exit.
pub fn on_exit(function: extern "C" fn()) {
    // SAFETY: the function takes no argument and is part of the program, which is not unloaded.
    let registered = unsafe { libc::atexit(function) };
    assert_eq!(registered, 0, "there is room for a function");
}

/// Makes the process the leader of a new session, as daemons do.
pub fn new_session() {
    // SAFETY: the call has no preconditions.
    let session = unsafe { libc::setsid() };
    assert!(session > 0, "a child can lead a session");
}

/// Closes every descriptor from `first` on, as `closefrom(3)` does.
pub fn close_from(first: c_int) {
    for descriptor in first..1024 {
        // SAFETY: the caller uses none of them. Their owners check them before each use, as the
        // tests verify.
        unsafe { libc::close(descriptor) };
    }
}

/// Becomes an unprivileged user, as services do. Without privileges it changes nothing.
pub fn drop_privileges() {
    const NOBODY: libc::uid_t = 65_534;
    // SAFETY: the call has no preconditions.
    if unsafe { libc::geteuid() } == 0 {
        // SAFETY: the call has no preconditions.
        let changed = unsafe { libc::setuid(NOBODY) };
        assert_eq!(changed, 0, "root may become another user");
    }
}

/// Creates a FIFO.
pub fn make_fifo(path: &Path) {
    let path = CString::new(path.as_os_str().as_bytes()).expect("a path has no NUL");
    // SAFETY: the path is live and ends with a NUL.
    let made = unsafe { libc::mkfifo(path.as_ptr(), 0o600) };
    assert_eq!(made, 0, "the folder can be written");
}
