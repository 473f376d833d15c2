//! The output of commands: standard output, or a file that is overwritten only with `--force`.

use crate::failure::Failure;
use crate::terminal::escaped;
use core::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub(crate) enum Target {
    Standard,
    File(PathBuf),
}

impl From<std::ffi::OsString> for Target {
    fn from(name: std::ffi::OsString) -> Self {
        if name == "-" { Self::Standard } else { Self::File(name.into()) }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standard => out.write_str("standard output"),
            Self::File(path) => out.write_str(&shown_path(path)),
        }
    }
}

/// Formats a path in a form that is safe to print on a terminal.
pub(crate) fn shown_path(path: &Path) -> String {
    match path.to_string_lossy() {
        // The name is empty, for example because a variable of a script is not set.
        empty if empty.is_empty() => "\"\"".into(),
        path => escaped(&path),
    }
}

/// Prints a text, and ends its last line.
pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    print(|out| Ok(writeln!(out, "{text}")?))
}

pub(crate) fn print<T>(
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Failure> {
    write_to(io::stdout().lock(), write).map_err(|failure| failure.of_output(&Target::Standard))
}

/// Writes to a target. A file is overwritten only if `force` is set. If writing fails, no
/// incomplete file remains, and an old file stays unchanged.
pub(crate) fn write<T>(
    target: &Target,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let Target::File(path) = target else { return print(write) };
    if force && is_regular(path) {
        return replace(target, path, write);
    }
    let file = open(path, force).map_err(|error| opening(target, &error))?;
    write_to(file, write).map_err(|failure| {
        if is_regular(path) {
            // If the incomplete file can't be removed, the caller still gets the first error.
            let _ = fs::remove_file(path);
        }
        failure.of_output(target)
    })
}

pub(crate) fn opening(target: &Target, error: &io::Error) -> Failure {
    Failure::of(
        target,
        match error.kind() {
            io::ErrorKind::AlreadyExists => "already exists; choose another name or use `--force`",
            io::ErrorKind::IsADirectory => "is a directory; specify a file in it",
            io::ErrorKind::NotFound => "no such folder; create it first",
            io::ErrorKind::PermissionDenied => {
                "permission denied; choose a file in a writable folder"
            }
            _ => return Failure::of(target, format!("could not write the file: {error}")),
        },
    )
}

/// Writes a new file in the same folder, and renames it once it is complete.
fn replace<T>(
    target: &Target,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let opening = |error| opening(target, &error);
    // If the path is a link, its target is replaced and the link stays.
    let path = fs::canonicalize(path).map_err(opening)?;
    // Opening the old file fails without write permission, so such a file is not replaced.
    let old = OpenOptions::new().write(true).open(&path).map_err(opening)?;
    let permissions = old.metadata().map_err(opening)?.permissions();
    let mut new = path.clone().into_os_string();
    new.push(format!(".{}.new", std::process::id()));
    let file = OpenOptions::new().write(true).create_new(true).open(&new).map_err(opening)?;
    let written = write_to(file, write).and_then(|written| {
        fs::set_permissions(&new, permissions)?;
        fs::rename(&new, &path)?;
        Ok(written)
    });
    written.map_err(|failure| {
        let _ = fs::remove_file(&new);
        failure.of_output(target)
    })
}

fn write_to<T>(
    out: impl Write,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut out = BufWriter::new(out);
    let written = write(&mut out)?;
    out.flush()?;
    Ok(written)
}

/// Returns an error if a page, a drawing or binary data would be written to a terminal.
pub(crate) fn check_terminal(target: &Target) -> Result<(), Failure> {
    match target {
        Target::Standard if io::stdout().is_terminal() => {
            let reason = "not writing binary data to a terminal; use `-o FILE` or a pipe";
            Err(Failure::of(target, reason))
        }
        _ => Ok(()),
    }
}

pub(crate) fn check_file(path: &Path, force: bool) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let problem = if path.is_dir() {
        io::ErrorKind::IsADirectory
    } else if !force && is_regular(path) {
        io::ErrorKind::AlreadyExists
    } else if folder.is_some_and(|folder| !folder.is_dir()) {
        io::ErrorKind::NotFound
    } else {
        return Ok(());
    };
    Err(opening(&Target::File(path.into()), &problem.into()))
}

fn open(path: &Path, force: bool) -> io::Result<File> {
    if force || is_special(path) {
        return File::create(path);
    }
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Devices and pipes have no content to overwrite.
fn is_special(path: &Path) -> bool {
    path.exists() && !is_regular(path)
}

fn is_regular(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}
