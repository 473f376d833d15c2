//! `memprof run`: runs a program with a recording, and prints what grew.

mod advice;
mod child;
mod recordings;

use crate::arguments::{SymbolsArgument, Units};
use crate::command::html;
use crate::failure::Failure;
use crate::input::{self, Source};
use crate::output::{self, Target};
use crate::terminal;
use clap::{Args, ValueEnum};
use core::ops::RangeInclusive;
use memprof_export::Page;
use memprof_recording::Recording;
use memprof_recording::document::{Ended, Metadata};
use recordings::Found;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode, ExitStatus};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  memprof run --open ./target/release/app
  memprof run --interval 500ms -- cargo run --release

Exit codes:
  the program's; 128 plus the signal's number if a signal ended it
  2    a folder or an argument is wrong
  126  the command cannot be run
  127  there is no such command

Variables for more settings of the session, with their defaults:
  MEMPROF_WALK_BUDGET=10ms          the longest walk of a root
  MEMPROF_OPERATION_EVENTS=10000    individual calls kept in the file
  MEMPROF_TIMELINE_BYTES=64MiB      size of the snapshots in the timeline
  MEMPROF_SIGNALS=1                 write the document before a signal terminates the program
  MEMPROF_ON_EXIT=1                 finish a session when the program exits
  MEMPROF_WALL_TIME=1               time the calls of operations
  MEMPROF_CONFIG                    a file with settings";

/// Run a program, record it, and print what grew
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArguments {
    /// The program to run, and its arguments
    #[arg(value_name = "COMMAND", required = true, trailing_var_arg = true)]
    command: Vec<OsString>,
    /// Folder for the recording [default: `MEMPROF_OUTPUT_DIR`, or the current directory]
    #[arg(long, value_name = "DIR")]
    output_dir: Option<PathBuf>,
    /// Time between two snapshots, such as `500ms` [default: `MEMPROF_INTERVAL`, or 1s]
    #[arg(long, value_name = "TIME", value_parser = snapshot_interval)]
    interval: Option<Duration>,
    /// What the allocator records [default: `MEMPROF_LEVEL`, or the program's own setting]
    #[arg(long, value_enum, value_name = "LEVEL")]
    level: Option<Level>,
    /// Open the page of the recording in a browser; set `BROWSER` to choose it
    #[arg(long)]
    open: bool,
    /// The page to write [default with `--open`: the recording's name with `.html`]
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Overwrite the page if it exists
    #[arg(long)]
    force: bool,
    /// Units of bytes
    #[arg(long, value_enum, default_value = "iec")]
    units: Units,
    #[command(flatten)]
    symbols: SymbolsArgument,
}

/// What the allocator records.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Level {
    /// Nothing; roots are still profiled
    Off,
    /// Totals and operations
    Counters,
    /// Totals, operations and call sites
    Sampled,
}

/// The limits are those of a session, which ignores a value beyond them with a warning.
fn snapshot_interval(text: &str) -> Result<Duration, String> {
    const LIMITS: RangeInclusive<Duration> = Duration::from_millis(10)..=Duration::from_hours(24);
    match humantime::parse_duration(text) {
        Ok(interval) if LIMITS.contains(&interval) => Ok(interval),
        Ok(_) => Err("expected a time from 10ms to 1day".into()),
        Err(error) => Err(error.to_string()),
    }
}

/// Each further recording is printed as one line.
const IN_FULL: usize = 3;

pub(crate) fn run(arguments: &RunArguments) -> Result<ExitCode, Failure> {
    let folder = recordings::folder(arguments);
    check(arguments, &folder)?;
    let search = arguments.symbols.search()?;
    let before = recordings::Before::read(&folder);
    let (program, rest) = (&arguments.command[0], &arguments.command[1..]);
    let mut command = process::Command::new(program);
    let run = recordings::new_run();
    command.args(rest).envs(recordings::variables(arguments, &folder, &run));
    let (pid, status) = child::run(&mut command).map_err(|error| not_started(program, &error))?;
    let mut found = before.new_recordings(&run, &folder);
    for Found { recording, .. } in &mut found {
        input::name(recording, &search);
        note_end(&mut recording.metadata, pid, status);
    }
    let code = exit_code(status);
    if found.is_empty() {
        advice::print_no_recording(program);
        return Ok(code);
    }
    for (index, found) in found.iter().enumerate() {
        print(found, arguments, index < IN_FULL);
    }
    match write_page(&found[0], arguments) {
        Ok(()) => Ok(code),
        // The program's own failure matters more than a page that could not be written.
        Err(failure) if status.success() => Err(failure),
        Err(failure) => {
            failure.lines().iter().for_each(|line| note(line));
            Ok(code)
        }
    }
}

