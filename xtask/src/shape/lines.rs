//! Lines of Rust below a folder, without unit tests, and its short files.

use crate::Failure;
use std::fs;
use std::path::{Path, PathBuf};

/// A file with fewer lines than this is short.
pub(super) const SHORT: usize = 30;

/// Sums over files.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Counted {
    /// The lines without unit tests.
    pub(super) lines: usize,
    /// The lines without unit tests that are neither blank nor a comment.
    pub(super) code_lines: usize,
    /// The lines of unit tests.
    pub(super) test_lines: usize,
    /// The number of files with library code.
    pub(super) files: usize,
    pub(super) short: Vec<(PathBuf, usize)>,
}

impl Counted {
    /// Counts the Rust below a folder.
    pub(super) fn below(folder: &Path) -> Result<Self, Failure> {
        let mut counted = Self::default();
        counted.add_folder(folder, false)?;
        counted.short.sort();
        Ok(counted)
    }

    /// Adds other sums to these.
    pub(super) fn add(&mut self, other: &Self) {
        self.lines += other.lines;
        self.code_lines += other.code_lines;
        self.test_lines += other.test_lines;
        self.files += other.files;
        self.short.extend_from_slice(&other.short);
    }

    /// Returns the columns of a table.
    pub(super) fn cells(&self) -> String {
        let Self { lines, code_lines, test_lines, files, short } = self;
        format!("{lines} | {code_lines} | {test_lines} | {files} | {}", short.len())
    }

    fn add_folder(&mut self, folder: &Path, is_test: bool) -> Result<(), Failure> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let is_test = is_test || is_test_module(&path)?;
            if path.is_dir() {
                self.add_folder(&path, is_test)?;
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                self.add_file(path, is_test)?;
            }
        }
        Ok(())
    }

    fn add_file(&mut self, path: PathBuf, is_test: bool) -> Result<(), Failure> {
        let text = fs::read_to_string(&path)?;
        let all = text.lines().count();
        if is_test {
            self.test_lines += all;
            return Ok(());
        }
        let library = without_tests(&text);
        let is_code = |line: &&&str| !line.trim().is_empty() && !line.trim().starts_with("//");
        self.lines += library.len();
        self.code_lines += library.iter().filter(is_code).count();
        self.test_lines += all - library.len();
        self.files += 1;
        if all < SHORT {
            self.short.push((path, all));
        }
        Ok(())
    }
}

/// Returns whether a file or folder is a module that only tests compile.
fn is_test_module(path: &Path) -> Result<bool, Failure> {
    let (Some(stem), Some(folder)) = (path.file_stem().and_then(|s| s.to_str()), path.parent())
    else {
        return Ok(false);
    };
    // A module's parent is the file with its folder's name, `mod.rs`, or the crate's root.
    let parents = [
        folder.with_extension("rs"),
        folder.join("mod.rs"),
        folder.join("lib.rs"),
        folder.join("main.rs"),
    ];
    for parent in parents.iter().filter(|parent| parent.is_file()) {
        let declared = declares_for_tests(&fs::read_to_string(parent)?, stem);
        if declared {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether the text of a file declares a module that only tests compile.
fn declares_for_tests(text: &str, module: &str) -> bool {
    let declaration = format!("mod {module};");
    let lines = text.lines().zip(text.lines().skip(1));
    lines.into_iter().any(|(attribute, line)| {
        is_for_tests(attribute) && line.trim_start_matches("pub(crate) ").trim() == declaration
    })
}

fn is_for_tests(attribute: &str) -> bool {
    attribute.starts_with("#[cfg(test)]") || attribute.starts_with("#[cfg(all(test")
}

/// Returns the lines of a file outside its test modules. The end of a test module has the form that
/// rustfmt writes.
fn without_tests(text: &str) -> Vec<&str> {
    let mut library = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let is_module = |next: &&str| next.starts_with("mod ") && next.ends_with('{');
        if is_for_tests(line) && lines.peek().is_some_and(is_module) {
            let _ = lines.find(|line| *line == "}");
        } else {
            library.push(line);
        }
    }
    library
}

#[cfg(test)]
mod tests {
    use super::{declares_for_tests, without_tests};

    #[test]
    fn modules_of_tests_are_counted_separately() {
        let text = "fn a() {\n}\n\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n\nfn c() {\n}\n";
        assert_eq!(without_tests(text), ["fn a() {", "}", "", "", "fn c() {", "}"]);
        let function = "#[cfg(test)]\nfn only_here() {\n}";
        assert_eq!(without_tests(function).len(), 3);
    }

    #[test]
    fn modules_in_separate_files_are_found() {
        let text = "mod week;\n#[cfg(test)]\nmod tests;\n";
        assert!(declares_for_tests(text, "tests"));
        assert!(!declares_for_tests(text, "week"));
    }
}
