//! Tests in processes of their own: this program again, which runs one test.

use std::env;
use std::io::Read;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The environment variable with the role of a child.
const ROLE: &str = "MEMPROF_HEAP_TEST_ROLE";

/// The environment variable with an emulator and its arguments, for a system that cannot run this
/// program by itself.
const RUNNER: &str = "MEMPROF_TEST_RUNNER";

/// The time after which a child hangs. The slowest test takes minutes under valgrind.
const LIMIT: Duration = Duration::from_mins(10);

/// Runs a test in a process of its own: nothing else allocates there, and the state of the process
/// is that of its start.
#[track_caller]
pub(crate) fn in_own_process(test: impl FnOnce()) {
    // Miri starts no processes. It runs one test at a time.
    if cfg!(miri) || role().is_some() {
        return test();
    }
    let status = run_as("the only test");
    assert!(status.success(), "the test failed in its own process: {status}");
}

/// Returns the role of this process, if it is a child.
pub(crate) fn role() -> Option<String> {
    env::var(ROLE).ok()
}

/// Runs the current test as a child with a role, and waits until the child ends.
#[track_caller]
pub(crate) fn run_as(role: &str) -> ExitStatus {
    let runner = env::var(RUNNER).unwrap_or_default();
    run_under(&runner.split_whitespace().collect::<Vec<_>>(), role)
}

/// Does the same as `run_as`, by another program with its arguments.
#[track_caller]
pub(crate) fn run_under(runner: &[&str], role: &str) -> ExitStatus {
    let thread = thread::current();
    let test = thread.name().expect("the harness names a thread after its test");
    let program = env::current_exe().expect("the program knows its path");
    let mut command = match runner {
        [] => Command::new(program),
        [runner, words @ ..] => {
            let mut command = Command::new(runner);
            command.args(words).arg(program);
            command
        }
    };
    let mut child = command
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(ROLE, role)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program can be run again");
    let end = Instant::now() + LIMIT;
    let mut runs = || child.try_wait().expect("it is a child").is_none();
    while runs() && Instant::now() < end {
        thread::sleep(Duration::from_millis(2));
    }
    let hangs = runs();
    if hangs {
        child.kill().expect("it is a child");
    }
    let status = child.wait().expect("it is a child");
    let mut printed = String::new();
    let mut stdout = child.stdout.take().expect("it is a pipe");
    stdout.read_to_string(&mut printed).expect("the harness prints UTF-8");
    assert!(!hangs, "the child as {role} hangs:\n{printed}");
    // A harness that finds no test of that name succeeds, too.
    assert!(!status.success() || printed.contains(" 1 passed"), "no test ran:\n{printed}");
    status
}
