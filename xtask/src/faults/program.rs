//! The recorded program: the example `source_index`, on the sources of this workspace.

use crate::built::source_index;
use crate::default_signals::with_default_signals;
use crate::{Failure, workspace};
use memprof_session::Recording;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The compiled example.
pub(crate) struct Program {
    path: PathBuf,
}

/// A folder for the files of one run. Dropping it removes the folder and its files.
pub(crate) struct Folder(pub(crate) PathBuf);

/// A run in progress.
pub(crate) struct Running {
    process: Child,
    out: BufReader<std::process::ChildStdout>,
}

/// The exit status of a run, and its standard error.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) error: String,
}

/// A time limit longer than any run.
const TIMEOUT: Duration = Duration::from_mins(1);

impl Program {
    pub(crate) fn build() -> Result<Self, Failure> {
        Ok(Self { path: source_index()? })
    }

    /// Returns the program's command line, with its files in a folder.
    pub(crate) fn command(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = with_default_signals(&self.path);
        command.args(line(folder, arguments));
        command
    }

    /// Returns the same command below a shell that first changes the process.
    pub(crate) fn command_after(&self, folder: &Path, first: &str, arguments: &[&str]) -> Command {
        let mut command = with_default_signals("sh");
        command.args(["-c", &format!("{first}; exec \"$0\" \"$@\"")]).arg(&self.path);
        command.args(line(folder, arguments));
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, folder: &Path, arguments: &[&str]) -> Result<Ended, Failure> {
        Running::start(self.command(folder, arguments))?.end()
    }
}

/// Returns the program's arguments.
fn line(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let sources = workspace().join("memprof-core/src").display().to_string();
    let own = ["--output-dir", &folder.display().to_string()].map(str::to_owned);
    let forwarded = arguments.iter().map(|&argument| argument.to_owned());
    own.into_iter().chain(forwarded).chain([sources]).collect()
}

impl Running {
    pub(crate) fn start(mut command: Command) -> Result<Self, Failure> {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        // A backtrace needs memory, which is scarce in some runs.
        command.env_remove("RUST_BACKTRACE");
        let mut process = command.spawn()?;
        let out = process.stdout.take().ok_or("it is piped")?;
        Ok(Self { process, out: BufReader::new(out) })
    }

    /// Starts the program, and waits until it has indexed everything and waits for a signal.
    pub(crate) fn waiting(program: &Program, folder: &Path) -> Result<Self, Failure> {
        let mut running = Self::start(program.command(folder, &["--rounds", "2", "--wait"]))?;
        let mut line = String::new();
        while line.trim_end() != "waiting" {
            line.clear();
            if running.out.read_line(&mut line)? == 0 {
                return Err(format!("it ended early: {}", running.end()?.error).into());
            }
        }
        Ok(running)
    }

    pub(crate) fn send(&self, signal: Signal) -> Result<(), Failure> {
        Ok(kill(Pid::from_raw(self.process.id().cast_signed()), signal)?)
    }

    pub(crate) fn is_running(&mut self) -> Result<bool, Failure> {
        Ok(self.process.try_wait()?.is_none())
    }

    pub(crate) fn end(mut self) -> Result<Ended, Failure> {
        let deadline = Instant::now() + TIMEOUT;
        while self.is_running()? && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        if self.is_running()? {
            self.process.kill()?;
            self.process.wait()?;
            return Err("it hangs".into());
        }
        let status = self.process.wait()?;
        let mut error = String::new();
        if let Some(mut stream) = self.process.stderr.take() {
            stream.read_to_string(&mut error)?;
        }
        Ok(Ended { status, error })
    }
}

impl Ended {
    /// Returns the number of the profiler's warnings.
    pub(crate) fn warnings(&self) -> usize {
        self.error.lines().filter(|line| line.starts_with("memprof: ")).count()
    }
}

impl Folder {
    pub(crate) fn new() -> Result<Self, Failure> {
        let folder = std::env::temp_dir().join(format!("memprof-faults-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    /// Returns the files in the folder.
    pub(crate) fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        fs::read_dir(&self.0)?.map(|entry| Ok(entry?.path())).collect()
    }

    /// Reads the only file with this ending; `None` if there is no such file.
    pub(crate) fn read(&self, ending: &str) -> Result<Option<Recording>, Failure> {
        let mut found = self.files()?;
        found.retain(|path| path.extension().is_some_and(|is| is == ending));
        match &found[..] {
            [] => Ok(None),
            [path] => Ok(Some(Recording::read_file(path)?)),
            paths => Err(format!("one file, and not {paths:?}").into()),
        }
    }

    pub(crate) fn timeline(&self) -> Result<Recording, Failure> {
        Ok(self.read("jsonl")?.ok_or("there is no timeline")?)
    }

    pub(crate) fn recording(&self) -> Result<Recording, Failure> {
        Ok(self.read("json")?.ok_or("there is no document")?)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
