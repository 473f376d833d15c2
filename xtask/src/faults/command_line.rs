//! The command line on the files of two runs: a complete one, and one that was killed.

use super::Checked;
use super::program::{Folder, Program};
use crate::Failure;
use crate::built::built;
use std::path::Path;
use std::process::Command;

/// Commands, and the words that their output must contain.
const EXPECTED_OUTPUT: &[(&[&str], &[&str])] = &[
    (&["info"], &["source_index", "roots", "index", "explained:", "keeps growing", "finished"]),
    (&["leaks"], &["complain", "long_lines.rs:22", "index;index_one;remember"]),
    (&["ops"], &["index_one", "remember", "words", "insert"]),
    (&["tree"], &["words", "files", "exact"]),
    (&["top"], &["index;words"]),
];

pub(super) fn reads_the_files(program: &Program) -> Checked {
    let memprof = built(&["--package", "memprof-cli"], "debug/memprof")?;
    let folder = Folder::new()?;
    let ended = program.run(&folder.0, &["--rounds", "40"])?;
    if !ended.status.success() {
        return Err(ended.error.into());
    }
    let mut lines = 0;
    for file in folder.files()? {
        for (arguments, expected) in EXPECTED_OUTPUT {
            let printed = print(&memprof, arguments, &file)?;
            lines += printed.lines().count();
            if let Some(missing) = expected.iter().find(|word| !printed.contains(**word)) {
                return Err(format!("{arguments:?} does not print {missing}:\n{printed}").into());
            }
        }
        let begun = format!("{}@indexed 1", file.display());
        print(&memprof, &["diff", &begun], &file)?;
    }
    Ok(format!(
        "info, leaks, ops, tree, top and diff of both files: {lines} lines have the expected words"
    ))
}

fn print(memprof: &Path, arguments: &[&str], file: &Path) -> Result<String, Failure> {
    let run = Command::new(memprof).args(arguments).arg(file).output()?;
    if !run.status.success() {
        let error = String::from_utf8_lossy(&run.stderr);
        return Err(format!("memprof {arguments:?} {}: {error}", file.display()).into());
    }
    Ok(String::from_utf8(run.stdout)?)
}
