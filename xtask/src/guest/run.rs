//! A run of the program in a scenario, and its effects that a user can observe.

use super::disk::Disk;
use super::scenario::{Scenario, Stimulus};
use crate::built::built;
use crate::default_signals::with_default_signals;
use crate::{Failure, target};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The program, built with and without memprof.
pub(super) struct Programs {
    pub(super) plain: PathBuf,
    pub(super) recorded: PathBuf,
    /// A library that both programs load.
    plugin: PathBuf,
}

/// The result of a run, with its output and files.
pub(super) struct Run {
    status: ExitStatus,
    /// Standard output without the profiler's lines.
    out: Vec<String>,
    /// Standard error without memprof's warnings.
    error: Vec<String>,
    pub(super) warnings: Vec<String>,
    /// The files that the program itself wrote.
    own: BTreeMap<PathBuf, Vec<u8>>,
    /// The folder with memprof's files.
    pub(super) recording: PathBuf,
    /// The time from the signal, or from the start, to the end.
    duration: Duration,
    limit: Duration,
}

/// The command that runs a program as the first process of a PID namespace.
const FIRST_PROCESS: [&str; 3] = ["unshare", "--pid", "--fork"];

/// Returns `true` if the machine can run a program as the first process of a namespace.
pub(super) fn can_be_first_process() -> bool {
    let mut probe = Command::new(FIRST_PROCESS[0]);
    probe.args(&FIRST_PROCESS[1..]).arg("true");
    probe.output().is_ok_and(|output| output.status.success())
}

/// A time limit longer than any run that does not hang.
const TIMEOUT: Duration = Duration::from_mins(1);

impl Programs {
    pub(super) fn build() -> Result<Self, Failure> {
        let program = |name: &str| {
            let bin = ["--profile", "bench", "--package", "memprof-guest", "--bin", name];
            built(&bin, &format!("release/{name}"))
        };
        let plugin =
            ["--profile", "bench", "--package", "memprof-guest", "--example", "guest_plugin"];
        let plugin = built(&plugin, "release/examples/libguest_plugin.so")?;
        Ok(Self { plain: program("guest_plain")?, recorded: program("guest_recorded")?, plugin })
    }
}

impl Run {
    pub(super) fn of(
        programs: &Programs,
        program: &Path,
        scenario: &Scenario,
        disk: &Disk,
    ) -> Result<Self, Failure> {
        let name = program.file_name().unwrap_or_default();
        let folder = target("guest").join(scenario.name).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("own"))?;
        let recording = disk.recording_folder(&folder)?;
        // An unprivileged user writes into this folder too.
        fs::set_permissions(&recording, fs::Permissions::from_mode(0o777))?;
        let folder = folder.canonicalize()?;
        let mut command = if scenario.is_first_process {
            let mut unshare = with_default_signals(FIRST_PROCESS[0]);
            unshare.args(&FIRST_PROCESS[1..]).arg(program);
            unshare
        } else {
            with_default_signals(program)
        };
        command.arg(scenario.program).arg(&folder).stdin(Stdio::null());
        command.envs(scenario.environment.iter().copied()).env_remove("RUST_BACKTRACE");
        command.env("GUEST_PLUGIN", &programs.plugin);
        disk.set_environment(&mut command, &folder.join("stuck"));
        let mut running = Running::start(command)?;
        let began = running.stimulate(scenario.stimulus, &folder)?;
        let status = running.end(scenario)?;
        let duration = began.elapsed();
        let (out, error) = running.output()?;
        let (warnings, error) = error.into_iter().partition(|line| line.starts_with("memprof: "));
        let own = contents(&folder.join("own"))?;
        Ok(Self { status, out, error, warnings, own, recording, duration, limit: scenario.limit })
    }

    /// Fails if a user can distinguish the recorded run from this one.
    pub(super) fn compare(&self, recorded: &Self) -> Result<(), Failure> {
        if self.status != recorded.status {
            return Err(format!("plain: {}; recorded: {}", self.status, recorded.end()).into());
        }
        expect_same("standard output", &self.out, &recorded.out)?;
        expect_same("standard error", &self.error, &recorded.error)?;
        for (path, content) in &self.own {
            let other = recorded.own.get(path);
            if other != Some(content) {
                let shown = other.map(|content| String::from_utf8_lossy(content));
                return Err(format!("the program's file {} holds {shown:?}", path.display()).into());
            }
        }
        if let Some(path) = recorded.own.keys().find(|path| !self.own.contains_key(*path)) {
            return Err(format!("a file among the program's own: {}", path.display()).into());
        }
        if recorded.duration > recorded.limit {
            return Err(
                format!("took {:.1?}, expected {:?}", recorded.duration, recorded.limit).into()
            );
        }
        if recorded.warnings.len() > 1 {
            return Err(format!("expected one warning: {:#?}", recorded.warnings).into());
        }
        Ok(())
    }

    /// Describes the end of the run.
    pub(super) fn end(&self) -> String {
        let how = match (self.status.code(), self.status.signal()) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => format!("signal {signal}"),
            (None, None) => self.status.to_string(),
        };
        let warned = if self.warnings.is_empty() { "" } else { ", 1 warning" };
        format!("{how} after {:.1} s{warned}", self.duration.as_secs_f64())
    }
}

