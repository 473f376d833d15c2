//! The implementation of `assert_profile!`, which compares a value's profile with a stored one.

use crate::Profile;
use crate::testing::Tolerance;
use crate::testing::locations::package_folder;
use crate::testing::write::write_whole;
use crate::text::WithCauses;
use crate::views::JsonError;
use core::fmt;
use std::borrow::Cow;
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

/// The environment variable that makes tests write profiles instead of comparing them.
const UPDATE: &str = "MEMPROF_UPDATE";

/// The number of rows of differences that fit on a screen next to the rest of the message.
const ROWS: usize = 30;

/// The number of columns of a screen.
const WIDTH: usize = 100;

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
    let call = || crate::text::macro_call("assert_profile", expression);
    let profile = crate::testing::profiled("assert_profile", expression, profile);
    // A panic in a closure would not have the caller's location.
    let tolerance = match tolerance.first().map(|text| text.parse()).transpose() {
        Ok(tolerance) => tolerance,
        Err(error) => panic!("{}: {error}", call()),
    };
    let path = path.as_ref();
    let file = package_folder(manifest_dir).join(path);
    let mut compared = compare(&profile, &file, tolerance);
    if compared.is_err() && is_update_requested() {
        compared = update(&profile, &file);
    }
    if let Err(error) = compared {
        panic!("{}: {}", call(), error.with_path(path));
    }
}

fn is_update_requested() -> bool {
    std::env::var_os(UPDATE).is_some_and(|value| !value.is_empty() && value != "0")
}

/// The reason why a profile differs from the stored one, or could not be stored.
#[derive(Debug)]
pub(super) struct StoredError {
    path: PathBuf,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Missing,
    /// The path is a folder.
    Folder,
    OpenFailed(io::Error),
    ReadFailed(JsonError),
    /// The differences, and the tolerance.
    Differs(String, Option<Tolerance>),
    /// The file is not a profile and is not overwritten.
    Foreign,
    WriteFailed(io::Error),
    SerializeFailed(JsonError),
}

impl StoredError {
    fn new(path: &Path, kind: Kind) -> Self {
        Self { path: path.into(), kind }
    }

    /// Replaces the path in the error by the path that the test passed.
    fn with_path(self, path: &Path) -> Self {
        Self { path: path.into(), ..self }
    }
}

/// Compares a profile with the one in a file.
pub(super) fn compare(
    profile: &Profile,
    file: &Path,
    tolerance: Option<Tolerance>,
) -> Result<(), StoredError> {
    let stored = read(file)?;
    let diff = profile.diff(&stored).widest(ROWS).width(WIDTH);
    if diff.is_empty() || tolerance.is_some_and(|tolerance| diff.is_within(tolerance)) {
        return Ok(());
    }
    Err(StoredError::new(file, Kind::Differs(diff.to_string(), tolerance)))
}

fn read(file: &Path) -> Result<Profile, StoredError> {
    if file.is_dir() {
        return Err(StoredError::new(file, Kind::Folder));
    }
    let open = File::open(file).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Kind::Missing,
        _ => Kind::OpenFailed(error),
    });
    open.and_then(|open| Profile::read_json(BufReader::new(open)).map_err(Kind::ReadFailed))
        .map_err(|kind| StoredError::new(file, kind))
}

/// Writes a profile to a file, unless the file contains something else.
pub(super) fn update(profile: &Profile, file: &Path) -> Result<(), StoredError> {
    let failed = |kind| StoredError::new(file, kind);
    if file.is_dir() {
        return Err(failed(Kind::Folder));
    }
    let json = profile.to_json().map_err(|error| failed(Kind::SerializeFailed(error)))?;
    let stored = fs::read(file).unwrap_or_default();
    let head = &stored[..stored.len().min(HEAD)];
    if !stored.is_empty() && !String::from_utf8_lossy(head).contains("memprof profile") {
        return Err(failed(Kind::Foreign));
    }
    write_whole(file, &json).map_err(|error| failed(Kind::WriteFailed(error)))
}

/// The number of bytes at the start of a stored profile in which the name of the format is found.
const HEAD: usize = 200;

impl fmt::Display for StoredError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.kind {
            Kind::Missing => {
                write!(out, "no stored profile {path}\nto write it: {UPDATE}=1 cargo test")
            }
            Kind::Folder => write!(out, "\"{path}\" is a folder: name a file in it"),
            Kind::OpenFailed(error) => write!(out, "{path} can't be read: {error}"),
            Kind::ReadFailed(error) if error.is_foreign() => {
                write!(out, "{path}: {}", WithCauses(error))
            }
            Kind::ReadFailed(error) => {
                write!(out, "{path}: {}\nto replace it: {UPDATE}=1 cargo test", WithCauses(error))
            }
            Kind::Differs(diff, tolerance) => {
                write!(out, "differs from {path}")?;
                if let Some(tolerance) = tolerance {
                    write!(out, " by more than {tolerance}")?;
                }
                write!(out, "\n{diff}\nto accept the change: {UPDATE}=1 cargo test")
            }
            Kind::Foreign => write!(out, "{path} is not a profile, so it is not overwritten"),
            Kind::WriteFailed(error) => write!(out, "{path} can't be written: {error}"),
            Kind::SerializeFailed(error) => {
                write!(out, "{path} can't be written: {}", WithCauses(error))
            }
        }
    }
}

impl Error for StoredError {}
