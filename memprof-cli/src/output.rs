//! The output of commands: standard output, or a file that is overwritten only with `--force`.

mod error;

pub(crate) use error::OutputError;

use std::error::Error;
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

type Cause = Box<dyn Error + 'static>;

/// Writes to standard output.
pub(crate) fn print(
    write: impl FnOnce(&mut dyn Write) -> Result<(), Cause>,
) -> Result<(), OutputError> {
    let mut out = BufWriter::new(io::stdout().lock());
    let written = write(&mut out).and_then(|()| Ok(out.flush()?));
    written.map_err(|cause| OutputError::writing(&Target::Standard, cause))
}

/// Writes to a target. A file is overwritten only if `force` is set. If writing fails, no
/// incomplete file remains, and an old file stays unchanged.
pub(crate) fn write(
    target: &Target,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Cause>,
) -> Result<(), OutputError> {
    let Target::File(path) = target else { return print(write) };
    if force && is_regular(path) {
        return replace(target, path, write);
    }
    let file = open(path, force).map_err(|error| OutputError::opening(target, error))?;
    write_to(file, write).map_err(|cause| {
        if is_regular(path) {
            // If the incomplete file can't be removed, the caller still gets the first error.
            let _ = fs::remove_file(path);
        }
        OutputError::writing(target, cause)
    })
}

/// Writes a new file in the same folder, and renames it once it is complete.
fn replace(
    target: &Target,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Cause>,
) -> Result<(), OutputError> {
    let opening = |error| OutputError::opening(target, error);
    // If the path is a link, its target is replaced and the link stays.
    let path = fs::canonicalize(path).map_err(opening)?;
    // Opening the old file fails without write permission, so such a file is not replaced.
    let old = OpenOptions::new().write(true).open(&path).map_err(opening)?;
    let permissions = old.metadata().map_err(opening)?.permissions();
    let mut new = path.clone().into_os_string();
    new.push(format!(".{}.new", std::process::id()));
    let file = OpenOptions::new().write(true).create_new(true).open(&new).map_err(opening)?;
    let written = write_to(file, write).and_then(|()| {
        fs::set_permissions(&new, permissions)?;
        Ok(fs::rename(&new, &path)?)
    });
    written.map_err(|cause| {
        let _ = fs::remove_file(&new);
        OutputError::writing(target, cause)
    })
}

fn write_to(
    file: File,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Cause>,
) -> Result<(), Cause> {
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    Ok(out.flush()?)
}

/// Returns an error if a page, a drawing or binary data would be written to a terminal.
pub(crate) fn check_terminal(target: &Target) -> Result<(), OutputError> {
    match target {
        Target::Standard if io::stdout().is_terminal() => Err(OutputError::terminal()),
        _ => Ok(()),
    }
}

pub(crate) fn check_file(path: &Path, force: bool) -> Result<(), OutputError> {
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
    Err(OutputError::opening(&Target::File(path.into()), problem.into()))
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
