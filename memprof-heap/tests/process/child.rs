//! A child process: this program again, which runs one test. The test reads its role from the
//! environment.

use std::env;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const ROLE: &str = "MEMPROF_HEAP_TEST_ROLE";

/// The environment variable with an emulator and its arguments, for a system that cannot run this
/// program by itself.
const RUNNER: &str = "MEMPROF_TEST_RUNNER";

/// Returns the role of this process, if it is a child.
pub(crate) fn role() -> Option<String> {
    env::var(ROLE).ok()
}

/// Runs the test of that name as a child with a role, and waits until it ends.
pub(crate) fn run(test: &str, role: &str) -> ExitStatus {
    let program = env::current_exe().expect("the program knows its place");
    let mut child = match env::var(RUNNER) {
        Ok(runner) => {
            let mut words = runner.split(' ');
            let mut command = Command::new(words.next().unwrap_or_default());
            command.args(words).arg(program);
            command
        }
        Err(_) => Command::new(program),
    };
    let mut child = child
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(ROLE, role)
        .stdout(Stdio::null())
        .spawn()
        .expect("the program can be run again");
    let end = Instant::now() + Duration::from_mins(1);
    let mut runs = || child.try_wait().expect("it is a child").is_none();
    while runs() && Instant::now() < end {
        thread::sleep(Duration::from_millis(2));
    }
    let hangs = runs();
    if hangs {
        child.kill().expect("it is a child");
    }
    let status = child.wait().expect("it is a child");
    assert!(!hangs, "the child as {role} hangs");
    status
}
