//! The program as a whole: its session, how it ends, and the outputs that the README shows.

use memprof::session::Recording;
use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../README.md");

/// Runs the program and returns its exit status and what it printed.
fn run(words: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_transformer"));
    // The variable could make the program record, or keep it from recording.
    let output = command.args(words).env_remove("MEMPROF").output().expect("it starts");
    let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    (output.status.code(), printed)
}

/// Returns the lines of the README from the line that starts with these words to the end of its
/// block, or to the next command.
fn shown(first: &str) -> Vec<&'static str> {
    let lines = README.lines().skip_while(|line| !line.starts_with(first));
    let lines: Vec<&str> = lines
        .enumerate()
        .take_while(|(at, line)| *at == 0 || !(line.starts_with("```") || line.starts_with("$ ")))
        .map(|(_, line)| line)
        .collect();
    assert!(lines.len() > 1, "the README has no block that starts with {first:?}");
    lines
}

/// Fails if the printed text lacks these lines, one after the other.
#[track_caller]
fn assert_printed(printed: &str, lines: &[&str]) {
    let text = lines.join("\n");
    assert!(printed.contains(&text), "the README shows\n{text}\nbut this was printed:\n{printed}");
}

/// Fails unless the printed text has these lines in their order, apart from amounts, times and other
/// lines between them.
#[track_caller]
fn assert_words(printed: &str, lines: &[&str]) {
    let words = |line: &str| {
        let is_amount = |word: &&str| {
            word.starts_with(|char: char| "−[".contains(char) || char.is_ascii_digit())
                || ["B", "KiB", "MiB", "ms", "µs", "s"].contains(word)
        };
        let words = line.split_whitespace().filter(|word| !is_amount(word));
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    let mut rest = printed.lines().map(words);
    for line in lines.iter().filter(|line| **line != "…") {
        let expected = words(line);
        assert!(rest.any(|words| words == expected), "{line} is missing or misplaced:\n{printed}");
    }
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    let (status, printed) = run(&[]);
    assert_eq!(status, Some(0), "{printed}");
    assert_printed(&printed, &shown("transformer  "));
    let parts = shown("part  ");
    let (tokens, parts) = parts.split_last().expect("the block has lines");
    // The last line of the parts has memory of candle, which depends on the processor.
    assert_printed(&printed, &parts[..parts.len() - 1]);
    // The last bits of a sum depend on the processor, and the chosen tokens may depend on them.
    assert!(tokens.starts_with("tokens: [") && printed.contains("\ntokens: ["), "{printed}");
    assert_words(&printed, &shown("operation      calls"));
}

#[test]
fn the_readme_shows_the_formulas_of_the_dry_run() {
    let command = "$ cargo run --package memprof-transformer --features candle -- --shape 1b";
    let lines = shown(command);
    let words: Vec<&str> =
        lines[0].rsplit_once(" -- ").expect("it has options").1.split(' ').collect();
    let (status, printed) = run(&words);
    assert_eq!(status, Some(0), "{printed}");
    assert_printed(&printed, &lines[1..]);
}

#[test]
fn a_session_has_the_tensors_and_the_operations() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("transformer");
    let (status, printed) = run(&["--output-dir", folder.to_str().expect("it is text")]);
    assert_eq!(status, Some(0), "{printed}");
    let path = printed.lines().find_map(|line| line.strip_prefix("recorded in "));
    let recording = Recording::read_file(path.expect("it says where")).expect("it is whole");
    std::fs::remove_dir_all(&folder).expect("the folder is ours");

    let snapshot = recording.snapshot("generated").expect("it was taken");
    let tensors = |root| {
        let profile = snapshot.root(root).expect("it is registered").expect("it is a profile");
        profile.tensors().count()
    };
    assert_eq!((tensors("weights"), tensors("kv cache")), (41, 8));
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
    assert!(
        printed.contains("kv cache        67,108,864 B  layers * 2 * keys * context\n"),
        "{printed}"
    );
    let (status, printed) = run(&["--shape", "huge"]);
    assert_eq!(status, Some(2), "{printed}");
    assert!(printed.contains("expected tiny or 1b"), "{printed}");
}
