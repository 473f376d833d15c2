//! The arguments of the command line.

use std::ffi::OsString;
use std::path::PathBuf;

/// The arguments of the command line.
pub(crate) struct Arguments {
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) output_dir: PathBuf,
    pub(crate) threads: usize,
    /// The number of times that the program indexes all files.
    pub(crate) rounds: u32,
    /// `true` to answer queries until a signal ends the program.
    pub(crate) wait: bool,
}

const HELP: &str = "\
usage: source_index [--output-dir FOLDER] [--threads N] [--rounds N] [--wait] [FOLDER…]
Indexes the Rust sources below each FOLDER; without one, those below the current directory.";

impl Arguments {
    pub(crate) fn parse(words: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let mut arguments = Self {
            folders: Vec::new(),
            output_dir: PathBuf::from("."),
            threads: 2,
            rounds: 4,
            wait: false,
        };
        let mut words = words;
        while let Some(word) = words.next() {
            let mut number = |what: &str| {
                let text = words.next().and_then(|word| word.into_string().ok());
                let number = text.and_then(|text| text.parse().ok()).filter(|number| *number > 0);
                number.ok_or_else(|| format!("expected a number from 1 after {what}\n{HELP}"))
            };
            match word.to_str() {
                Some("--threads") => arguments.threads = number("--threads")?,
                Some("--rounds") => arguments.rounds = number("--rounds")? as u32,
                Some("--wait") => arguments.wait = true,
                Some("--output-dir") => {
                    let folder = words.next();
                    let folder = folder
                        .ok_or_else(|| format!("expected a folder after --output-dir\n{HELP}"))?;
                    arguments.output_dir = folder.into();
                }
                Some(option) if option.starts_with("--") => return Err(HELP.to_owned()),
                _ => arguments.folders.push(word.into()),
            }
        }
        if arguments.folders.is_empty() {
            arguments.folders.push(PathBuf::from("."));
        }
        Ok(arguments)
    }
}
