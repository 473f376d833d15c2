//! Writes the profile as files in the formats of other tools.

use memprof::Profile;
use std::error::Error;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

const NAME: &str = "optimization_model";

/// The written files, each with its purpose.
#[derive(Debug)]
pub(crate) struct Drawings {
    folded: PathBuf,
    json: PathBuf,
    svg: PathBuf,
}

/// A file that could not be written.
#[derive(Debug)]
pub(crate) struct WriteError {
    path: PathBuf,
    cause: Box<dyn Error>,
}

/// Writes folded stacks, JSON and a flamegraph into a directory, which is created if missing.
pub(crate) fn write(profile: &Profile, directory: &Path) -> Result<Drawings, WriteError> {
    fs::create_dir_all(directory).map_err(|cause| WriteError::new(directory, cause))?;
    let file = |extension, text: Result<String, Box<dyn Error>>| {
        let path = directory.join(NAME).with_extension(extension);
        match text.and_then(|text| Ok(fs::write(&path, text)?)) {
            Ok(()) => Ok(path),
            Err(cause) => Err(WriteError { path, cause }),
        }
    };
    Ok(Drawings {
        folded: file("folded", Ok(profile.to_folded()))?,
        json: file("json", profile.to_json().map_err(Into::into))?,
        svg: file("svg", profile.to_flamegraph().map_err(Into::into))?,
    })
}

impl fmt::Display for Drawings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}  a flamegraph, for a browser", self.svg.display())?;
        writeln!(out, "{}  the whole profile, for programs", self.json.display())?;
        write!(out, "{}  folded stacks, for other viewers and grep", self.folded.display())
    }
}

impl WriteError {
    fn new(path: &Path, cause: impl Into<Box<dyn Error>>) -> Self {
        Self { path: path.to_owned(), cause: cause.into() }
    }
}

impl Error for WriteError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.cause)
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: cannot be written", self.path.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;
    use std::process;

    #[test]
    fn a_directory_is_made_and_gets_three_files() {
        let profile = Profile::named("numbers", &vec![1_u64, 2, 3]);
        let directory = env::temp_dir().join(format!("optimization_model-{}", process::id()));
        let drawings = write(&profile, &directory.join("made")).expect("a new directory");
        let written = [&drawings.folded, &drawings.json, &drawings.svg]
            .map(|path| fs::read_to_string(path).unwrap_or_default());
        fs::remove_dir_all(&directory).expect("the directory is ours");
        assert_eq!(written[0], "numbers 48\n");
        assert!(written[1].starts_with('{'), "{}", written[1]);
        assert!(written[2].contains("</svg>"), "{}", written[2]);
    }

    // The error's text differs on other systems.
    #[cfg(unix)]
    #[test]
    fn a_file_is_no_directory() {
        let profile = Profile::named("numbers", &vec![1_u64, 2, 3]);
        let file = Path::new(crate::DEFAULT_MODEL);
        let error = write(&profile, &file.join("below")).expect_err("a file is in the way");
        let expected = "below: cannot be written: Not a directory (os error 20)";
        assert!(crate::one_line(&error).ends_with(expected), "{error}");
    }
}
