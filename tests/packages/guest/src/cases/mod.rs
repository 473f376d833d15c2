//! The cases: actions of a host with which its profiler could interfere.

mod files;
mod panics;
mod plugins;
mod processes;
mod signals;

use crate::observed::say;
use crate::{Part, Profiler};
use std::env;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

/// The input of a case.
struct Host<'a> {
    profiler: &'a dyn Profiler,
    /// The folder for the profiler's files.
    recording: PathBuf,
    /// The folder for the program's own files, which the driver compares.
    own: PathBuf,
}

type Outcome = Result<(), Box<dyn Error>>;
type Case = fn(&Host) -> Outcome;

const CASES: &[(&str, Case)] = &[
    ("fork", processes::fork),
    ("closefrom", processes::closefrom),
    ("daemonise", processes::daemonise),
    ("execute", processes::execute),
    ("exit-from-thread", processes::exit_from_thread),
    ("exit-from-profile", processes::exit_from_profile),
    ("main-returns", processes::main_returns),
    ("no-threads", processes::no_threads),
    ("out-of-memory", processes::out_of_memory),
    ("blocked-signals", signals::blocked),
    ("waited-signals", signals::waited),
    ("handled-signals", signals::handled),
    ("interrupted-call", signals::interrupted_call),
    ("first-process", signals::first_process),
    ("default-after", signals::default_after),
    ("terminated", signals::terminated),
    ("terminated-stuck-root", signals::terminated_stuck_root),
    ("terminated-stuck-source", signals::terminated_stuck_source),
    ("finish-stuck-root", signals::finish_stuck_root),
    ("file-limit", files::file_limit),
    ("no-file-size", files::no_file_size),
    ("full-from-start", files::full_from_start),
    ("full-disk", files::full_disk),
    ("unwritable", files::unwritable),
    ("planted-link", files::planted_link),
    ("settings", files::settings),
    ("fifo-settings", files::fifo_settings),
    ("panicking-impl", panics::frail_impl),
    ("panicking-source", panics::frail_source),
    ("second-copy", plugins::second_copy),
    ("panic-hook-exits", panics::hook_that_exits),
];

/// Runs the case that the arguments name: `CASE FOLDER`.
///
/// # Errors
/// Returns an error if the arguments are invalid, or if the case fails.
pub fn run(profiler: &dyn Profiler) -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1);
    let (Some(name), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("expected a case and a folder".into());
    };
    let found = CASES.iter().find(|(case, _)| name == *case);
    let Some((_, case)) = found else {
        let known: Vec<_> = CASES.iter().map(|(case, _)| *case).collect();
        return Err(format!("{} is not a case; expected one of {known:?}", name.display()).into());
    };
    let folder = PathBuf::from(folder);
    let host = Host { profiler, recording: folder.join("recording"), own: folder.join("own") };
    case(&host)
}

impl Host<'_> {
    /// Starts the profiler with a value that grows, and with one more part.
    fn start(&self, more: Option<Part>) -> Result<Box<dyn crate::Recorder>, Box<dyn Error>> {
        let ledger = Arc::new(RwLock::new(vec!["an entry".to_owned(); 100]));
        let parts = more.into_iter().chain([Part::Ledger(ledger)]).collect();
        self.profiler.start(&self.recording, parts)
    }

    /// Allocates and frees in `operations` operations. Prints what it computed.
    fn work(&self, operations: usize) {
        let mut bytes = 0;
        for number in 0..operations {
            self.profiler.operation(&mut || {
                let blocks: Vec<Vec<u8>> =
                    (1..32).map(|n| vec![1; n * (number % 64 + 1)]).collect();
                bytes += black_box(&blocks).iter().map(Vec::len).sum::<usize>();
            });
        }
        say(&format!("worked on {bytes} bytes"));
    }

    /// Opens files of the program, works while they are open, and writes a line into each.
    fn write_files(&self, prefix: &str) -> Outcome {
        let path = |number: u32| self.own.join(format!("{prefix}-{number}"));
        let files: Result<Vec<_>, _> = (0..20).map(|n| fs::File::create(path(n))).collect();
        let mut files = files?;
        for (number, file) in files.iter_mut().enumerate() {
            self.work(600);
            std::io::Write::write_all(file, format!("line {number}\n").as_bytes())?;
        }
        Ok(())
    }
}

/// Returns the names of the files in a folder, sorted.
fn names(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let entries: Result<Vec<_>, _> = fs::read_dir(folder)?.collect();
    let names = entries?.into_iter().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    Ok(names)
}
