//! The program as a whole: what it records, and how it ends.

use memprof::session::Recording;
use memprof::session::document::RootState;
use memprof::{Kind, Profile, Role};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Each of a million tokens has a score for each other, in 32 heads, beside the mask.
const ENORMOUS: [&str; 8] =
    ["--shape", "1b", "--dtype", "f32", "--context", "1048576", "--prompt", "1048576"];

fn run(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_transformer"));
    // Whoever records the tests doesn't mean the program.
    command.args(words).env_remove("MEMPROF").output().expect("it starts")
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("it prints text")
}

/// The folder, made anew, and what a session wrote there.
fn recorded(folder: &str) -> Recording {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("transformer").join(folder);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("the folder is ours");
    }
    let output = run(&["--generate", "2", "--output-dir", folder.to_str().expect("it is text")]);
    assert!(output.status.success(), "{}", text(output.stderr));
    let files = std::fs::read_dir(&folder).expect("the program made it");
    let mut files = files.map(|file| file.expect("it is readable").path());
    let report: Option<PathBuf> = files.find(|path| path.extension().is_some_and(|e| e == "json"));
    Recording::read_file(report.expect("it wrote a report")).expect("it is whole")
}

#[test]
fn a_session_has_the_roots_at_the_largest_moment_the_operations_and_those_of_the_framework() {
    let recording = recorded("session");
    let snapshot = recording.snapshot("largest moment").expect("the formula was right");
    let names: Vec<&str> = snapshot.roots.iter().map(|root| root.name.as_str()).collect();
    assert_eq!(names, ["weights", "kv cache", "activations"]);
    for root in &snapshot.roots {
        assert_eq!(root.state, RootState::Profiled, "{}", root.name);
    }
    // 48 tokens of 64 numbers, the mask, the scores of 8 heads before and after, and their sums.
    let numbers = 48 * 64 + 48 * 48 + 2 * 8 * 48 * 48 + 8 * 48;
    let json = snapshot.roots[2].profile.as_ref().expect("it was profiled").get();
    let profile = Profile::from_json(json).expect("it is a profile");
    let elements = profile.leaves().map(|(_, leaf)| leaf);
    let elements =
        elements.filter(|leaf| leaf.kind() == Kind::Data && leaf.role() != Role::Metadata);
    assert_eq!(elements.map(|leaf| leaf.bytes()).sum::<u64>(), 4 * numbers);

    let operations = recording.summary.operations.iter().map(|row| row.path.join(";"));
    let operations: Vec<String> = operations.collect();
    for path in ["make weights", "make KV cache", "prompt;attention", "token;mlp", "token;head"] {
        assert!(operations.iter().any(|known| known == path), "{path} in {operations:?}");
    }
    let framework = &recording.summary.framework_operations;
    for name in ["embedding", "linear", "matmul", "slice_set", "argmax"] {
        assert!(framework.iter().any(|row| row.name == name), "{name}");
    }
}

#[test]
fn calls_of_operations_know_the_tensors_that_they_left() {
    let recording = recorded("events");
    let path = recording.operation_paths.iter().find(|path| path.names == ["prompt", "embed"]);
    let path = path.expect("the prompt is embedded").path;
    let events = recording.operation_events.iter().filter(|event| event.path == path);
    let deltas: Vec<_> = events.map(|event| event.tensor_delta_bytes).collect();
    // The tokens' numbers came and went; what they stand for stayed.
    assert_eq!(deltas, [Some(48 * 64 * 4)]);
}

#[test]
fn a_run_says_on_one_line_why_it_cannot_be() {
    let cases: [(&[&str], i32, &str); 2] = [
        (&["--dtype", "bf16"], 2, "transformer: candle multiplies no bf16 on the CPU; "),
        (&["--output-dir", "/dev/null/x"], 1, "transformer: output_dir(): "),
    ];
    for (words, code, begin) in cases {
        assert_refused(words, code, begin);
    }
}

/// Elsewhere nobody says what is available.
#[cfg(target_os = "linux")]
#[test]
fn what_no_machine_has_room_for_is_refused_before_it_is_allocated() {
    assert_refused(&ENORMOUS, 1, "transformer: 260.1 TiB are needed and ");
}

fn assert_refused(words: &[&str], code: i32, begin: &str) {
    let words: Vec<&str> = words.iter().copied().chain(["--generate", "1"]).collect();
    let output = run(&words);
    let errors = text(output.stderr);
    assert_eq!(output.status.code(), Some(code), "{words:?}: {errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(errors.starts_with(begin), "{errors}");
    assert_eq!(text(output.stdout), "");
}

#[test]
fn a_dry_run_allocates_nothing_and_help_is_no_mistake() {
    let dry = run(&[&ENORMOUS[..], &["--generate", "1", "--dry-run"]].concat());
    assert!(dry.status.success());
    let printed = text(dry.stdout);
    assert!(printed.ends_with("\ntogether           260.1 TiB\n"), "{printed}");
    let help = run(&["--help"]);
    assert!(help.status.success());
    assert!(text(help.stdout).starts_with("usage: transformer"));
}
