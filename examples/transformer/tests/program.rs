//! The program as a whole: its session, and how it ends.

use memprof::session::Recording;
use std::path::Path;
use std::process::Command;

/// Runs the program and returns its exit status and what it printed.
fn run(words: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_transformer"));
    // The variable could make the program record, or keep it from recording.
    let output = command.args(words).env_remove("MEMPROF").output().expect("it starts");
    let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    (output.status.code(), printed)
}

#[test]
fn a_session_has_the_peak_and_the_operations() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("transformer");
    let (status, printed) = run(&["--output-dir", folder.to_str().expect("it is text")]);
    assert_eq!(status, Some(0), "{printed}");
    let path = printed.lines().find_map(|line| line.strip_prefix("recorded in "));
    let recording = Recording::read_file(path.expect("it says where")).expect("it is whole");
    std::fs::remove_dir_all(&folder).expect("the folder is ours");

    let snapshot = recording.snapshot("largest moment").expect("the formula was right");
    let tensors = |root| {
        let profile = snapshot.root(root).expect("it is registered").expect("it is a profile");
        profile.tensors().clone()
    };
    assert_eq!((tensors("weights").count(), tensors("kv cache").count()), (41, 8));
    // The largest moment is inside softmax: the scores (8 heads, 48 × 48 tokens) are live twice, as
    // the input and the output of one operation. So the second largest tensor has their shape too.
    let activations = tensors("activations");
    assert_eq!(activations.largest()[1].shape, [8, 48, 48]);

    let rows = recording.summary.operations.iter().map(|row| row.path.join(";"));
    let candle = recording.summary.framework_operations.iter().map(|row| row.name.clone());
    let names: Vec<String> = rows.chain(candle).collect();
    for name in ["make weights", "prompt;attention", "token;mlp", "linear", "slice_set"] {
        assert!(names.iter().any(|known| known == name), "{name} in {names:?}");
    }
}

#[test]
fn a_dry_run_prints_formulas_and_unknown_values_are_rejected() {
    let (status, printed) = run(&["--shape", "1b", "--dry-run"]);
    assert_eq!(status, Some(0));
    assert!(printed.contains("embeddings      525 336 576 B  vocabulary * width\n"), "{printed}");
    for words in [["--shape", "huge"], ["--device", "gpu"]] {
        let (status, printed) = run(&words);
        assert_eq!(status, Some(2), "{printed}");
        assert!(printed.contains("expected "), "{printed}");
    }
}
