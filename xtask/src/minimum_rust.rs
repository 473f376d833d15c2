//! `cargo xtask minimum-rust`: each `rust-version` that a manifest promises. A library outside the
//! workspace, which depends on memprof-core alone, is tested too.

use crate::report::run_all;
use crate::runs::Run;
use crate::{Failure, workspace};
use std::fs;

/// The folder of the manifest with the version, and the command.
const COMMANDS: [(&str, &str); 5] = [
    ("memprof-core", "check --package memprof-core --features smallvec1,indexmap2,bytes1"),
    ("memprof-derive", "check --package memprof-derive --features track"),
    ("memprof-core", "test --manifest-path tests/packages/core_only_library/Cargo.toml"),
    (".", "check --package memprof --features json,yaml,flamegraph,track,gpu,pool"),
    ("memprof-heap", "check --package memprof --features full,tracing_subscriber03,tower_layer03"),
];

pub(crate) fn run() -> Result<(), Failure> {
    let mut runs = Vec::new();
    for (folder, command) in COMMANDS {
        let manifest = fs::read_to_string(workspace().join(folder).join("Cargo.toml"))?;
        // The last one: that of the package follows that of the workspace.
        let mut lines = manifest.lines().rev();
        let version = lines.find_map(|line| line.strip_prefix("rust-version = \""));
        let version = version.ok_or_else(|| format!("{folder}/Cargo.toml has no rust-version"))?;
        let toolchain = format!("{}.0", version.trim_end_matches('"'));
        let run = Run::new(format!("Rust {toolchain}: cargo {command}"));
        runs.push(run.folder("minimum-rust").toolchain(toolchain).cargo(command));
    }
    run_all(runs, |run| run.name.clone(), Run::outcome)
}
