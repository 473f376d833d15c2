//! Tests of sessions on Windows: events of the console, and refused memory.
//!
//! Each test runs this program again as a child that does one thing, with its own console.
#![cfg(windows)]
#![expect(unsafe_code, reason = "events are the system's")]

use memprof_session::document::{Ended, Trigger};
use memprof_session::{Recording, Session, SessionBuilder};
use memprof_test_support::wait_until;
use std::os::windows::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use std::{env, fs, thread};
use windows_sys::Win32::System::Console::{
    CTRL_C_EVENT, GenerateConsoleCtrlEvent, SetConsoleCtrlHandler,
};
use windows_sys::Win32::System::Threading::CREATE_NO_WINDOW;
use windows_sys::core::BOOL;

#[global_allocator]
static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();

/// The exit code of a test that fails.
const FAILED: i32 = 101;

const ROLE: &str = "SESSION_TEST_ROLE";
const FOLDER: &str = "SESSION_TEST_FOLDER";

/// Runs the role of a child; does nothing without a role.
#[test]
fn acts() {
    let (Ok(role), Some(folder)) = (env::var(ROLE), env::var_os(FOLDER)) else { return };
    let folder = PathBuf::from(folder);
    match role.as_str() {
        "work" => work(&folder),
        "handler before" => handler_before(&folder),
        "refused" => refused(&folder),
        role => panic!("no role is called {role}"),
    }
}

fn session(folder: &Path) -> Session {
    builder(folder).start().expect("no other session runs")
}

fn builder(folder: &Path) -> SessionBuilder {
    Session::builder().enabled(true).output_dir(folder).interval(Duration::from_hours(1))
}

/// Sends Ctrl-C to the console of this process.
fn interrupt() {
    // SAFETY: the call has no preconditions.
    assert_ne!(unsafe { GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0) }, 0);
}

fn work(folder: &Path) {
    let _session = session(folder);
    interrupt();
    thread::sleep(Duration::from_mins(2));
    panic!("the system's own handler ends the program");
}

static CAME: AtomicBool = AtomicBool::new(false);

unsafe extern "system" fn note(_: u32) -> BOOL {
    CAME.store(true, Relaxed);
    1
}

/// The program's own handler answers the event. The program ends the session later.
fn handler_before(folder: &Path) {
    // SAFETY: the handler only stores a word.
    assert_ne!(unsafe { SetConsoleCtrlHandler(Some(note), 1) }, 0);
    let session = session(folder);
    interrupt();
    wait_until("the event comes", || CAME.load(Relaxed));
    session.checkpoint("after");
    let _ = session.finish().expect("it can be written");
}

/// More than any system provides.
const TOO_MUCH: usize = usize::MAX / 4;

fn refused(folder: &Path) {
    let session = builder(folder).level(memprof_heap::Level::Counters).start();
    let session = session.expect("no other session runs");
    for _ in 0..3 {
        let mut bytes: Vec<u8> = Vec::new();
        assert!(bytes.try_reserve_exact(TOO_MUCH).is_err());
    }
    let _ = session.finish().expect("it can be written");
}

/// Runs a child in a role, with its files in a new folder.
fn run(role: &str) -> (PathBuf, ExitStatus) {
    let name = format!("memprof-windows-{}-{}", std::process::id(), role.replace(' ', "-"));
    let folder = env::temp_dir().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    let status = Command::new(env::current_exe().expect("the program knows its place"))
        .args(["acts", "--exact", "--nocapture", "--test-threads=1"])
        .env(ROLE, role)
        .env(FOLDER, &folder)
        .stdout(Stdio::null())
        // A separate console, because Ctrl-C goes to all processes of a console.
        .creation_flags(CREATE_NO_WINDOW)
        .status()
        .expect("the program can be run again");
    (folder, status)
}

/// Reads the only file with this ending.
fn read(folder: &Path, ending: &str) -> Recording {
    let mut files = fs::read_dir(folder).expect("it is there").flatten().map(|entry| entry.path());
    let file = files.find(|path| path.extension().is_some_and(|is| is == ending));
    Recording::read_file(file.expect("it was written")).expect("it can be read")
}

#[test]
fn an_event_that_ends_the_program_has_the_report_written_first() {
    let (folder, status) = run("work");
    assert_ne!(status.code(), Some(FAILED));
    let report = read(&folder, "json");
    assert_eq!(report.metadata.ended, Ended::Running);
    let snapshot = report.snapshot("Ctrl-C").expect("it was taken");
    assert_eq!(snapshot.trigger, Trigger::Signal);
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn a_handler_of_the_program_decides_whether_an_event_ends_it() {
    let (folder, status) = run("handler before");
    assert!(status.success(), "{status}");
    let report = read(&folder, "json");
    assert_eq!(report.metadata.ended, Ended::Finished);
    assert!(report.snapshot("Ctrl-C").is_some(), "the session saw it too");
    assert!(report.snapshot("after").is_some());
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn a_program_that_is_refused_memory_goes_on_and_its_files_say_so() {
    let (folder, status) = run("refused");
    assert!(status.success(), "{status}");
    let recording = read(&folder, "json");
    assert_eq!(recording.out_of_memory.len(), 3);
    for moment in &recording.out_of_memory {
        assert_eq!(moment.requested_bytes, TOO_MUCH as u64);
        assert!(moment.heap.is_some_and(|heap| heap.live_bytes < 1 << 40));
    }
    let _ = fs::remove_dir_all(folder);
}
