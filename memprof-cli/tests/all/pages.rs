//! Runs what the README and the guide show, and compares the output with the pages.
//!
//! A block marked `console` has commands, the lines that begin with `$ `. `sh` runs them. A command
//! must succeed, unless a comment at its end states how it ends: `# exit code 1`, or
//! `# press Ctrl-C after 16 s`. In an output, a line `…` matches any number of lines.
//!
//! `UPDATE_EXPECT=1` writes changed output into the pages, but no changed exit code, and no output
//! of which the page shows only parts.

use crate::memprof::{file, folder};
use crate::recordings::{fragmented, growing_in_c, importer};
use crate::samples::{LATER, json, model};
use std::env::{join_paths, split_paths, var_os};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

const MEMPROF: &str = env!("CARGO_BIN_EXE_memprof");

/// The page that makes a package and runs its programs.
const TUTORIAL: &str = "docs/tutorial.md";

/// Pages on which a block marked `text` is the output of the program above it, except in a section.
/// A program with a session runs below `memprof run`.
const PROGRAMS: [(&str, &str); 3] =
    [("README.md", ""), ("docs/allocations.md", "Leaks"), ("docs/values.md", "By hand")];

const MANIFEST: &str = r#"[package]
name = "app"
edition = "2024"

[dependencies]
memprof = { path = "../memprof", features = ["full"] }
"#;

/// The workspace's profile for dependencies. The package itself has cargo's default.
const CONFIG: &str = "profile.dev.package.'*'.debug = 'line-tables-only'";

/// Held by the tests that run cargo. A program must not wait for another build while its time runs.
static BUILDS: Mutex<()> = Mutex::new(());

/// The exit code of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 128 + 2;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it is a package of the workspace")
}

/// Returns the path of the clone, which the pages call `../memprof`.
fn clone() -> String {
    root().to_str().expect("the path is UTF-8").replace('\\', "/")
}

/// A block of a page between two fences.
struct Block<'p> {
    /// The path in the line above, for example `` `src/main.rs`: ``.
    file: Option<&'p str>,
    /// The title of the section.
    section: &'p str,
    language: &'p str,
    text: &'p str,
}

/// Compares each block of a page with the text that `real` returns for it, or writes that text.
fn check(page: &str, mut real: impl FnMut(&Block) -> Option<String>) {
    let path = root().join(page);
    let text = fs::read_to_string(&path).expect("the page is there");
    let parts: Vec<&str> = text.split("\n```").collect();
    let mut checked = parts[0].to_owned();
    for pair in parts[1..].chunks(2) {
        let [block, after] = pair else { panic!("{page}: a block without an end") };
        let (language, text) = block.split_once('\n').unwrap_or((block, ""));
        let above = checked.lines().rfind(|line| !line.is_empty());
        let file = above.and_then(|line| line.strip_prefix('`')?.strip_suffix("`:"));
        let file = file.map(str::to_owned);
        let section = checked.lines().rev().find_map(|line| line.strip_prefix("## "));
        let section = section.unwrap_or_default().to_owned();
        let real = real(&Block { file: file.as_deref(), section: &section, language, text });
        let real = real.as_deref().unwrap_or(text);
        assert!(
            real == text || var_os("UPDATE_EXPECT").is_some(),
            "{page} shows\n{text}\nbut the output is\n{real}\n\
             UPDATE_EXPECT=1 writes it into the page"
        );
        checked.extend(["\n```", language, "\n", real, "\n```", after]);
    }
    if checked != text {
        fs::write(path, checked).expect("the page is writable");
    }
}

/// The folder in which the commands of a page run.
struct Shell {
    folder: PathBuf,
    /// Set if the programs are recorded again, so that samples and times vary.
    varies: bool,
}

impl Shell {
    /// Returns the shell of a new package, which shares compiled dependencies with the workspace.
    fn of_package(name: &str) -> Self {
        let folder = folder(&format!("pages/{name}"));
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("it is copied");
        let shell = Self { folder, varies: true };
        shell.write(".cargo/config.toml", CONFIG);
        shell
    }

    /// Writes a file. A manifest becomes the root of a workspace of its own.
    fn write(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("it is writable");
        let end = if text.starts_with("[package]") { "\n\n[workspace]\n" } else { "\n" };
        fs::write(path, text.replace("\"../memprof\"", &format!("{:?}", clone())) + end)
            .expect("it is writable");
    }

