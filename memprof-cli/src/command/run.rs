//! `memprof run`: runs a program with a recording, and prints what grew.

mod advice;
mod child;
mod environment;
mod recordings;

use crate::arguments::RunArguments;
use crate::command::html;
use crate::failure::Failure;
use crate::input::{self, Source};
use crate::output::{self, OutputError, Target};
use crate::spawn_error::SpawnError;
use crate::{browser, terminal};
use memprof_export::Page;
use memprof_recording::Recording;
use recordings::Found;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode, ExitStatus};

/// Each further recording is printed as one line.
const IN_FULL: usize = 3;

pub(crate) fn run(arguments: &RunArguments) -> Result<ExitCode, Failure> {
    let folder = environment::folder(arguments);
    check(arguments, &folder)?;
    let search = arguments.symbols.search()?;
    let before = recordings::Before::read(&folder);
    let (program, rest) = (&arguments.command[0], &arguments.command[1..]);
    let mut command = process::Command::new(program);
    let run = environment::new_run();
    command.args(rest).envs(environment::variables(arguments, &folder, &run));
    let status = child::run(&mut command)
        .map_err(|error| SpawnError::of(program, advice::file_of(program).is_some(), error))?;
    let mut found = before.new_recordings(&run, &folder);
    for found in &mut found {
        input::name(&mut found.recording, &search);
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
    fs::create_dir_all(folder).map_err(|error| OutputError::folder(&target, error))?;
    if let Some(path) = &arguments.html {
        output::check_file(path, arguments.force)?;
    }
    Ok(())
}

/// Returns 128 plus the signal's number if a signal ended the program, as a shell does.
fn exit_code(status: ExitStatus) -> ExitCode {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status).map(|signal| 128 + signal);
    #[cfg(not(unix))]
    let signal = None;
    // Exit codes of Windows may exceed a byte, and a failure must stay a failure.
    let code = status.code().or(signal).unwrap_or(1);
    ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
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
    let program = crate::escape::brief(&recording.metadata.program);
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
    if arguments.open { browser::open(&path) } else { Ok(()) }
}

fn page_path(found: &Found, arguments: &RunArguments) -> PathBuf {
    arguments.html.clone().unwrap_or_else(|| found.path.with_extension("html"))
}

fn note(text: &str) {
    let _ = writeln!(io::stderr(), "memprof: {text}");
}
