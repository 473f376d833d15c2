//! `cargo xtask recording`: records the example `source_index` in the current format. Tests print
//! each view of the recording.

use crate::tools::output;
use crate::{Failure, built, target, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The path from which the test reads it, without the extension.
const STORED: &str = "tests/data/recordings/source_index";

/// Sources that take a second or two to index, so that the leak is visible.
const SOURCES: [&str; 4] = ["memprof-core", "memprof-session", "memprof-heap", "examples"];

pub(crate) fn run() -> Result<(), Failure> {
    let folder = target("recording");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let example = ["--package", "memprof", "--example", "source_index"];
    let mut example = Command::new(built::built(&example, "debug/examples/source_index")?);
    example.current_dir(workspace()).args(["--rounds", "10", "--output-dir"]).arg(&folder);
    example.env("MEMPROF_INTERVAL", "2s").env("MEMPROF_OPERATION_EVENTS", "200");
    output(example.args(SOURCES))?;
    let stored = workspace().join(STORED);
    fs::create_dir_all(stored.parent().ok_or("the folder has no name")?)?;
    for ending in ["json", "jsonl"] {
        let text = neutral(&fs::read_to_string(file(&folder, ending)?)?)?;
        fs::write(stored.with_extension(ending), text)?;
    }
    println!(
        "written: {STORED}.json and {STORED}.jsonl; adapt memprof-cli/tests/all/source_index.rs"
    );
    Ok(())
}

fn file(folder: &Path, ending: &str) -> Result<PathBuf, Failure> {
    let mut paths = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let path = paths.find(|path| path.extension().is_some_and(|extension| extension == ending));
    path.ok_or_else(|| format!("the example wrote no .{ending}").into())
}

/// Replaces the paths of this machine in the text, so that the file does not contain them.
fn neutral(text: &str) -> Result<String, Failure> {
    let home = std::env::home_dir().ok_or("the home folder is unknown")?;
    let cargo = std::env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    let mut text = text.to_owned();
    for (folder, name) in [(workspace().canonicalize()?, "/src/memprof"), (cargo, "/cargo")] {
        let folder = folder.to_str().ok_or("the name of a folder is not UTF-8")?;
        text = text.replace(folder, name);
    }
    // The folder of a registry contains the name of its host.
    Ok(text.replace("/registry/src/index.crates.io-", "/registry/src/index-"))
}
