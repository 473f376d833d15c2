//! The implementation of `assert_profile!`, which compares a value's profile with a stored one.
//!
//! A stored profile is written whole or not at all, and a file that is something else is never
//! overwritten.

use crate::Profile;
use crate::testing::{Tolerance, profiled};
use crate::text::{WithCauses, macro_call};
use std::borrow::Cow;
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const UPDATE: &str = "MEMPROF_UPDATE";

/// The number of rows of differences that fit on a screen next to the rest of the message.
const ROWS: usize = 30;

const WIDTH: usize = 100;

/// The number of bytes at the start of a stored profile in which the name of the format is found.
const HEAD: usize = 200;

/// Implements `assert_profile!`.
///
/// # Panics
/// Panics if the profile differs from the stored one by more than the tolerance, or if there is no
/// stored one.
#[track_caller]
pub fn assert_profile(
    expression: &str,
    profile: Result<Cow<'_, Profile>, &'static str>,
    manifest_dir: Option<&str>,
    path: impl AsRef<Path>,
    tolerance: &[&str],
) {
    let call = || macro_call("assert_profile", expression);
    let profile = profiled("assert_profile", expression, profile);
    // A panic in a closure would not have the caller's location.
    let tolerance = match tolerance.first().map(|text| text.parse()).transpose() {
        Ok(tolerance) => tolerance,
        Err(error) => panic!("{}: {error}", call()),
    };
    let path = path.as_ref();
    let file = package_folder(manifest_dir).join(path);
    let stored = Stored { file: &file, shown: path };
    let mut compared = stored.compare(&profile, tolerance);
    if compared.is_err() && is_update_requested() && profile.unvisited_at("").is_none() {
        compared = stored.update(&profile);
    }
    if let Err(message) = compared {
        panic!("{}: {message}", call());
    }
}

fn is_update_requested() -> bool {
    std::env::var_os(UPDATE).is_some_and(|value| !value.is_empty() && value != "0")
}

/// Returns the first of these that exists: the manifest's folder at compile time,
/// `CARGO_MANIFEST_DIR` at run time, the current directory. Tests may run on another machine than
/// the one that compiled them.
fn package_folder(compiled: Option<&str>) -> PathBuf {
    existing(compiled.map(Into::into), std::env::var_os("CARGO_MANIFEST_DIR").map(Into::into))
}

/// Returns the first of the two folders that exists, or the current directory.
pub(super) fn existing(compiled: Option<PathBuf>, running: Option<PathBuf>) -> PathBuf {
    let is_folder = |folder: &PathBuf| folder.is_dir();
    compiled
        .filter(is_folder)
        .or(running.filter(is_folder))
        .unwrap_or_else(|| Path::new(".").into())
}

#[derive(Clone, Copy)]
pub(super) struct Stored<'p> {
    pub(super) file: &'p Path,
    pub(super) shown: &'p Path,
}

impl Stored<'_> {
    pub(super) fn compare(
        self,
        profile: &Profile,
        tolerance: Option<Tolerance>,
    ) -> Result<(), String> {
        let (stored, path) = (self.read()?, self.shown.display());
        // The part may have grown, whatever the file contains.
        if let Some(part) = profile.unvisited_at("") {
            return Err(format!("can't be compared with {path}, because {part} was not visited"));
        }
        let diff = profile.diff(&stored).widest(ROWS).width(WIDTH);
        if diff.is_empty() || tolerance.is_some_and(|tolerance| diff.is_within(tolerance)) {
            return Ok(());
        }
        let by = tolerance.map_or_else(String::new, |most| format!(" by more than {most}"));
        let accept = format!("to accept the change: {UPDATE}=1 cargo test");
        Err(format!("differs from {path}{by}\n{diff}\n{accept}"))
    }

    fn read(self) -> Result<Profile, String> {
        self.expect_file()?;
        let path = self.shown.display();
        let open = File::open(self.file).map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                format!("no stored profile {path}\nto write it: {UPDATE}=1 cargo test")
            }
            _ => format!("{path} can't be read: {error}"),
        })?;
        Profile::read_json(BufReader::new(open)).map_err(|error| {
            let replace = if error.is_foreign() {
                String::new()
            } else {
                format!("\nto replace it: {UPDATE}=1 cargo test")
            };
            format!("{path}: {}{replace}", WithCauses(&error))
        })
    }

    /// Writes a profile to the file, unless the file contains something else.
    pub(super) fn update(self, profile: &Profile) -> Result<(), String> {
        self.expect_file()?;
        let path = self.shown.display();
        let failed = |error: &dyn Error| format!("{path} can't be written: {}", WithCauses(error));
        let json = profile.to_json().map_err(|error| failed(&error))?;
        let stored = fs::read(self.file).unwrap_or_default();
        let head = &stored[..stored.len().min(HEAD)];
        if !stored.is_empty() && !String::from_utf8_lossy(head).contains("memprof profile") {
            return Err(format!("{path} is not a profile, so it is not overwritten"));
        }
        write_whole(self.file, &json).map_err(|error| failed(&error))
    }

    fn expect_file(self) -> Result<(), String> {
        if self.file.is_dir() {
            return Err(format!("\"{}\" is a folder; specify a file in it", self.shown.display()));
        }
        Ok(())
    }
}

/// Writes a temporary file in the same folder and renames it to `path`. Readers never read a
/// partial file, and the old file stays if writing fails.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().ok_or(ErrorKind::InvalidFilename)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let temporary = folder.join(format!(".{}.{process}.{count}", name.display()));
    let written = File::create_new(&temporary)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The caller gets the first error; a failure to remove the temporary file adds nothing.
        let _ = fs::remove_file(&temporary);
    }
    written
}
