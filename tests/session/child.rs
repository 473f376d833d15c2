//! A child process: this program again, running the one test that performs its role.

use crate::folder::Folder;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
use crate::pinned;
use crate::{
    descriptors, ends, files, fork, idle, memory, reconciliation, signals, starts, stuck,
    tokio_signals,
};
#[cfg(target_os = "linux")]
use crate::{kills, resident, signal_masks, types};
use memprof_test_support::unix as system;
use std::env;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The variable with the role: not `MEMPROF_…`, because such names are settings of a session.
const ROLE: &str = "SESSION_TEST_ROLE";
const FOLDER: &str = "SESSION_TEST_FOLDER";

/// The action of a child, with its files in a folder.
type Role = fn(&Path);

/// The roles of children.
const ROLES: &[(&str, Role)] = &[
    ("finish", ends::finish),
    ("drop", ends::drop_it),
    ("exit", ends::exit),
    ("static", ends::keep_in_static),
    ("panic", ends::panic),
    ("abort", ends::abort),
    ("work", ends::work),
    ("off", starts::off),
    ("slow root", signals::slow_root),
    ("slow source", signals::slow_source),
    ("late work", signals::late_work),
    #[cfg(target_os = "linux")]
    ("masks", signal_masks::masks),
    ("handler before", signals::handler_before),
    ("ignored", signals::ignored),
    ("tokio before", tokio_signals::before),
    ("tokio after", tokio_signals::after),
    ("tokio between", tokio_signals::between),
    ("fork", fork::fork_often),
    ("fork while writing", fork::fork_while_writing),
    ("sites in a fork", fork::sites_in_a_fork),
    ("close in a fork", descriptors::in_a_fork),
    ("close", descriptors::in_the_program),
    ("root exits", stuck::root_exits),
    ("hook exits", stuck::hook_exits),
    ("thread exits", stuck::thread_exits),
    ("exits beside stuck root", stuck::exits_beside_stuck_root),
    ("replaced root", stuck::replaces_root_and_exits),
    ("full disk", files::full_disk),
    ("removed folder", files::removed_folder),
    ("removed folder, dropped", files::removed_folder_dropped),
    ("refused", memory::refused),
    ("no memory", memory::no_memory),
    #[cfg(target_os = "linux")]
    ("little memory", kills::little_memory),
    #[cfg(target_os = "linux")]
    ("grow", resident::grow),
    #[cfg(target_os = "linux")]
    ("allocate types", types::allocate),
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    ("pin", pinned::pin),
    #[cfg(target_os = "linux")]
    ("grow to a limit", kills::grow_to_a_limit),
    ("each block", reconciliation::each_block),
    ("idle", idle::idle),
];

/// A time longer than any child takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Performs the role of a child; does nothing without a role.
#[test]
fn acts() {
    let (Ok(role), Some(folder)) = (env::var(ROLE), env::var_os(FOLDER)) else { return };
    let (_, act) = ROLES.iter().find(|(name, _)| *name == role).expect("the role is one of them");
    // A shell makes programs in the background ignore SIGINT, and their children inherit the
    // setting.
    system::reset(system::SIGINT);
    act(&PathBuf::from(folder));
}

/// A running child.
pub(crate) struct Child {
    process: std::process::Child,
    out: BufReader<ChildStdout>,
}

/// The exit status and output of a child.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) out: String,
    pub(crate) warnings: Vec<String>,
    /// The complete text on standard error.
    pub(crate) error: String,
}

impl Child {
    pub(crate) fn start(role: &str, folder: &Folder) -> Self {
        Self::start_with(role, folder, &[])
    }

    /// Starts a child and waits until it is ready.
    pub(crate) fn ready(role: &str, folder: &Folder) -> Self {
        let mut child = Self::start(role, folder);
        child.wait_for("ready");
        child
    }

    /// Starts a child with additional environment variables.
    pub(crate) fn start_with(role: &str, folder: &Folder, more: &[(&str, &str)]) -> Self {
        let program = env::current_exe().expect("the program knows its place");
        let mut process = Command::new(program);
        let settings = env::vars_os().map(|(name, _)| name);
        for name in settings.filter(|name| name.as_encoded_bytes().starts_with(b"MEMPROF")) {
            process.env_remove(name);
        }
        let mut process = process
            .args(["child::acts", "--exact", "--nocapture", "--test-threads=1"])
            .env(ROLE, role)
            .env(FOLDER, folder.path())
            .envs(more.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be run again");
        let out = BufReader::new(process.stdout.take().expect("it is piped"));
        Self { process, out }
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Waits until the child prints a word on a line of its own.
    pub(crate) fn wait_for(&mut self, word: &str) {
        let mut line = String::new();
        loop {
            line.clear();
            let read = self.out.read_line(&mut line).expect("it is text");
            assert!(read > 0, "the child ended before it said {word:?}: {}", self.errors());
            if line.trim_end().ends_with(word) {
                return;
            }
        }
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.process.try_wait().expect("it is a child").is_none()
    }

    fn errors(&mut self) -> String {
        let mut error = String::new();
        if let Some(mut stream) = self.process.stderr.take() {
            let _ = stream.read_to_string(&mut error);
        }
        error
    }

    /// Waits for the child to end.
    pub(crate) fn end(mut self) -> Ended {
        let until = Instant::now() + PATIENCE;
        while self.is_running() && Instant::now() < until {
            thread::sleep(Duration::from_millis(2));
        }
        let hangs = self.is_running();
        if hangs {
            self.process.kill().expect("it is a child");
        }
        let status = self.process.wait().expect("it is a child");
        let mut out = String::new();
        let _ = self.out.read_to_string(&mut out);
        let error = self.errors();
        assert!(!hangs, "the child hangs: {out}{error}");
        let warnings = error.lines().filter(|line| line.starts_with("memprof: "));
        Ended { status, out, warnings: warnings.map(str::to_owned).collect(), error }
    }
}

impl Drop for Child {
    /// Kills the child, so that a test that fails leaves none behind.
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs a child to its end.
pub(crate) fn run(role: &str, folder: &Folder) -> Ended {
    Child::start(role, folder).end()
}
