//! The arguments of the command line.

use crate::DEFAULT_MODEL;
use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

pub(crate) const USAGE: &str = "\
Usage: optimization_model [FILE] [--out DIR]

Profiles the optimisation model in FILE (MPS, gzip or not; 25fv47.mps unless given), prints where
its memory goes, and draws it into DIR (target/memprof unless given).
";

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    pub(crate) model: PathBuf,
    pub(crate) out: PathBuf,
}

/// An argument that is not accepted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UsageError {
    Unexpected(OsString),
    MissingDirectory,
}

impl Arguments {
    /// Parses the arguments after the program's name. Returns `None` if they ask for help.
    pub(crate) fn parse(
        words: impl IntoIterator<Item = OsString>,
    ) -> Result<Option<Self>, UsageError> {
        let (mut model, mut out) = (None, None);
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            match word.to_str() {
                Some("-h" | "--help") => return Ok(None),
                Some("--out") if out.is_none() => {
                    out = Some(words.next().ok_or(UsageError::MissingDirectory)?);
                }
                Some(option) if option.starts_with('-') => {
                    return Err(UsageError::Unexpected(word));
                }
                _ if model.is_none() => model = Some(word),
                _ => return Err(UsageError::Unexpected(word)),
            }
        }
        Ok(Some(Self {
            model: model.map_or_else(|| DEFAULT_MODEL.into(), PathBuf::from),
            out: out.map_or_else(|| "target/memprof".into(), PathBuf::from),
        }))
    }
}

impl Error for UsageError {}

impl fmt::Display for UsageError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected(word) => {
                write!(out, "expected [FILE] [--out DIR], found {:?}", word.display())
            }
            Self::MissingDirectory => {
                write!(out, "expected a directory after --out, found nothing")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Option<Arguments>, String> {
        let words = line.split_whitespace().map(OsString::from);
        Arguments::parse(words).map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_are_optional_and_in_any_order() {
        let cases = [
            ("", DEFAULT_MODEL, "target/memprof"),
            ("a.mps", "a.mps", "target/memprof"),
            ("a.mps --out b", "a.mps", "b"),
            ("--out b a.mps", "a.mps", "b"),
            ("--out b", DEFAULT_MODEL, "b"),
        ];
        for (line, model, out) in cases {
            let expected = Arguments { model: model.into(), out: out.into() };
            assert_eq!(parse(line), Ok(Some(expected)), "{line}");
        }
        assert_eq!(parse("a.mps --help"), Ok(None));
    }

    #[test]
    fn other_arguments_are_rejected() {
        let cases = [
            ("a.mps b.mps", r#"expected [FILE] [--out DIR], found "b.mps""#),
            ("--verbose", r#"expected [FILE] [--out DIR], found "--verbose""#),
            ("--out a --out b", r#"expected [FILE] [--out DIR], found "--out""#),
            ("--out", "expected a directory after --out, found nothing"),
        ];
        for (line, expected) in cases {
            assert_eq!(parse(line), Err(expected.to_owned()), "{line}");
        }
    }
}
