//! `cargo xtask tutorial`: follows `docs/tutorial.md` and `docs/first-leak.md`, each in a new
//! package. It writes each file that a page shows and runs each command, which must succeed and
//! print the lines below it. It also runs programs of other pages whose output is shown.

mod programs;

use crate::built::built;
use crate::{Failure, target, workspace};
use std::env::{join_paths, split_paths, var_os};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// A step of the page.
enum Step {
    /// Writes a file of the package.
    Write { path: String, text: String },
    /// Runs a command that prints these lines. A line `…` matches any number of lines.
    Run { command: String, printed: Vec<String> },
}

/// The exit code of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 128 + 2;

/// A page whose steps are followed, and the package that it makes.
struct Page {
    path: &'static str,
    package: &'static str,
    /// `true` if dependencies are compiled in the package's own folder, so that the printed times
    /// are those of a new user.
    is_timed: bool,
}

const PAGES: [Page; 2] = [
    Page { path: "docs/first-leak.md", package: "service", is_timed: true },
    Page { path: "docs/tutorial.md", package: "shop", is_timed: false },
];

pub(crate) fn run() -> Result<(), Failure> {
    programs::run()?;
    let memprof = built(&["--locked", "--package", "memprof-cli"], "debug/memprof")?;
    PAGES.iter().try_for_each(|page| follow(page, &memprof))
}

fn follow(page: &Page, memprof: &Path) -> Result<(), Failure> {
    let text = fs::read_to_string(workspace().join(page.path))?;
    let package = target("tutorial").join(page.package);
    if package.exists() {
        fs::remove_dir_all(&package)?;
    }
    let (mut files, mut commands) = (0, 0);
    for step in steps(&text) {
        match step {
            Step::Write { path, text } => {
                let path = package.join(path);
                fs::create_dir_all(path.parent().unwrap_or(&package))?;
                fs::write(path, in_clone(&text)?)?;
                files += 1;
            }
            Step::Run { command, printed } => {
                let begun = Instant::now();
                let output = output(&command, page, &package, memprof)?;
                if page.is_timed {
                    println!("{:6.1} s  {command}", begun.elapsed().as_secs_f64());
                }
                if let Some(line) = missing(&printed, &output) {
                    return Err(format!("`{command}` did not print\n{line}\nbut\n{output}").into());
                }
                commands += 1;
            }
        }
    }
    println!("{commands} commands print what {} shows, with {files} files written", page.path);
    Ok(())
}

/// Returns the page's steps: each block below a line with a path is a file, and each `console`
/// block has commands.
fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = page.lines();
    let mut path = None;
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            if !line.is_empty() {
                path = line.strip_prefix('`').and_then(|rest| rest.strip_suffix("`:"));
            }
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if let Some(path) = path.take() {
            let (path, text) = (path.to_owned(), block.join("\n") + "\n");
            steps.push(Step::Write { path, text });
        } else if language == "console" {
            for line in block {
                if let Some(command) = line.strip_prefix("$ ") {
                    steps.push(Step::Run { command: command.to_owned(), printed: Vec::new() });
                } else if let Some(Step::Run { printed, .. }) = steps.last_mut() {
                    printed.push(line.to_owned());
                }
            }
        }
    }
    steps
}

/// Returns a file's text for a package below the target folder. A manifest becomes the root of a
/// workspace of its own.
fn in_clone(text: &str) -> Result<String, Failure> {
    let workspace = workspace().canonicalize()?;
    let text = text.replace("\"../memprof\"", &format!("'{}'", workspace.display()));
    Ok(if text.starts_with("[package]") { text + "\n[workspace]\n" } else { text })
}

/// Runs a command in the package, and returns what it printed. `memprof run` prints on standard
/// error.
fn output(command: &str, page: &Page, package: &Path, memprof: &Path) -> Result<String, Failure> {
    let paths = var_os("PATH").unwrap_or_default();
    let first = memprof.parent().map(Path::to_owned);
    let clone = format!(" '{}' ", workspace().canonicalize()?.display());
    let line = command.replace(" ../memprof ", &clone);
    let mut bash = Command::new("bash");
    // Programs that do not end by themselves have this comment.
    let interrupted = line.split_once("  # press Ctrl-C after ").map(|(line, after)| {
        let seconds = after.trim_end_matches(" s");
        format!("timeout --preserve-status --signal INT {seconds} {line}")
    });
    bash.args(["-c", interrupted.as_ref().unwrap_or(&line)]).current_dir(package);
    bash.env("PATH", join_paths(first.into_iter().chain(split_paths(&paths)))?);
    if page.is_timed {
        bash.env_remove("CARGO_TARGET_DIR");
    } else {
        bash.env("CARGO_TARGET_DIR", target("").canonicalize()?);
    }
    let output = bash.output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    let expected = interrupted.map_or(0, |_| INTERRUPTED);
    if output.status.code() != Some(expected) {
        return Err(format!("`{command}`: {}\n{text}{error}", output.status).into());
    }
    Ok(if command.starts_with("memprof run ") { text + &error } else { text })
}

/// Returns the first line that the output lacks. The output must contain all lines in their order.
/// Other lines may come between them.
fn missing<'l>(lines: &'l [String], output: &str) -> Option<&'l String> {
    let mut printed = output.lines().map(tokens);
    lines.iter().filter(|line| *line != "…").find(|line| {
        let tokens = tokens(line);
        !printed.any(|other| other == tokens)
    })
}

/// Returns the words of a line that do not differ between runs and machines. Amounts and the names
/// of recordings, which contain the time, are left out. Paths are cut to their last name.
fn tokens(line: &str) -> Vec<&str> {
    let is_amount = |token: &&str| {
        let units = ["B", "KiB", "MiB", "GiB", "ns", "µs", "ms", "s", "%", "±"];
        let amount = token.trim_start_matches('(');
        amount.starts_with(|char: char| "+−".contains(char) || char.is_ascii_digit())
            || units.contains(&token.trim_end_matches([',', ')']))
    };
    line.split_whitespace()
        .filter(|token| !is_amount(token))
        .map(|token| token.rsplit('/').next().unwrap_or(token))
        .filter(|name| !name.starts_with("memory_profile_"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Step, missing, steps};

    #[test]
    fn a_page_has_files_and_commands_with_their_output() {
        let page = "# Title\n\n`src/main.rs`:\n\n```rust\nfn main() {}\n```\n\n```console\n$ cargo run\n…\na 1\n```\n\n```text\nshown\n```\n";
        let steps = steps(page);
        let [Step::Write { path, text }, Step::Run { command, printed }] = &steps[..] else {
            panic!("a file and a command")
        };
        assert_eq!((path.as_str(), text.as_str()), ("src/main.rs", "fn main() {}\n"));
        assert_eq!(
            (command.as_str(), &printed[..]),
            ("cargo run", &["…".to_owned(), "a 1".to_owned()][..])
        );
    }

    #[test]
    fn amounts_and_folders_may_differ_but_text_may_not() {
        let lines =
            |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        let output =
            "log 1.2 KiB 79 %\nat (/home/a/src/lib.rs:22)\nopen a/memory_profile_2.json\nlast\n";
        let same =
            lines(&["log 55.3 MiB 3 %", "…", "at (src/lib.rs:22)", "open memory_profile_1.json"]);
        assert_eq!(missing(&same, output), None);
        let other = lines(&["last", "log 1.2 KiB 79 %"]);
        assert_eq!(missing(&other, output), Some(&other[1]), "the order counts");
    }
}
