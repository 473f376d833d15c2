//! The cost of a process: time and peak memory.

use crate::Failure;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};
use std::ffi::OsString;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Starts this program to measure another one, by [`of`]. It is not the name of a check.
pub(crate) const MEASURED: &str = "measured";

#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    pub(crate) seconds: f64,
    pub(crate) cpu_seconds: f64,
    pub(crate) peak_bytes: u64,
}

/// The system reports only the largest peak of all children, so each command has its own parent.
pub(crate) fn of(command: &Command) -> Result<Cost, Failure> {
    let mut parent = Command::new(std::env::current_exe()?);
    parent.arg(MEASURED).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => parent.env(name, value),
            None => parent.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        parent.current_dir(folder);
    }
    let output = parent.stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8(output.stdout)?;
    let numbers: Vec<&str> = text.split_whitespace().collect();
    let [seconds, cpu_seconds, peak] = numbers[..] else {
        return Err(format!("{command:?} failed").into());
    };
    let (seconds, cpu_seconds) = (seconds.parse()?, cpu_seconds.parse()?);
    Ok(Cost { seconds, cpu_seconds, peak_bytes: peak.parse()? })
}

pub(crate) fn print(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(program) = arguments.next() else { return ExitCode::FAILURE };
    let start = Instant::now();
    let status = Command::new(program).args(arguments).stdout(Stdio::null()).status();
    let seconds = start.elapsed().as_secs_f64();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN);
    match (status, usage) {
        (Ok(status), Ok(usage)) if status.success() => {
            let cpu = [usage.user_time(), usage.system_time()].map(seconds_of);
            println!("{seconds} {} {}", cpu[0] + cpu[1], usage.max_rss() * KIB);
            ExitCode::SUCCESS
        }
        _ => ExitCode::FAILURE,
    }
}

fn seconds_of(time: TimeVal) -> f64 {
    Duration::from_micros(time.num_microseconds().unsigned_abs()).as_secs_f64()
}

/// The unit in which the system reports peak memory: KiB on Linux, bytes elsewhere.
const KIB: std::ffi::c_long = if cfg!(target_os = "linux") { 1024 } else { 1 };
