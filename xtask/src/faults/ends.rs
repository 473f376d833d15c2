//! Signals and denied resources: the program ends as without memprof, and its files record how.

use super::Checked;
use super::program::{Ended, Folder, Program, Running};
use crate::Failure;
use memprof_session::document;
use nix::sys::signal::Signal;
use std::os::unix::process::ExitStatusExt;
use std::time::{Duration, Instant};

/// The number of runs of each case.
const TIMES: u32 = 10;

pub(super) fn interrupt(program: &Program) -> Checked {
    by_signal(program, Signal::SIGINT)
}

pub(super) fn terminate(program: &Program) -> Checked {
    by_signal(program, Signal::SIGTERM)
}

fn by_signal(program: &Program, signal: Signal) -> Checked {
    for _ in 0..TIMES {
        let folder = Folder::new()?;
        let running = Running::waiting(program, &folder.0)?;
        running.send(signal)?;
        ended_by(&running.end()?, signal)?;
        let recording = folder.recording()?;
        if recording.metadata.ended != document::Ended::Signal(signal.to_string()) {
            return Err(format!("the recording has {:?}", recording.metadata.ended).into());
        }
    }
    Ok(format!("{TIMES} runs: each ended by it, {TIMES} documents read, 0 warnings"))
}

fn ended_by(ended: &Ended, signal: Signal) -> Result<(), Failure> {
    if ended.status.signal() != Some(signal as i32) {
        return Err(format!("{}: {}", ended.status, ended.error).into());
    }
    if ended.warnings() > 0 {
        return Err(ended.error.clone().into());
    }
    Ok(())
}

pub(super) fn user1(program: &Program) -> Checked {
    let folder = Folder::new()?;
    let mut running = Running::waiting(program, &folder.0)?;
    for times in 1..=TIMES {
        running.send(Signal::SIGUSR1)?;
        let deadline = Instant::now() + Duration::from_secs(20);
        while signals(&folder)? < times {
            if Instant::now() > deadline || !running.is_running()? {
                return Err(format!("no document after {times} signals").into());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    running.send(Signal::SIGTERM)?;
    ended_by(&running.end()?, Signal::SIGTERM)?;
    Ok(format!("{TIMES} documents read while the program went on, 0 warnings"))
}

/// Returns the number of signal snapshots in the document.
fn signals(folder: &Folder) -> Result<u32, Failure> {
    let Some(recording) = folder.read("json")? else { return Ok(0) };
    let signals = recording.snapshots.iter();
    let signals = signals.filter(|snapshot| snapshot.trigger == document::Trigger::Signal);
    Ok(u32::try_from(signals.count())?)
}

pub(super) fn twice(program: &Program) -> Checked {
    let (mut documents, mut early) = (0, 0);
    for _ in 0..TIMES {
        let folder = Folder::new()?;
        let mut running = Running::waiting(program, &folder.0)?;
        running.send(Signal::SIGINT)?;
        // Two signals become one if the first has not been delivered yet.
        std::thread::sleep(Duration::from_millis(1));
        // The first signal may have ended the program by now.
        if running.is_running()? {
            running.send(Signal::SIGINT)?;
            early += 1;
        }
        ended_by(&running.end()?, Signal::SIGINT)?;
        folder.timeline()?;
        documents += u32::from(folder.read("json")?.is_some());
    }
    Ok(format!(
        "{TIMES} runs, {early} signalled again before they had ended: each ended by it, {TIMES} \
         timelines and {documents} documents read"
    ))
}

pub(super) fn full_disk(program: &Program) -> Checked {
    // 64 units of 512 bytes or 1 KiB: enough for some snapshots.
    const LIMIT: &str = "trap '' XFSZ; ulimit -f 64";
    let folder = Folder::new()?;
    let command = program.command_after(&folder.0, LIMIT, &["--rounds", "10"]);
    let ended = Running::start(command)?.end()?;
    // The example prints that it cannot write its document, and ends.
    let error_lines =
        ended.error.lines().filter(|line| line.starts_with("source_index: cannot write"));
    if ended.status.code() != Some(1) || error_lines.count() != 1 {
        return Err(format!("{}: {}", ended.status, ended.error).into());
    }
    let timeline = folder.timeline()?;
    let (snapshots, warnings) = (timeline.snapshots.len(), ended.warnings());
    if warnings != 1 || timeline.unreadable_lines != 0 || folder.read("json")?.is_some() {
        return Err(format!("{warnings} warnings: {}", ended.error).into());
    }
    Ok(format!("it went on to its end, {snapshots} snapshots read, 1 warning"))
}

pub(super) fn no_folder(program: &Program) -> Checked {
    let folder = Folder::new()?;
    let file = folder.0.join("file");
    std::fs::write(&file, "")?;
    let ended = program.run(&file.join("below"), &["--rounds", "1"])?;
    // The example prints that it cannot write its document, and ends.
    let error_lines =
        ended.error.lines().filter(|line| line.starts_with("source_index: cannot write"));
    let is_named = ended.error.lines().next().is_some_and(|line| line.contains("below"));
    if ended.status.code() != Some(1)
        || error_lines.count() != 1
        || ended.warnings() != 1
        || !is_named
    {
        return Err(format!("{}: {}", ended.status, ended.error).into());
    }
    Ok("it went on to its end, 1 warning, at the start".to_owned())
}

pub(super) fn removed_folder(program: &Program) -> Checked {
    let folder = Folder::new()?;
    let running = Running::waiting(program, &folder.0)?;
    std::fs::remove_dir_all(&folder.0)?;
    std::thread::sleep(Duration::from_millis(500));
    running.send(Signal::SIGTERM)?;
    let ended = running.end()?;
    if ended.status.signal() != Some(Signal::SIGTERM as i32) || ended.warnings() != 1 {
        return Err(format!("{}: {}", ended.status, ended.error).into());
    }
    Ok("it went on until it was ended, 1 warning".to_owned())
}

pub(super) fn no_memory(program: &Program) -> Checked {
    let mut refused_runs = 0;
    let mut runs = 0;
    // The limits range from the memory that the program needs at its start to more memory than it
    // ever needs.
    for kibibytes in (60_000..360_000).step_by(15_000) {
        let folder = Folder::new()?;
        let limit = format!("ulimit -v {kibibytes}");
        let command = program.command_after(&folder.0, &limit, &["--rounds", "20"]);
        let ended = Running::start(command)?.end()?;
        let Some(timeline) = folder.read("jsonl")? else { continue };
        runs += 1;
        if timeline.unreadable_lines > 1 {
            return Err("more than the last line is torn".into());
        }
        let out_of_memory = !timeline.out_of_memory.is_empty();
        // The system allocates a thread's stack, not the allocator, so no refusal is recorded if
        // this fails. tokio then panics with this message.
        let has_no_thread = ended.error.contains("can't spawn worker thread");
        if !ended.status.success() && !out_of_memory && !has_no_thread {
            return Err(format!("{kibibytes} KiB, {}: {}", ended.status, ended.error).into());
        }
        refused_runs += u32::from(out_of_memory);
    }
    Ok(format!(
        "{runs} runs with different memory limits: {refused_runs} timelines record a refusal, all are read"
    ))
}
