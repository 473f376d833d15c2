//! The common part of the programs: `PROGRAM WORKLOAD TIMES [LEVEL]` prints the CPU nanoseconds of
//! all threads.

use crate::workload::{WORKLOADS, Workload};
use memprof_benches::clock::process_cpu_time;
use std::process::ExitCode;

/// Runs a workload under the program's allocator, which `start` activates. The result of `start` is
/// dropped after the workload.
///
/// # Errors
/// Prints errors of the command line and of `start`.
pub fn run<T>(start: impl FnOnce(Option<&str>) -> Result<T, String>) -> ExitCode {
    run_also(&[], start)
}

/// Runs like [`run`], with workloads that only this program has.
pub fn run_also<T>(
    own: &[Workload],
    start: impl FnOnce(Option<&str>) -> Result<T, String>,
) -> ExitCode {
    run_reading(own, start, || process_cpu_time().as_nanos() as u64)
}

/// Runs like [`run_also`], but prints the increase of another reading instead of the CPU time.
pub fn run_reading<T>(
    own: &[Workload],
    start: impl FnOnce(Option<&str>) -> Result<T, String>,
    reading: impl Fn() -> u64,
) -> ExitCode {
    match try_run(own, start, reading) {
        Ok(printed) => {
            println!("{printed}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Starts nothing, for an allocator without levels.
///
/// # Errors
/// Returns an error if the command line names a level, which only memprof has.
pub fn no_level(level: Option<&str>) -> Result<(), String> {
    level
        .map_or(Ok(()), |level| Err(format!("this program has no levels, found the level {level}")))
}

fn try_run<T>(
    own: &[Workload],
    start: impl FnOnce(Option<&str>) -> Result<T, String>,
    reading: impl Fn() -> u64,
) -> Result<String, String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (name, times, level) = match words[..] {
        [name, times] => (name, times, None),
        [name, times, level] => (name, times, Some(level)),
        _ => return Err("usage: PROGRAM WORKLOAD TIMES [LEVEL]".into()),
    };
    let times = times.parse().map_err(|why| format!("{times}: {why}"))?;
    #[cfg(feature = "service")]
    if name == "service" {
        let _started = start(level)?;
        return Ok(service(times));
    }
    let workload = WORKLOADS.iter().chain(own).find(|workload| workload.name == name);
    let workload = workload.ok_or_else(|| format!("no workload is called {name}"))?;

    let _started = start(level)?;
    let mut work = (workload.prepare)();
    // The first repetition is not measured: it touches new pages and initialises thread-local
    // words.
    work(1);
    let before = reading();
    work(times);
    Ok((reading() - before).to_string())
}

/// Returns the median and two high percentiles of the latencies of a service, in nanoseconds.
#[cfg(feature = "service")]
fn service(requests: usize) -> String {
    let requests = u32::try_from(requests).unwrap_or(u32::MAX);
    // The first requests are not measured, as in the other workloads.
    let _ = crate::latency::latencies(200);
    let all = crate::latency::latencies(requests);
    let at = |per_mille: usize| all[(all.len() - 1) * per_mille / 1000];
    format!("{} {} {}", at(500), at(990), at(999))
}
