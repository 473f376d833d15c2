//! What the cases ask of the system: output, forks, signals, descriptors and limits.
#![expect(unsafe_code, reason = "these are calls of the C library")]

use libc::c_int;
use std::ffi::{CStr, CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::{mem, ptr};

/// Prints a line that the driver compares or waits for.
pub(crate) fn say(line: &str) {
    println!("{line}");
}

/// Forks. Returns the child's number in the parent, and 0 in the child.
pub(crate) fn fork() -> c_int {
    // SAFETY: the child has the forking thread alone. It allocates, which glibc and memprof allow.
    let pid = unsafe { libc::fork() };
    assert!(pid >= 0, "the system has room for a child");
    pid
}

/// Waits for a child and returns its exit code, or 128 plus its signal.
pub(crate) fn wait_for(pid: c_int) -> c_int {
    let mut status = 0;
    // SAFETY: there is room for the status.
    let waited = unsafe { libc::waitpid(pid, &raw mut status, 0) };
    assert_eq!(waited, pid, "the child can be waited for");
    if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { 128 + libc::WTERMSIG(status) }
}

/// Ends the process at once, without the functions of `atexit`.
pub(crate) fn exit_at_once(code: c_int) -> ! {
    // SAFETY: it has no conditions.
    unsafe { libc::_exit(code) }
}

/// Makes the process the leader of a new session, as daemons do.
pub(crate) fn new_session() {
    // SAFETY: it has no conditions.
    let session = unsafe { libc::setsid() };
    assert!(session > 0, "a child can lead a session");
}

/// Closes every descriptor from `first` on, as `closefrom(3)` does.
pub(crate) fn close_from(first: c_int) {
    for descriptor in first..1024 {
        // SAFETY: the program owns no descriptor at this point; others may, which is the case's purpose.
        unsafe { libc::close(descriptor) };
    }
}

/// The signals that a case handles.
pub(crate) use libc::{SIGINT, SIGTERM, SIGUSR2};

static HANDLED_BY: AtomicUsize = AtomicUsize::new(0);

extern "C" fn note_thread(_: c_int) {
    HANDLED_BY.store(thread_number(), SeqCst);
}

/// Installs a handler that notes the thread on which it runs.
pub(crate) fn handle(signal: c_int) {
    let handler = note_thread as extern "C" fn(c_int);
    // SAFETY: the handler stores a word, which is allowed in one.
    unsafe { libc::signal(signal, handler as *const () as libc::sighandler_t) };
}

/// The same, and calls of the system that the signal interrupts end early.
pub(crate) fn handle_and_interrupt(signal: c_int) {
    // SAFETY: an action is plain words, and zero is no flag and an empty mask.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    let handler = note_thread as extern "C" fn(c_int);
    action.sa_sigaction = handler as *const () as libc::sighandler_t;
    // SAFETY: the handler stores a word, which is allowed in one.
    let set = unsafe { libc::sigaction(signal, &raw const action, ptr::null_mut()) };
    assert_eq!(set, 0, "the signal can be handled");
}

/// Reads from a pipe into which nothing is written. Returns whether a signal ended the call.
pub(crate) fn read_until_interrupted() -> bool {
    let mut ends = [0; 2];
    // SAFETY: there is room for both ends.
    let made = unsafe { libc::pipe(ends.as_mut_ptr()) };
    assert_eq!(made, 0, "a pipe can be made");
    let mut byte = 0_u8;
    // SAFETY: there is room for the byte.
    let read = unsafe { libc::read(ends[0], (&raw mut byte).cast(), 1) };
    read < 0 && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
}

/// The thread on which the handler ran last, and 0 if it did not.
pub(crate) fn handled_by() -> usize {
    HANDLED_BY.load(SeqCst)
}

/// A number that no other live thread has.
pub(crate) fn thread_number() -> usize {
    thread_local! {
        /// No destructor, so a signal handler may take its address.
        static OF_THREAD: u8 = const { 0 };
    }
    OF_THREAD.with(|place| ptr::from_ref(place).addr())
}

/// Whether the process has the default action for a signal.
pub(crate) fn is_default(signal: c_int) -> bool {
    // SAFETY: an action is plain words.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: there is room for the action.
    unsafe { libc::sigaction(signal, ptr::null(), &raw mut action) };
    action.sa_sigaction == libc::SIG_DFL
}

/// Sends a signal to this process.
pub(crate) fn send_to_self(signal: c_int) {
    let own = std::process::id().cast_signed();
    // SAFETY: it has no conditions.
    let sent = unsafe { libc::kill(own, signal) };
    assert_eq!(sent, 0, "a process may signal itself");
}

fn set_of(signals: &[c_int]) -> libc::sigset_t {
    // SAFETY: a set is plain words, and is emptied next.
    let mut set: libc::sigset_t = unsafe { mem::zeroed() };
    // SAFETY: the set is live.
    unsafe { libc::sigemptyset(&raw mut set) };
    for &signal in signals {
        // SAFETY: the set is live.
        unsafe { libc::sigaddset(&raw mut set, signal) };
    }
    set
}

/// Blocks signals for this thread and those it starts.
pub(crate) fn block(signals: &[c_int]) {
    change_mask(libc::SIG_BLOCK, signals);
}

/// Ends what [`block`] did.
pub(crate) fn unblock(signals: &[c_int]) {
    change_mask(libc::SIG_UNBLOCK, signals);
}

fn change_mask(how: c_int, signals: &[c_int]) {
    let set = set_of(signals);
    // SAFETY: the set is live, and the old mask is not asked for.
    let changed = unsafe { libc::pthread_sigmask(how, &raw const set, ptr::null_mut()) };
    assert_eq!(changed, 0, "a mask can be changed");
}

/// Whether a signal waits for this process or thread to unblock it.
pub(crate) fn is_pending(signal: c_int) -> bool {
    let mut set = set_of(&[]);
    // SAFETY: there is room for the set.
    unsafe { libc::sigpending(&raw mut set) };
    // SAFETY: the set is live.
    (unsafe { libc::sigismember(&raw const set, signal) }) == 1
}

/// Waits for one of the signals, which are blocked, and returns it.
pub(crate) fn wait_for_signal(signals: &[c_int]) -> c_int {
    let set = set_of(signals);
    let mut signal = 0;
    // SAFETY: the set is live, and there is room for the signal.
    let waited = unsafe { libc::sigwait(&raw const set, &raw mut signal) };
    assert_eq!(waited, 0, "blocked signals can be waited for");
    signal
}

/// The longest file that this process may write. The system sends SIGXFSZ past it.
pub(crate) fn limit_files(bytes: u64) {
    limit(libc::RLIMIT_FSIZE, bytes);
}

/// The most threads and processes that this user may have.
pub(crate) fn limit_threads(most: u64) {
    limit(libc::RLIMIT_NPROC, most);
}

/// The most address space that this process may take.
pub(crate) fn limit_memory(bytes: u64) {
    limit(libc::RLIMIT_AS, bytes);
}

#[cfg(target_env = "gnu")]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(target_env = "gnu"))]
type Resource = c_int;

#[allow(clippy::useless_conversion, reason = "the types differ between systems")]
fn limit(resource: Resource, most: u64) {
    let most = most.try_into().expect("the system has limits of that size");
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: the limit is live.
    let set = unsafe { libc::setrlimit(resource, &raw const limit) };
    assert_eq!(set, 0, "a limit can be lowered");
}

/// Becomes an unprivileged user, as services do. Without privileges it stays who it is.
pub(crate) fn drop_privileges() {
    const NOBODY: libc::uid_t = 65_534;
    // SAFETY: it has no conditions.
    if unsafe { libc::geteuid() } == 0 {
        // SAFETY: it has no conditions.
        let changed = unsafe { libc::setuid(NOBODY) };
        assert_eq!(changed, 0, "root may become another user");
    }
}

/// Makes a FIFO.
pub(crate) fn make_fifo(path: &Path) {
    let path = CString::new(path.as_os_str().as_bytes()).expect("a path has no NUL");
    // SAFETY: the path is live and ends with a NUL.
    let made = unsafe { libc::mkfifo(path.as_ptr(), 0o600) };
    assert_eq!(made, 0, "the folder can be written");
}

extern "C" fn say_at_exit() {
    say("the program's own function ran at exit");
}

/// Has a function of the program run at its exit.
pub(crate) fn on_exit() {
    // SAFETY: the function may run at exit: it prints.
    let registered = unsafe { libc::atexit(say_at_exit) };
    assert_eq!(registered, 0, "there is room for a function");
}

/// Loads a library, which stays loaded, and calls a function of it.
pub(crate) fn call(library: &OsStr, function: &CStr) -> c_int {
    let path = CString::new(library.as_bytes()).expect("a path has no NUL");
    // SAFETY: the path is live and ends with a NUL.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
    assert!(!handle.is_null(), "the library can be loaded");
    // SAFETY: the library is loaded, and the name ends with a NUL.
    let address = unsafe { libc::dlsym(handle, function.as_ptr()) };
    assert!(!address.is_null(), "the library exports the function");
    // SAFETY: the guest's libraries export functions of this type only.
    let function: extern "C" fn() -> c_int = unsafe { mem::transmute(address) };
    function()
}