fn expect_same(name: &str, plain: &[String], recorded: &[String]) -> Result<(), Failure> {
    if plain == recorded {
        return Ok(());
    }
    Err(format!("{name} differs; plain: {plain:#?}; recorded: {recorded:#?}").into())
}

/// Returns the files in a folder with their contents.
fn contents(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>, Failure> {
    let mut contents = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let content = fs::read(&path)?;
        contents.insert(PathBuf::from(path.file_name().unwrap_or_default()), content);
    }
    Ok(contents)
}

/// A run in progress. Threads read its output, so that it never waits for the driver.
struct Running {
    process: Child,
    lines: Receiver<String>,
    error: Option<thread::JoinHandle<Vec<String>>>,
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
        let error = Some(thread::spawn(move || {
            let mut text = String::new();
            let _ = error.read_to_string(&mut text);
            text.lines().map(str::to_owned).collect()
        }));
        Ok(Self { process, lines, error, out: Vec::new() })
    }

    /// Applies the scenario's stimulus to the program. Returns the time of the stimulus.
    fn stimulate(&mut self, stimulus: Stimulus, folder: &Path) -> Result<Instant, Failure> {
        match stimulus {
            Stimulus::None => {}
            Stimulus::Signals { when_stuck, signals } => {
                self.wait_for("ready")?;
                let is_recorded = folder.ends_with("guest_recorded");
                if when_stuck && is_recorded {
                    self.wait_for("profiler: stuck")?;
                }
                // From here on, every write to a stuck disk blocks.
                fs::write(folder.join("stuck"), "")?;
                let began = Instant::now();
                for &signal in signals {
                    self.send(signal)?;
                    thread::sleep(Duration::from_millis(20));
                }
                return Ok(began);
            }
        }
        Ok(Instant::now())
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

    fn end(&mut self, scenario: &Scenario) -> Result<ExitStatus, Failure> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            if let Some(status) = self.process.try_wait()? {
                if let Some(file) = scenario.waits_for {
                    wait_for_file(&target("guest").join(scenario.name), file, deadline)?;
                }
                return Ok(status);
            }
            if Instant::now() > deadline {
                self.process.kill()?;
                return Err(format!("hangs: no end after {TIMEOUT:?}").into());
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Returns the lines of standard output and standard error.
    fn output(&mut self) -> Result<(Vec<String>, Vec<String>), Failure> {
        self.out.extend(self.lines.iter());
        self.out.retain(|line| !line.starts_with("profiler: "));
        let error = self.error.take().and_then(|thread| thread.join().ok());
        Ok((std::mem::take(&mut self.out), error.ok_or("standard error can be read")?))
    }
}

/// Waits until each run of a case so far has created its file, because a daemon continues in the
/// background.
fn wait_for_file(case: &Path, file: &str, deadline: Instant) -> Result<(), Failure> {
    let missing = || -> Result<bool, Failure> {
        let runs: Result<Vec<_>, _> = fs::read_dir(case)?.collect();
        Ok(runs?.iter().any(|run| !run.path().join("own").join(file).exists()))
    };
    while missing()? {
        if Instant::now() > deadline {
            return Err(format!("the program in the background never made `{file}`").into());
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}
