//! The lines to add to a program, so that it makes a recording.

use crate::escape::escaped;
use memchr::memmem;
use std::env;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// A string in every program whose global allocator is memprof's. `memprof-heap` has the same
/// string.
const ALLOCATOR: &str = "this program's allocator is memprof::Allocator";
/// A string in every program that can start a session: the name of a setting.
const SESSION: &str = "MEMPROF_TIMELINE_BYTES";

const DEPENDENCY: &str =
    "cargo add memprof --path ../memprof --features heap,session   # ../memprof is a clone";
const ALLOCATOR_LINES: &str = "    #[global_allocator]
    static ALLOC: memprof::Allocator = memprof::Allocator::system();";
const SESSION_LINE: &str = "let _session = memprof::Session::start();";

/// The parts of memprof in a program's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parts {
    allocator: bool,
    session: bool,
}

/// Prints why a program wrote no recording, and the lines to add.
pub(super) fn print_no_recording(command: &OsStr) {
    let parts = file_of(command).and_then(|path| parts(&path));
    let name = escaped(&command.to_string_lossy());
    // Ignore a failure, because there is no other place to report that standard error is closed.
    let _ = writeln!(std::io::stderr(), "\n{}", no_recording(&name, parts));
}

/// Prints the lines to add to a program without memprof's allocator.
pub(super) fn print_no_allocator() {
    let text = format!(
        "memprof: the heap is unknown without memprof's allocator; add these lines to `main.rs`:\n\
         \n{ALLOCATOR_LINES}"
    );
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn no_recording(name: &str, parts: Option<Parts>) -> String {
    let first = "memprof: no recording was written";
    match parts {
        Some(Parts { session: true, .. }) => format!(
            "{first}: {name} can start a session, but did not.\n\
             Make this the first line of `main`:\n\n    {SESSION_LINE}"
        ),
        Some(Parts { allocator: true, session: false }) => format!(
            "{first}: {name} has memprof's allocator but no session.\n\
             \n1. Turn the feature `session` on:\n\n    {DEPENDENCY}\n\
             \n2. Make this the first line of `main`:\n\n    {SESSION_LINE}"
        ),
        // The command may be a launcher such as cargo, which starts the program to record.
        Some(Parts { .. }) | None => format!(
            "{first}: neither {name} nor a program that it started has a session of memprof.\n\
             \n1. Add memprof to the program's package:\n\n    {DEPENDENCY}\n\
             \n2. Add to `main.rs`:\n\n{ALLOCATOR_LINES}\n\
             \n3. Make this the first line of `main`; it does nothing without `memprof run` or \
             `MEMPROF=1`:\n\n    {SESSION_LINE}"
        ),
    }
}

/// Returns the file that a command runs.
pub(super) fn file_of(command: &OsStr) -> Option<PathBuf> {
    let path = Path::new(command);
    if path.components().count() > 1 {
        return path.is_file().then(|| path.into());
    }
    let folders = env::var_os("PATH")?;
    let candidates = env::split_paths(&folders).map(|folder| folder.join(path));
    let with_suffix = |path: &Path| {
        let mut name = path.as_os_str().to_owned();
        name.push(env::consts::EXE_SUFFIX);
        PathBuf::from(name)
    };
    let names = candidates.flat_map(|path| [with_suffix(&path), path]);
    names.into_iter().find(|path| path.is_file())
}

/// Returns the parts of memprof in a program, or `None` if its file can't be read. Reads the file in
/// pieces, because programs with debug information may have gigabytes.
fn parts(file: &Path) -> Option<Parts> {
    parts_in(File::open(file).ok()?)
}

fn parts_in(mut file: impl Read) -> Option<Parts> {
    const AT_ONCE: u64 = 1 << 20;
    let mut found = Parts { allocator: false, session: false };
    let mut bytes = Vec::new();
    loop {
        let old = bytes.len();
        file.by_ref().take(AT_ONCE).read_to_end(&mut bytes).ok()?;
        if bytes.len() == old {
            return Some(found);
        }
        let has = |text: &str| memmem::find(&bytes, text.as_bytes()).is_some();
        found.allocator |= has(ALLOCATOR);
        found.session |= has(SESSION);
        // A string may begin in one piece and end in the next one.
        bytes.drain(..bytes.len().saturating_sub(ALLOCATOR.len().max(SESSION.len())));
    }
}

#[cfg(test)]
mod tests {
    use super::{ALLOCATOR, Parts, SESSION, no_recording, parts_in};
    use expect_test::expect;
    use std::io::{Read, repeat};

    #[test]
    fn the_parts_of_a_program_are_found_where_two_pieces_meet() {
        let has = |allocator, session| Some(Parts { allocator, session });
        for before in [0, 7, (1 << 20) - 20, (1 << 20) - 1, (2 << 20) - 3, 5 << 20] {
            let program = |text: &'static str| {
                repeat(b'.').take(before).chain(text.as_bytes()).chain(repeat(b'.').take(999))
            };
            assert_eq!(parts_in(program(ALLOCATOR)), has(true, false), "{before}");
            assert_eq!(parts_in(program(SESSION)), has(false, true), "{before}");
            assert_eq!(parts_in(program("")), has(false, false), "{before}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_dot_in_the_name_of_a_command_is_no_extension() {
        use super::file_of;
        use std::ffi::OsStr;

        assert!(file_of(OsStr::new("sh")).is_some());
        assert_eq!(file_of(OsStr::new("sh.99")), None);
    }

    #[test]
    fn the_advice_names_the_missing_lines() {
        let parts = |allocator, session| Some(Parts { allocator, session });
        let neither = no_recording("cargo", None);
        assert_eq!(neither, no_recording("cargo", parts(false, false)));
        expect![[r"
            memprof: no recording was written: neither cargo nor a program that it started has a session of memprof.

            1. Add memprof to the program's package:

                cargo add memprof --path ../memprof --features heap,session   # ../memprof is a clone

            2. Add to `main.rs`:

                #[global_allocator]
                static ALLOC: memprof::Allocator = memprof::Allocator::system();

            3. Make this the first line of `main`; it does nothing without `memprof run` or `MEMPROF=1`:

                let _session = memprof::Session::start();"]].assert_eq(&neither);
        expect![[r"
            memprof: no recording was written: ./app has memprof's allocator but no session.

            1. Turn the feature `session` on:

                cargo add memprof --path ../memprof --features heap,session   # ../memprof is a clone

            2. Make this the first line of `main`:

                let _session = memprof::Session::start();"]]
        .assert_eq(&no_recording("./app", parts(true, false)));
        expect![[r"
            memprof: no recording was written: ./app can start a session, but did not.
            Make this the first line of `main`:

                let _session = memprof::Session::start();"]]
        .assert_eq(&no_recording("./app", parts(true, true)));
    }
}
