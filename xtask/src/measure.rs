//! What a process takes: time and the most memory it had.

use crate::Failure;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};
use std::ffi::OsString;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// The command that `measure` calls itself by; for nobody else.
pub(crate) const NAME: &str = "measured";

/// What one run took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    pub(crate) seconds: f64,
    /// Of all its threads together.
    pub(crate) cpu_seconds: f64,
    pub(crate) peak_bytes: u64,
}

/// Runs a program, its output thrown away, in a process of its own that has no other child: the
/// system tells the most memory of all children, not of one.
pub(crate) fn measure(program: &[OsString]) -> Result<Cost, Failure> {
    let output = Command::new(std::env::current_exe()?)
        .arg(NAME)
        .args(program)
        .stderr(Stdio::inherit())
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let numbers: Vec<&str> = text.split_whitespace().collect();
    let [seconds, cpu_seconds, peak] = numbers[..] else {
        return Err(format!("{} failed", program.display_all()).into());
    };
    let (seconds, cpu_seconds) = (seconds.parse()?, cpu_seconds.parse()?);
    Ok(Cost { seconds, cpu_seconds, peak_bytes: peak.parse()? })
}

/// Runs the program named by its arguments and prints what it took.
pub(crate) fn run(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
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

/// In which Linux counts the most memory; other systems count bytes.
const KIB: std::ffi::c_long = if cfg!(target_os = "linux") { 1024 } else { 1 };

/// A command line as a person would type it.
pub(crate) trait CommandLine {
    fn display_all(&self) -> String;
}

impl CommandLine for [OsString] {
    fn display_all(&self) -> String {
        self.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }
}
