//! Runs of cargo with a toolchain, variables and external programs.

use crate::report::{Outcome, run_all};
use crate::tools::{apt_install, cargo_of, has, has_toolchain, succeeds};
use crate::usage::chosen;
use crate::{Failure, target};
use std::env;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// One or more commands of cargo that run in the same environment.
#[derive(Default)]
pub(crate) struct Run {
    pub(crate) name: String,
    toolchain: Option<String>,
    folder: Option<String>,
    needs: Vec<Need>,
    variables: Vec<(String, String)>,
    commands: Vec<String>,
    figures: &'static [&'static str],
    fewest_figures: usize,
}

#[cfg_attr(not(unix), expect(dead_code, reason = "some are for checks that need Unix"))]
pub(crate) enum Need {
    /// A program that answers `--version`. Its Debian package has the same name.
    Program(&'static str),
    /// A component of nightly.
    Component(&'static str),
    /// The compiler's std for a platform.
    Target(&'static str),
    File(&'static str, &'static [&'static str]),
    /// This operating system and processor.
    LinuxX86,
}

impl Run {
    pub(crate) fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    pub(crate) fn toolchain(self, toolchain: impl Into<String>) -> Self {
        Self { toolchain: Some(toolchain.into()), ..self }
    }

    /// The run's flags would recompile everything in the target folder itself.
    pub(crate) fn folder(self, folder: impl Into<String>) -> Self {
        Self { folder: Some(folder.into()), ..self }
    }

    pub(crate) fn need(mut self, need: Need) -> Self {
        self.needs.push(need);
        self
    }

    /// Sets a variable for cargo. A variable of the caller whose name begins with `MEMPROF_` has
    /// precedence, so that this check itself can be tried with small numbers.
    pub(crate) fn variable(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        let name = name.into();
        let own = env::var(&name).ok().filter(|_| name.starts_with("MEMPROF_"));
        self.variables.push((name, own.unwrap_or_else(|| value.into())));
        self
    }

    /// Adds a command, whose words are separated by spaces.
    pub(crate) fn cargo(mut self, words: impl Into<String>) -> Self {
        self.commands.push(words.into());
        self
    }

    /// Prints the lines of the tests' output that contain one of the marks. The run fails if there
    /// are fewer lines than `fewest`.
    pub(crate) fn figures(self, marks: &'static [&'static str], fewest: usize) -> Self {
        Self { figures: marks, fewest_figures: fewest, ..self }
    }

    /// Runs the commands until one fails. Tests of which none ran count as failed.
    pub(crate) fn outcome(&self) -> Result<Outcome, Failure> {
        if let Some(missing) = self.needs.iter().find_map(Need::missing) {
            return Ok(Outcome::Skipped(missing));
        }
        if let Some(toolchain) = self.toolchain.as_deref().filter(|name| !has_toolchain(name)) {
            return Ok(Outcome::Skipped(format!("rustup cannot install Rust {toolchain}")));
        }
        let (mut tests, mut printed, start) = (0, String::new(), Instant::now());
        for command in &self.commands {
            let mut cargo = self.toolchain.as_deref().map_or_else(crate::cargo, cargo_of);
            cargo.args(command.split_whitespace());
            cargo.envs(self.variables.iter().map(|(name, value)| (name, value)));
            if let Some(folder) = &self.folder {
                cargo.env("CARGO_TARGET_DIR", target(folder));
            }
            let output = cargo.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
            let text = String::from_utf8_lossy(&output.stdout);
            let is_test = command.split_whitespace().any(|word| word == "test");
            if !output.status.success() || is_test && passed(&text) == 0 {
                eprintln!("{text}");
                return Ok(Outcome::Failed(format!("cargo {command}")));
            }
            tests += passed(&text);
            printed += &text;
        }
        let is_figure = |line: &&str| self.figures.iter().any(|mark| line.contains(mark));
        let figures: Vec<_> = printed.lines().filter(is_figure).collect();
        if figures.len() < self.fewest_figures {
            return Ok(Outcome::Failed(format!("figures are missing in\n{printed}")));
        }
        let counted = if tests > 0 { format!("{tests} tests passed, ") } else { String::new() };
        let seconds = format!("{counted}{} s", start.elapsed().as_secs());
        let rows = std::iter::once(&*seconds).chain(figures);
        Ok(Outcome::Passed(rows.collect::<Vec<_>>().join("\n    ")))
    }
}

impl Need {
    fn missing(&self) -> Option<String> {
        match *self {
            Self::Program(name) => {
                if !has(name) {
                    apt_install(&[name]);
                }
                (!has(name)).then(|| format!("{name} is not installed"))
            }
            Self::Component(name) => {
                let add = ["component", "add", "--toolchain", "nightly", name];
                (!succeeds(Command::new("rustup").args(add)))
                    .then(|| format!("rustup cannot install {name} for nightly"))
            }
            Self::Target(name) => (!succeeds(Command::new("rustup").args(["target", "add", name])))
                .then(|| format!("`rustup target add {name}` fails")),
            Self::File(path, packages) => {
                if !Path::new(path).exists() {
                    apt_install(packages);
                }
                let is_missing = !Path::new(path).exists();
                is_missing.then(|| format!("{path} is missing; install {}", packages.join(" ")))
            }
            Self::LinuxX86 => (!cfg!(all(target_os = "linux", target_arch = "x86_64")))
                .then(|| "tried on Linux with x86-64 only".to_owned()),
        }
    }
}

/// Runs those whose name contains one of the parts.
pub(crate) fn run_chosen(
    parts: &[String],
    runs: impl IntoIterator<Item = Run>,
) -> Result<(), Failure> {
    let runs: Vec<Run> = runs.into_iter().collect();
    let names = chosen("part", parts, runs.iter().map(|run| &*run.name))?;
    let runs = runs.iter().filter(|run| names.contains(&&*run.name));
    run_all(runs, |run| run.name.clone(), |run| run.outcome())
}

/// Returns the number of passed tests in the output of test programs.
fn passed(text: &str) -> u64 {
    let verdicts = text.split("test result: ok. ").skip(1);
    verdicts.filter_map(|verdict| verdict.split_once(" passed")?.0.parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::passed;

    #[test]
    fn passed_tests_of_several_programs_add_up() {
        let text = "running 3 tests\n...\ntest result: ok. 3 passed; 0 failed\n\n\
                    test a ... test result: ok. 12 passed; 0 failed\ntest result: FAILED. 1 passed";
        assert_eq!(passed(text), 15);
        assert_eq!(passed(""), 0);
    }
}
