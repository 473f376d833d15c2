//! Profiles from files: what a file is, its content tells.

mod error;

pub(crate) use error::InputError;

use crate::shown::shown;
use core::fmt;
use memprof_core::Profile;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Where a profile comes from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Standard,
    File(PathBuf),
}

impl From<std::ffi::OsString> for Source {
    fn from(name: std::ffi::OsString) -> Self {
        if name == "-" { Self::Standard } else { Self::File(name.into()) }
    }
}

/// The name of a file may be shown on a terminal.
impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standard => out.write_str("standard input"),
            Self::File(path) => out.write_str(&shown(&path.to_string_lossy())),
        }
    }
}

/// What a profile was written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Folded,
}

/// So much of a file is looked at to tell what it is.
const HEAD: u64 = 4096;

/// The profile that a file holds, and what it was written as.
pub(crate) fn read(source: &Source) -> Result<(Profile, Format), InputError> {
    let wrong = |what| InputError::new(source, what);
    let profile = match source {
        Source::Standard => profile(io::stdin().lock()),
        Source::File(path) => open(path).map_err(error::What::Io).and_then(profile),
    };
    profile.map_err(wrong)
}

fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    // Opening a directory succeeds on Linux; only reading it does not.
    if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) }
}

fn profile(mut bytes: impl Read) -> Result<(Profile, Format), error::What> {
    let mut head = Vec::new();
    bytes.by_ref().take(HEAD).read_to_end(&mut head).map_err(error::What::Io)?;
    // Some editors begin a text with a mark of its encoding.
    let mark = if head.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let format = format(&head[mark..])?;
    let all = head[mark..].chain(bytes);
    let profile = match format {
        Format::Json => Profile::read_json(all)?,
        Format::Folded => Profile::read_folded(all)?,
    };
    Ok((profile, format))
}

/// What a file is that begins so.
fn format(head: &[u8]) -> Result<Format, error::What> {
    if head.starts_with(b"\x1f\x8b") {
        return Err(error::What::Compressed);
    }
    let text = head.trim_ascii_start();
    let Some((first, rest)) = text.split_first() else { return Err(error::What::Empty) };
    // A frame may begin with a brace or a bracket too: `{closure};main 5`, `[unknown];main 5`.
    let next = rest.trim_ascii_start().first();
    let is_json = match first {
        b'{' => matches!(next, None | Some(b'"' | b'}')),
        b'[' => matches!(next, None | Some(b'"' | b'{' | b'[' | b']' | b'-' | b'0'..=b'9')),
        b'"' => true,
        _ => false,
    };
    Ok(if is_json { Format::Json } else { Format::Folded })
}

#[cfg(test)]
mod tests {
    use super::{Format, format};

    #[test]
    fn the_first_bytes_tell_what_a_file_is() {
        let cases: [(&str, Format); 9] = [
            ("{\"format\": 1}", Format::Json),
            (" \n{ \"format\"", Format::Json),
            ("{", Format::Json),
            ("[{}]", Format::Json),
            ("[1]", Format::Json),
            ("main;load 5", Format::Folded),
            ("{closure};load 5", Format::Folded),
            ("[unknown];load 5", Format::Folded),
            ("# a comment\nmain 5", Format::Folded),
        ];
        for (head, expected) in cases {
            assert_eq!(format(head.as_bytes()).ok(), Some(expected), "{head}");
        }
        assert!(
            format(b"").is_err() && format(b" \n").is_err() && format(b"\x1f\x8b\x08").is_err()
        );
    }
}
