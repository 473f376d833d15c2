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
            // A variable of a script that is not set.
            Self::File(path) if path.as_os_str().is_empty() => out.write_str("\"\""),
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

/// How files begin that hold no profile but may be taken for one; what they are, and what to do.
const OTHERS: [(&[u8], &str, &str); 12] = [
    (b"\x1f\x8b", "compressed with gzip", "unpack it with `gunzip`"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "unpack it with `unzstd`"),
    (b"\xfd7zXZ\0", "compressed with xz", "unpack it with `unxz`"),
    (b"BZh91AY&SY", "compressed with bzip2", "unpack it with `bunzip2`"),
    (b"PK\x03\x04", "a zip archive", "unpack it with `unzip`"),
    (b"\xff\xfe", UTF_16, SAVE_AS_UTF_8),
    (b"\xfe\xff", UTF_16, SAVE_AS_UTF_8),
    (b"format: \"memprof ", "YAML", "name the JSON that it was converted from"),
    // Frames of Rust begin with `<` too.
    (b"<?xml", MARKUP, DRAWN_FROM),
    (b"<svg", MARKUP, DRAWN_FROM),
    (b"<!DOCTYPE", MARKUP, DRAWN_FROM),
    (b"<html", MARKUP, DRAWN_FROM),
];

/// As some shells of Windows write what is piped into a file.
const UTF_16: &str = "text in UTF-16";
const SAVE_AS_UTF_8: &str = "save it as UTF-8, or write it with `--output`";
const MARKUP: &str = "a page or a drawing";
const DRAWN_FROM: &str = "name the profile that it was made from";

/// What a file is that begins so.
fn format(head: &[u8]) -> Result<Format, error::What> {
    let text = head.trim_ascii_start();
    if let Some(&(_, what, instead)) = OTHERS.iter().find(|other| text.starts_with(other.0)) {
        return Err(error::What::Other { what, instead });
    }
    let Some((first, rest)) = text.split_first() else { return Err(error::What::Empty) };
    // A frame may begin with a brace or a bracket too: `{closure};main 5`, `[unknown];main 5`.
    let next = rest.trim_ascii_start().first();
    let is_json = match first {
        b'{' => matches!(next, None | Some(b'"' | b'}')),
        b'[' => matches!(next, None | Some(b'"' | b'{' | b'[' | b']' | b'-' | b'0'..=b'9')),
        b'"' => true,
        _ => false,
    };
    // Nobody need read all of a file, or of `/dev/zero`, to see that it holds no names.
    if !is_json && text.contains(&0) {
        let instead = "name a file that memprof or a tool that folds stacks wrote";
        return Err(error::What::Other { what: "no text", instead });
    }
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