    /// Runs a command and returns what it prints on both streams.
    fn run(&self, line: &str) -> String {
        let (command, comment) = line.split_once("  # ").unwrap_or((line, ""));
        let mut script = command.replace(" ../memprof ", &format!(" '{}' ", clone()));
        let mut expected = 0;
        if let Some(code) = comment.strip_prefix("exit code ") {
            expected = code.parse().expect("a number");
        }
        if let Some(seconds) = comment.strip_prefix("press Ctrl-C after ") {
            let seconds = seconds.trim_end_matches(" s");
            script = format!("timeout --preserve-status --signal INT {seconds} {script}");
            expected = INTERRUPTED;
        }
        let programs = Path::new(MEMPROF).parent().expect("it is in a folder");
        let paths = var_os("PATH").unwrap_or_default();
        let paths = [programs.to_owned()].into_iter().chain(split_paths(&paths));
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec 2>&1\n{script}")]).current_dir(&self.folder);
        shell.env("PATH", join_paths(paths).expect("no path has a separator"));
        shell.env_remove("NO_COLOR").env_remove("RUST_BACKTRACE").env_remove("UPDATE_EXPECT");
        shell.env("CARGO_TARGET_DIR", programs.parent().expect("it is the target folder"));
        let output = shell.output().expect("sh runs");
        let printed = String::from_utf8(output.stdout).expect("it prints UTF-8");
        let code = output.status.code();
        assert_eq!(code, Some(expected), "the exit code of `{line}`, which printed\n{printed}");
        printed
    }

    /// Returns a block of commands with their real output.
    fn console(&self, block: &str) -> String {
        let steps = block.strip_prefix("$ ").expect("a block marked `console` has commands");
        let steps = steps.split("\n$ ").map(|step| {
            let (command, shown) = step.split_once('\n').unwrap_or((step, ""));
            let real = self.real(shown, &self.run(command));
            if real.is_empty() { format!("$ {command}") } else { format!("$ {command}\n{real}") }
        });
        steps.collect::<Vec<_>>().join("\n")
    }

    /// Returns what a page shows if a program printed it, or else what the program printed.
    fn real(&self, shown: &str, printed: &str) -> String {
        let lines: Vec<&str> = shown.lines().collect();
        let are_samples = self.varies && shown.contains('±');
        let same = |line: &str, other: &str| {
            if are_samples || self.varies && has_time(line) {
                lasting(line) == lasting(other)
            } else {
                line == other
            }
        };
        if is_excerpt(&lines, &printed.lines().collect::<Vec<_>>(), &same) {
            return shown.to_owned();
        }
        assert!(!lines.contains(&"…"), "a page shows\n{shown}\nof the output\n{printed}");
        printed.trim_end_matches('\n').to_owned()
    }
}

/// Returns whether the lines are those of the output. A line `…` matches any number of lines.
fn is_excerpt(lines: &[&str], output: &[&str], same: &impl Fn(&str, &str) -> bool) -> bool {
    match lines {
        [] => output.is_empty(),
        ["…", rest @ ..] => {
            (0..=output.len()).any(|from| is_excerpt(rest, &output[from..], same))
        }
        [line, rest @ ..] => output
            .split_first()
            .is_some_and(|(first, output)| same(line, first) && is_excerpt(rest, output, same)),
    }
}

const TIMES: [&str; 4] = ["ns", "µs", "ms", "s"];

fn has_time(line: &str) -> bool {
    line.split_whitespace().any(|word| {
        TIMES.contains(&word) || word.strip_suffix('s').is_some_and(|n| n.parse::<f64>().is_ok())
    })
}

/// Returns the words of a line that are the same in each run: not amounts, nor the names of
/// recordings, which contain the time.
fn lasting(line: &str) -> Vec<&str> {
    let is_amount = |word: &str| {
        let units = ["B", "KiB", "MiB", "GiB", "%", "±"];
        let number = word.trim_start_matches(['(', '+', '−']);
        let unit = word.trim_end_matches([',', ';', ')']).trim_end_matches("/s");
        // Larger numbers are printed in groups of three digits.
        let has_groups = word.split(|c: char| !c.is_ascii_digit()).all(|part| part.len() <= 3);
        // The next unit begins at 1024.
        let is_below_unit = number.parse::<f64>().is_ok_and(|number| number < 1024.0);
        number.starts_with(|c: char| c.is_ascii_digit()) && (has_groups || is_below_unit)
            || units.contains(&unit)
            || TIMES.contains(&unit)
    };
    let words = line.split_whitespace();
    words.filter(|word| !is_amount(word) && !word.contains("memory_profile_")).collect()
}

fn pages() -> Vec<String> {
    let files = fs::read_dir(root().join("docs")).expect("the pages are there");
    let names = files.map(|file| file.expect("it is listed").file_name());
    let names = names.filter_map(|name| {
        name.into_string().expect("it is UTF-8").strip_suffix(".md").map(str::to_owned)
    });
    let pages = names.map(|name| format!("docs/{name}.md"));
    pages.chain([String::from("README.md")]).collect()
}

