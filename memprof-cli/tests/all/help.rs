//! Tests that run the examples that `--help` shows, with a recording of the example `source_index`.

use crate::memprof::{command, file, folder, run};
use crate::recordings::importer;
use crate::samples::{json, model};
use crate::source_index::{DOCUMENT, TIMELINE};
use std::fs;
use std::path::Path;

/// Returns the examples of a command's help.
fn examples(command: &str) -> Vec<String> {
    let help = run(&[command, "--help"]).well();
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    lines.map_while(|line| line.strip_prefix("  ")).map(str::to_owned).collect()
}

/// Writes the files that the examples name.
fn write_files(folder: &Path) {
    for name in ["run.json", "nightly.json"] {
        fs::copy(DOCUMENT, folder.join(name)).expect("it is copied");
    }
    for name in ["run.jsonl", "memory_profile_20261121_083000.jsonl"] {
        fs::copy(TIMELINE, folder.join(name)).expect("it is copied");
    }
    for name in ["model.json", "before.json", "after.json"] {
        file(folder, name, json(&model()));
    }
    let mut recorded = importer();
    for name in ["runs-of-main", "runs-of-branch"] {
        fs::create_dir(folder.join(name)).expect("the folder is new");
        file(&folder.join(name), "memory_profile_1.json", recorded.report());
        let heap = &mut recorded.snapshots.last_mut().expect("it has snapshots")["heap"];
        heap["peak_bytes"] = (1_u64 << 30).into();
    }
}

#[test]
fn examples_of_the_help_run_with_a_real_recording() {
    let mut count = 0;
    for name in
        ["tree", "top", "diff", "flamegraph", "export", "info", "report", "ops", "html", "leaks"]
    {
        let examples = examples(name);
        assert!(!examples.is_empty(), "{name}");
        let folder = folder(&format!("help/{name}"));
        write_files(&folder);
        for example in examples {
            // A server has no end, and this folder is the reader's own.
            if example.contains("--listen") || example.contains("/srv/") {
                continue;
            }
            let words = example.split_whitespace().map(|word| word.trim_matches('\''));
            let arguments: Vec<&str> = words.skip(1).collect();
            let output = command(&arguments).current_dir(&folder).output().expect("it runs");
            let ran = crate::memprof::Ran::from(output);
            // The recording's heap grew, and a part of the model is locked, so limits fail.
            let expected = i32::from(example.contains("--fail-if-grows"));
            assert_eq!(ran.code, Some(expected), "{example}: {ran:?}");
            count += 1;
        }
    }
    assert!(count > 15, "{count} examples");
}
