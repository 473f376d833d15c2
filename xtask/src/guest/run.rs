//! A run of the program in a case, and its effects that a user can observe.

use super::cases::Case;
use crate::built::built;
use crate::{Failure, target};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

pub(super) struct Programs {
    pub(super) plain: PathBuf,
    pub(super) recorded: PathBuf,
    plugin: PathBuf,
    memprof: PathBuf,
}

pub(super) struct Run {
    status: ExitStatus,
    /// Standard output without the profiler's lines.
    out: Vec<String>,
    /// Standard error without memprof's warnings.
    error: Vec<String>,
    pub(super) warnings: Vec<String>,
    /// The files that the program itself wrote.
    own: BTreeMap<PathBuf, Vec<u8>>,
    pub(super) recording: PathBuf,
    duration: Duration,
    pub(super) memprof: PathBuf,
}

/// The command that runs a program as the first process of a PID namespace.
pub(super) const FIRST_PROCESS: [&str; 3] = ["unshare", "--pid", "--fork"];

/// A time limit longer than any run that does not hang.
const TIMEOUT: Duration = Duration::from_mins(1);

impl Programs {
    pub(super) fn build() -> Result<Self, Failure> {
        let guest = |kind: &str, name: &str, program: &str| {
            let arguments = ["--profile", "bench", "--package", "memprof-guest", kind, name];
            built(&arguments, &format!("release/{program}"))
        };
        Ok(Self {
            plain: guest("--bin", "guest_plain", "guest_plain")?,
            recorded: guest("--bin", "guest_recorded", "guest_recorded")?,
            plugin: guest("--example", "guest_plugin", "examples/libguest_plugin.so")?,
            memprof: built(&["--package", "memprof-cli"], "debug/memprof")?,
        })
    }
}

impl Run {
    pub(super) fn of(programs: &Programs, program: &Path, case: &Case) -> Result<Self, Failure> {
        let name = program.file_name().unwrap_or_default();
        let folder = target("guest").join(case.name).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("own"))?;
        let folder = folder.canonicalize()?;
        let recording = case.disk.recording_folder(&folder)?;
        // An unprivileged user writes into this folder too.
        fs::set_permissions(&recording, fs::Permissions::from_mode(0o777))?;
        // A shell's background job ignores SIGINT, and its children inherit this.
        let mut command = Command::new("env");
        command.arg("--default-signal=INT,TERM");
        if case.is_first_process {
            command.args(FIRST_PROCESS);
        }
        command.arg(program).arg(case.program).arg(&folder).stdin(Stdio::null());
        command.envs(case.environment.iter().copied()).env_remove("RUST_BACKTRACE");
        command.env("GUEST_PLUGIN", &programs.plugin);
        case.disk.set_environment(&mut command, &folder.join("stuck"));
        let mut running = Running::start(command)?;
        let began = running.signal(case, &folder)?;
        let status = running.end()?;
        let duration = began.elapsed();
        if let Some(file) = case.waits_for {
            wait_for_file(&folder.join("own").join(file))?;
        }
        let (out, error) = running.output()?;
        let (warnings, error) = error.into_iter().partition(|line| line.starts_with("memprof: "));
        let own = contents(&folder.join("own"))?;
        let memprof = programs.memprof.clone();
        Ok(Self { status, out, error, warnings, own, recording, duration, memprof })
    }

    /// Fails if a user can distinguish the recorded run from this one.
    pub(super) fn compare(&self, recorded: &Self, limit: Duration) -> Result<(), Failure> {
        let difference = if self.status != recorded.status {
            format!("plain: {}; recorded: {}", self.status, recorded.end())
        } else if self.out != recorded.out {
            format!("standard output: plain: {:#?}; recorded: {:#?}", self.out, recorded.out)
        } else if self.error != recorded.error {
            format!("standard error: plain: {:#?}; recorded: {:#?}", self.error, recorded.error)
        } else if self.own != recorded.own {
            format!("the program's files: plain: {:?}; recorded: {:?}", self.own, recorded.own)
        } else if recorded.duration > limit {
            format!("took {:.1?}, expected {limit:?}", recorded.duration)
        } else if recorded.warnings.len() > 1 {
            format!("expected one warning: {:#?}", recorded.warnings)
        } else {
            return Ok(());
        };
        Err(difference.into())
    }

    pub(super) fn end(&self) -> String {
        let warned = if self.warnings.is_empty() { "" } else { ", 1 warning" };
        format!("{} after {:.1} s{warned}", self.status, self.duration.as_secs_f64())
    }
}