#[test]
fn pages_show_what_their_commands_print() {
    let mut commands = 0;
    for page in pages() {
        if page == TUTORIAL {
            continue;
        }
        let folder = folder(&format!("pages/{page}"));
        file(&folder, "model.json", json(&model()));
        file(&folder, "later.folded", LATER);
        file(&folder, "run.json", importer().report());
        file(&folder, "rss.json", growing_in_c().report());
        file(&folder, "pinned.json", fragmented());
        let timeline = importer().timeline();
        file(&folder, "killed.jsonl", &timeline[..timeline.len() - 100]);
        file(&folder, "model.svg", model().to_flamegraph().unwrap());
        let shell = Shell { folder, varies: false };
        check(&page, |block| {
            (block.language == "console").then(|| {
                commands += 1;
                shell.console(block.text)
            })
        });
    }
    assert!(commands > 0, "no page has a block of commands");
}

#[test]
#[ignore = "compiles a package with all features and records its program for 16 s"]
fn tutorial_leads_from_a_leak_to_tests() {
    let _alone = BUILDS.lock().unwrap_or_else(PoisonError::into_inner);
    let shell = Shell::of_package("shop");
    check(TUTORIAL, |block| {
        if let Some(file) = block.file {
            shell.write(file, block.text);
        }
        (block.language == "console").then(|| shell.console(block.text))
    });
}

#[test]
#[ignore = "compiles a package with all features"]
fn programs_print_what_their_pages_show() {
    let _alone = BUILDS.lock().unwrap_or_else(PoisonError::into_inner);
    let shell = Shell::of_package("app");
    shell.write("Cargo.toml", MANIFEST);
    for (page, other) in PROGRAMS {
        let mut program = String::new();
        check(page, |block| {
            if block.language == "rust" {
                block.text.clone_into(&mut program);
            }
            (block.language == "text" && block.section != other).then(|| {
                // As in rustdoc: unused code is allowed, and a block may be the body of `main`. The
                // first line stays the first.
                let main = if program.contains("fn main()") {
                    format!("#![allow(unused)] {program}")
                } else {
                    format!("#![allow(unused)] fn main() {{ {program}\n}}")
                };
                shell.write("src/main.rs", &main);
                let is_session = program.contains("Session::start");
                let recorder = if is_session { "memprof run --output-dir recordings " } else { "" };
                shell.real(block.text, &shell.run(&format!("{recorder}cargo run --quiet")))
            })
        });
    }
}

#[test]
#[should_panic(expected = "the exit code of `memprof tree missing.json`")]
fn a_command_that_fails_must_say_so() {
    let shell = Shell { folder: folder("pages/failing"), varies: false };
    shell.console("$ memprof tree missing.json");
}

#[test]
#[should_panic(expected = "the exit code of `memprof --version  # exit code 1`")]
fn a_command_that_succeeds_must_not_state_an_error() {
    let shell = Shell { folder: folder("pages/succeeding"), varies: false };
    shell.console("$ memprof --version  # exit code 1");
}

#[test]
fn commands_have_quotes_pipes_and_redirections() {
    let shell = Shell { folder: folder("pages/shell"), varies: false };
    let block =
        "$ printf '%s\\n' 'a b' c > lines\n$ sort -r lines | head -n 1\nc\n$ exit 3  # exit code 3";
    assert_eq!(shell.console(block), block);
}

#[test]
fn amounts_of_samples_may_vary_but_words_and_exact_numbers_may_not() {
    let shell = Shell { folder: PathBuf::new(), varies: true };
    let printed = "a 1.2 KiB ± 3 B\nin src/lib.rs:22\n";
    let accepted = |shown: &str| shell.real(shown, printed) == shown;
    assert!(accepted("a 55.3 MiB ± 3 KiB\nin src/lib.rs:22"));
    assert!(!accepted("b 55.3 MiB ± 3 KiB\nin src/lib.rs:22"));
    assert!(!accepted("a 55.3 MiB ± 3 KiB\nin src/lib.rs:23"));
    assert!(accepted("a 1019.9 KiB ± 3 KiB\nin src/lib.rs:22"));
    assert!(!accepted("a 5530 KiB ± 3 KiB\nin src/lib.rs:22"), "digits are grouped");
    assert_eq!(shell.real("8 passed in 0.8s", "8 passed in 1.2s\n"), "8 passed in 0.8s");
    assert_eq!(shell.real("8 B", "9 B\n"), "9 B");
}

#[test]
#[should_panic(expected = "of the output")]
fn an_excerpt_that_was_not_printed_is_refused() {
    let shell = Shell { folder: PathBuf::new(), varies: false };
    assert_eq!(shell.real("a\n…\nd", "a\nb\nc\nd\n"), "a\n…\nd");
    shell.real("a\n…\nc", "a\nb\nc\nd\n");
}