/// Checks before the program runs that its files and the page can be written.
fn check(arguments: &RunArguments, folder: &Path) -> Result<(), Failure> {
    let target = Target::File(folder.into());
    fs::create_dir_all(folder).map_err(|error| {
        let reason = match error.kind() {
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
                "it is not a folder".to_owned()
            }
            _ => error.to_string(),
        };
        let reason = format!("cannot write recordings here ({reason}); choose another folder");
        Failure::of(&target, reason)
    })?;
    if let Some(path) = &arguments.html {
        output::check_file(path, arguments.force)?;
    }
    Ok(())
}

/// Returns the failure of a command that could not be started. As in a shell, its exit code is 127 if
/// there is no such command, and 126 if it cannot be run.
fn not_started(command: &OsStr, error: &io::Error) -> Failure {
    let exists = advice::file_of(command).is_some();
    let reason = match error.kind() {
        io::ErrorKind::NotFound if exists => {
            "cannot be run: its interpreter or loader does not exist".to_owned()
        }
        io::ErrorKind::NotFound => {
            "no such command; use a program in `PATH`, or a path such as `./target/release/app`"
                .to_owned()
        }
        io::ErrorKind::PermissionDenied => {
            "not executable; build the program first, or run `chmod +x`".to_owned()
        }
        _ => format!("cannot be run: {error}"),
    };
    let is_missing = error.kind() == io::ErrorKind::NotFound && !exists;
    Failure::of(output::shown_path(Path::new(command)), reason).with_exit_code(if is_missing {
        127
    } else {
        126
    })
}

/// Returns 128 plus the signal's number if a signal terminated the program, as a shell does.
fn exit_code(status: ExitStatus) -> ExitCode {
    // Exit codes of Windows may exceed a byte, and a failure must stay a failure.
    let code = status.code().or(signal(status).map(|signal| 128 + signal)).unwrap_or(1);
    ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}

/// Notes how the program ended. A recording without an end does not contain it.
fn note_end(metadata: &mut Metadata, pid: u32, status: ExitStatus) {
    if metadata.pid == pid && metadata.ended == Ended::Running {
        metadata.ended = match (signal(status), status.code()) {
            (Some(signal), _) => Ended::Killed(child::signal_name(signal)),
            (None, Some(status)) => Ended::Incomplete(status),
            (None, None) => return,
        };
    }
}

/// Prints a recording on standard error, because standard output belongs to the program.
fn print(found: &Found, arguments: &RunArguments, in_full: bool) {
    let Found { path, recording } = found;
    let units = arguments.units.into();
    let width = terminal::width_of_errors();
    let mut text = String::new();
    if in_full {
        let overview = recording.overview().brief().units(units).width(width);
        let command = format!("memprof leaks --all-frames {}", Source::File(path.clone()));
        let leaks = recording.leak_list().units(units).width(width).all_frames_hint(&command);
        text = format!("\n{overview}\n\n{leaks}\n\n");
    }
    let name = Source::File(path.clone());
    let program = terminal::brief(&recording.metadata.program);
    let line = format!("memprof: {program}, process {}: {name}", recording.metadata.pid);
    // Ignore a failure, because there is no other place to report that standard error is closed.
    let _ = writeln!(io::stderr(), "{text}{line}");
    if in_full && lacks_heap(recording) {
        advice::print_no_allocator();
    }
}

fn lacks_heap(recording: &Recording) -> bool {
    recording.snapshots.iter().all(|snapshot| snapshot.heap.is_none())
}

/// Writes the page of the recording with the highest peak, and opens it.
fn write_page(found: &Found, arguments: &RunArguments) -> Result<(), Failure> {
    if arguments.html.is_none() && !arguments.open {
        note("`memprof info` prints the whole summary, and `memprof html` writes a page");
        return Ok(());
    }
    let path = page_path(found, arguments);
    let page = Page::new(&found.recording);
    html::write(&page, &Target::File(path.clone()), arguments.force, arguments.units.into())?;
    if arguments.open { html::open(&path) } else { Ok(()) }
}

fn page_path(found: &Found, arguments: &RunArguments) -> PathBuf {
    arguments.html.clone().unwrap_or_else(|| found.path.with_extension("html"))
}

fn note(text: &str) {
    let _ = writeln!(io::stderr(), "memprof: {text}");
}

#[cfg(all(test, unix))]
mod tests {
    use super::note_end;
    use memprof_recording::document::{Ended, Metadata};
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::ExitStatus;

    #[test]
    fn a_recording_without_an_end_states_how_the_program_ended() {
        let text = |of: u32, ended: Ended, status: i32| {
            let mut metadata = Metadata { pid: 7, ended, ..Metadata::of_this_process(0) };
            note_end(&mut metadata, of, ExitStatus::from_raw(status));
            metadata.ended.to_string()
        };
        let [exited, killed] = [3 << 8, 9];
        let incomplete = "the program exited with status 3 before the recording ended";
        assert_eq!(text(7, Ended::Running, exited), incomplete);
        assert_eq!(text(7, Ended::Running, killed), "killed by SIGKILL");
        assert_eq!(text(7, Ended::Finished, exited), "finished");
        // A child process has a recording of its own.
        assert_eq!(text(8, Ended::Running, exited), Ended::Running.to_string());
    }
}