fn contents(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>, Failure> {
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry?;
        Ok((PathBuf::from(entry.file_name()), fs::read(entry.path())?))
    };
    fs::read_dir(folder)?.map(read).collect()
}

/// A run in progress. Threads read its output, so that it never waits for the driver.
struct Running {
    process: Child,
    lines: Receiver<String>,
    error: thread::JoinHandle<String>,
    out: Vec<String>,
}

impl Running {
    fn start(mut command: Command) -> Result<Self, Failure> {
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let out = process.stdout.take().ok_or("it is piped")?;
        let mut error = process.stderr.take().ok_or("it is piped")?;
        let (sender, lines) = channel();
        thread::spawn(move || {
            BufReader::new(out).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let error = thread::spawn(move || {
            let mut text = String::new();
            let _ = error.read_to_string(&mut text);
            text
        });
        Ok(Self { process, lines, error, out: Vec::new() })
    }

    fn signal(&mut self, case: &Case, folder: &Path) -> Result<Instant, Failure> {
        if case.signals.is_empty() {
            return Ok(Instant::now());
        }
        self.wait_for("ready")?;
        if case.when_stuck && folder.ends_with("guest_recorded") {
            self.wait_for("profiler: stuck")?;
        }
        // From here on, every write to a stuck disk blocks.
        fs::write(folder.join("stuck"), "")?;
        let began = Instant::now();
        for &signal in case.signals {
            self.send(signal)?;
            thread::sleep(Duration::from_millis(20));
        }
        Ok(began)
    }

    fn send(&self, signal: Signal) -> Result<(), Failure> {
        match kill(Pid::from_raw(self.process.id().cast_signed()), signal) {
            // The previous signal has ended the process.
            Ok(()) | Err(nix::Error::ESRCH) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads lines until one of them is `expected`, which may have been read already.
    fn wait_for(&mut self, expected: &str) -> Result<(), Failure> {
        let deadline = Instant::now() + TIMEOUT;
        while !self.out.iter().any(|line| line == expected) {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => self.out.push(line),
                Err(RecvTimeoutError::Timeout) => {
                    self.process.kill()?;
                    return Err(format!("never printed `{expected}`").into());
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let status = self.process.wait()?;
                    return Err(format!("ended before it printed `{expected}`: {status}").into());
                }
            }
        }
        Ok(())
    }

    fn end(&mut self) -> Result<ExitStatus, Failure> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            if let Some(status) = self.process.try_wait()? {
                return Ok(status);
            }
            if Instant::now() > deadline {
                self.process.kill()?;
                return Err(format!("hangs: no end after {TIMEOUT:?}").into());
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn output(mut self) -> Result<(Vec<String>, Vec<String>), Failure> {
        self.out.extend(self.lines.iter());
        self.out.retain(|line| !line.starts_with("profiler: "));
        let error = self.error.join().map_err(|_| "standard error cannot be read")?;
        Ok((self.out, error.lines().map(str::to_owned).collect()))
    }
}

fn wait_for_file(file: &Path) -> Result<(), Failure> {
    let deadline = Instant::now() + TIMEOUT;
    while !file.exists() {
        if Instant::now() > deadline {
            return Err(format!("the background program never made {}", file.display()).into());
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}
