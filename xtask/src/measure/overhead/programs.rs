//! The programs of `benches/heap`, compiled as users compile theirs.

use crate::Failure;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The folder of the programs.
pub(super) struct Programs {
    folder: PathBuf,
}

impl Programs {
    /// Builds the programs like a release of cargo, which is this workspace's profile `bench`.
    pub(super) fn build() -> Result<Self, Failure> {
        Self::build_by(&["--profile", "bench", "--features", "inner", "--bins"])
    }

    /// Builds three programs with `lto = "fat"`, which is this workspace's profile `release`. They
    /// have a folder of their own, because cargo writes the programs of both profiles into the same
    /// folder.
    pub(super) fn build_linked(&self) -> Result<Self, Failure> {
        let folder = self.folder.join("linked");
        let folder = folder.to_str().ok_or("the target folder's path is not UTF-8")?;
        let bins = ["--bin", "plain", "--bin", "forwarding", "--bin", "with_memprof"];
        Self::build_by(&[&["--release", "--target-dir", folder][..], &bins].concat())
    }

    fn build_by(how: &[&str]) -> Result<Self, Failure> {
        let built = crate::cargo()
            .args(["build", "--quiet", "--package", "memprof-heap-benches"])
            .args(how)
            .args(["--message-format", "json-render-diagnostics"])
            .stderr(Stdio::inherit())
            .output()?;
        let messages = String::from_utf8(built.stdout)?;
        match messages.lines().find_map(executable) {
            Some(program) if built.status.success() => {
                let folder = program.parent().ok_or("a program without a folder")?;
                Ok(Self { folder: folder.to_path_buf() })
            }
            _ => Err("the programs of benches/heap do not build".into()),
        }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// Returns the path of the program from one of cargo's messages.
fn executable(message: &str) -> Option<&Path> {
    let (_, rest) = message.split_once(r#""executable":""#)?;
    Some(Path::new(rest.split_once('"')?.0))
}

#[cfg(test)]
mod tests {
    use super::executable;
    use std::path::Path;

    #[test]
    fn the_program_is_read_from_a_message() {
        let message = r#"{"reason":"compiler-artifact","executable":"/t/plain","fresh":true}"#;
        assert_eq!(executable(message), Some(Path::new("/t/plain")));
        assert_eq!(executable(r#"{"reason":"x","executable":null}"#), None);
    }
}
