//! The lines to add to a program, so that it makes a recording.

use crate::terminal::escaped;
use std::env;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

const DEPENDENCY: &str =
    "cargo add memprof --path ../memprof --features heap,session   # ../memprof is a clone";
const ALLOCATOR_LINES: &str = "    #[global_allocator]
    static ALLOC: memprof::Allocator = memprof::Allocator::system();";
const SESSION_LINE: &str = "let _session = memprof::Session::start();";

pub(super) fn print_no_recording(command: &OsStr) {
    let name = escaped(&command.to_string_lossy());
    // Ignore a failure, because there is no other place to report that standard error is closed.
    let _ = writeln!(std::io::stderr(), "\n{}", no_recording(&name));
}

pub(super) fn print_no_allocator() {
    let text = format!(
        "memprof: the heap is unknown without memprof's allocator; add these lines to `main.rs`:\n\
         \n{ALLOCATOR_LINES}"
    );
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The command may be a launcher such as cargo, which starts the program to record.
fn no_recording(name: &str) -> String {
    let what = format!(
        "memprof: no recording was written, because neither {name} nor a process that it \
         started has a memprof session."
    );
    if is_python(name) {
        return format!(
            "{what}\n\
             \nmemprof records the Rust code of extension modules, not Python objects.\n\
             \n1. Build the extension with memprof's allocator, as docs/python.md shows.\n\
             \n2. Start a session in Python, with the package memprof-rs:\n\
             \n    import memprof_rs\n\
             \n    with memprof_rs.session():\n        ..."
        );
    }
    format!(
        "{what}\n\
         \n1. Add memprof to the program's package:\n\n    {DEPENDENCY}\n\
         \n2. Add to `main.rs`:\n\n{ALLOCATOR_LINES}\n\
         \n3. Make this the first line of `main`; it does nothing without `memprof run` or \
         `MEMPROF=1`:\n\n    {SESSION_LINE}"
    )
}

/// Returns whether a command is an interpreter of Python, or a tool that runs one.
fn is_python(name: &str) -> bool {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    ["python", "ipython", "jupyter", "pytest"].iter().any(|tool| name.starts_with(tool))
}

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

#[cfg(test)]
mod tests {
    #[test]
    fn advice_is_in_the_language_of_the_program() {
        for python in ["python3", "/usr/bin/python3.12", "pytest", "C:\\python.exe"] {
            let advice = super::no_recording(python);
            assert!(advice.contains("memprof_rs.session()"), "{advice}");
            assert!(!advice.contains("cargo"), "{advice}");
        }
        for rust in ["service", "./python/service", "micropython"] {
            assert!(super::no_recording(rust).contains("cargo add memprof"));
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
}
