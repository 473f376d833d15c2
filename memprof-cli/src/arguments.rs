//! The arguments of the command line: the commands, and the arguments that several of them have. A
//! command's own arguments are in its file.

use crate::command::convert::{ExportArguments, FlamegraphArguments, SymbolizeArguments};
use crate::command::diff::DiffArguments;
use crate::command::gpu::GpuArguments;
use crate::command::html::HtmlArguments;
use crate::command::info::InfoArguments;
use crate::command::manual::{CompletionsArguments, ManArguments};
use crate::command::profile::{ReportArguments, TopArguments, TreeArguments};
use crate::command::recording::{LeaksArguments, OpsArguments};
use crate::command::run::RunArguments;
use crate::failure::Failure;
use crate::input::{self, Source};
use crate::output::{self, Target};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use memprof_profile::Profile;
use memprof_recording::SymbolSearch;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

/// Print, compare, draw and convert memprof's profiles and recordings
///
/// FILE is a JSON profile (`Profile::write_json`), a session's recording (`memory_profile_….json`
/// or `.jsonl`), or folded stacks. Given a folder, the command reads its newest recording; without
/// FILE, it uses the current folder. `-` is standard input.
#[derive(Debug, Parser)]
#[command(name = "memprof", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  memprof run cargo run --release
  memprof info
  memprof tree model.json

Exit codes:
  0  success
  1  a check failed (`diff --fail-if-grows`), or `symbolize` found no name
  2  a file or an argument is invalid
`memprof run` exits with the exit code of the program that it runs.";

/// The commands in the order of the help, which clap cannot group.
const GROUPS: [(&str, &[&str]); 3] = [
    ("Recordings", &["run", "leaks", "info", "html", "ops", "export"]),
    ("Profiles, and snapshots of recordings", &["tree", "top", "report", "diff", "flamegraph"]),
    ("Other", &["gpu", "symbolize", "completions", "man", "help"]),
];

impl Arguments {
    /// Parses the arguments. The help lists the commands in groups.
    pub(crate) fn from_words(
        words: impl IntoIterator<Item = OsString>,
    ) -> clap::error::Result<Self> {
        let mut command = Self::command();
        command.build();
        let line = |name: &&str| {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            format!("  {name:11} {}\n", about.cloned().unwrap_or_default())
        };
        let group = |(title, names): &(&str, &[&str])| {
            format!("{title}:\n{}\n", names.iter().map(line).collect::<String>())
        };
        let list: String = GROUPS.iter().map(group).collect();
        let template = format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}\
             {{after-help}}"
        );
        let matches = Self::command().help_template(template).try_get_matches_from(words)?;
        Self::from_arg_matches(&matches)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(RunArguments),
    Leaks(LeaksArguments),
    Info(InfoArguments),
    Html(HtmlArguments),
    Ops(OpsArguments),
    Export(ExportArguments),
    Tree(TreeArguments),
    Top(TopArguments),
    Report(ReportArguments),
    Diff(DiffArguments),
    Flamegraph(FlamegraphArguments),
    Gpu(GpuArguments),
    Symbolize(SymbolizeArguments),
    Completions(CompletionsArguments),
    Man(ManArguments),
}

#[derive(Debug, Args)]
pub(crate) struct FileArgument {
    /// A JSON profile, folded stacks, a session's recording, or a folder (its newest recording); `-`
    /// is standard input. FILE@SNAPSHOT selects a snapshot: `start`, `end` (the default), `peak`, a
    /// checkpoint's name, or a number
    #[arg(value_name = "FILE", default_value = ".")]
    pub(crate) source: Source,
}

/// The argument that selects a part of a snapshot.
#[derive(Debug, Args)]
pub(crate) struct RootArgument {
    /// Only this root or source of a session's snapshot [default: all]
    #[arg(long = "root", value_name = "NAME")]
    name: Option<String>,
}

impl RootArgument {
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

/// The arguments that name a profile.
#[derive(Debug, Args)]
pub(crate) struct ProfileArguments {
    #[command(flatten)]
    pub(crate) file: FileArgument,
    #[command(flatten)]
    pub(crate) root: RootArgument,
}

impl ProfileArguments {
    pub(crate) fn read(&self) -> Result<Profile, Failure> {
        input::profile(&self.file.source, self.root.name())
    }
}

/// The argument that names a recording.
#[derive(Debug, Args)]
pub(crate) struct RecordingArgument {
    /// A session's recording (`.json`, `.jsonl`), or a folder (its newest recording); `-` is
    /// standard input
    #[arg(value_name = "FILE", default_value = ".")]
    pub(crate) source: Source,
}

/// The arguments of every command that prints.
#[derive(Debug, Args)]
pub(crate) struct PrintingArguments {
    /// Units of bytes
    #[arg(long, value_enum, default_value = "iec")]
    pub(crate) units: Units,
    /// Print complete, machine-readable JSON with exact bytes
    #[arg(long)]
    pub(crate) json: bool,
    /// When to use colours; `auto` uses them on a terminal unless `NO_COLOR` is set
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: Color,
}

/// The arguments of every command that writes a file.
#[derive(Debug, Args)]
pub(crate) struct OutputArguments {
    /// Output file; `-` is standard output
    #[arg(short = 'o', long = "output", value_name = "FILE", default_value = "-")]
    pub(crate) target: Target,
    /// Overwrite the file if it exists
    #[arg(long)]
    force: bool,
}

impl OutputArguments {
    /// Writes to the target, as [`output::write`] does.
    pub(crate) fn write(
        &self,
        write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        output::write(&self.target, self.force, write)
    }
}

/// The argument that names folders of debug files.
#[derive(Debug, Args)]
pub(crate) struct SymbolsArgument {
    /// Folder in which to search for debug files by build id; can be repeated
    #[arg(long = "debug-dir", value_name = "DIR")]
    debug_dirs: Vec<PathBuf>,
}

impl SymbolsArgument {
    pub(crate) fn search(&self) -> Result<SymbolSearch, Failure> {
        if let Some(missing) = self.debug_dirs.iter().find(|folder| !folder.is_dir()) {
            let reason = "not a folder; `--debug-dir` takes a folder of debug files";
            return Err(Failure::of(output::shown_path(missing), reason));
        }
        Ok(self.debug_dirs.iter().fold(SymbolSearch::new(), SymbolSearch::debug_dir))
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Units {
    /// Powers of 1024: KiB, MiB, GiB
    Iec,
    /// Powers of 1000: kB, MB, GB
    Si,
    /// Whole bytes
    Bytes,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl From<Units> for memprof_profile::views::Units {
    fn from(units: Units) -> Self {
        match units {
            Units::Iec => Self::Iec,
            Units::Si => Self::Si,
            Units::Bytes => Self::Bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Arguments, CommandFactory, EXAMPLES, GROUPS};
    use clap::Parser;
    use std::fs;
    use std::path::Path;

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        Arguments::command().debug_assert();
    }

    /// Returns the commands of memprof that a page shows, without comments, pipes and redirections.
    fn commands_of(page: &str) -> impl Iterator<Item = &str> {
        let mut is_shell = false;
        let shell = page.lines().filter(move |line| {
            if line.starts_with("```") {
                is_shell = *line == "```sh" || *line == "```console";
            }
            is_shell
        });
        shell.filter_map(|line| {
            let line = line.strip_prefix("$ ").unwrap_or(line);
            let end = [" #", "  ", " | ", " > "].into_iter().filter_map(|end| line.find(end)).min();
            Some(line[..end.unwrap_or(line.len())].trim())
                .filter(|line| line.starts_with("memprof "))
        })
    }

    /// Splits a command as a shell does.
    ///
    /// # Panics
    /// Panics if a character outside quotes has a meaning for the shell, or if only a part of a word
    /// is quoted.
    fn words(command: &str) -> Vec<&str> {
        let mut words = Vec::new();
        // Every second part is between quotes.
        for (index, part) in command.split('\'').enumerate() {
            if index % 2 == 1 {
                words.push(part);
                continue;
            }
            let special = part.find(['"', '\\', ';', '&', '|', '<', '>', '(', ')', '$', '`']);
            assert!(special.is_none(), "{command}: quote {part:?}");
            let is_whole = index == 0 || part.is_empty() || part.starts_with(' ');
            assert!(is_whole, "{command}: quote the whole word");
            words.extend(part.split_whitespace());
        }
        words
    }

    #[test]
    fn the_commands_on_all_pages_parse() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let docs = fs::read_dir(root.join("docs")).expect("the pages are there");
        let pages = docs.map(|entry| entry.expect("it is listed").path());
        let mut count = 0;
        for page in pages.filter(|page| page.is_file()).chain([root.join("README.md")]) {
            let text = fs::read_to_string(&page).expect("it is text");
            for command in commands_of(&text) {
                if let Err(error) = Arguments::try_parse_from(words(command)) {
                    panic!("{}: {command}: {error}", page.display());
                }
                count += 1;
            }
        }
        assert!(count > 50, "{count} commands");
    }

    fn all_commands() -> Vec<clap::Command> {
        let mut all = vec![Arguments::command()];
        let mut next = 0;
        while let Some(command) = all.get(next) {
            let below: Vec<_> = command.get_subcommands().cloned().collect();
            all.extend(below);
            next += 1;
        }
        all
    }

    #[test]
    fn each_command_and_argument_has_a_short_description() {
        for command in all_commands() {
            let name = command.get_name();
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let columns = about.chars().count();
            assert!((1..=80).contains(&columns), "{name}: {columns} columns: {about:?}");
            for argument in command.get_arguments() {
                let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
                let is_sentence_start = help.starts_with(|first: char| first.is_uppercase());
                assert!(is_sentence_start && !help.ends_with('.'), "{name} {argument}: {help:?}");
            }
        }
    }

    #[test]
    fn the_help_lists_each_command_once() {
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let mut command = Arguments::command();
        command.build();
        let mut all: Vec<_> = command.get_subcommands().map(clap::Command::get_name).collect();
        listed.sort_unstable();
        all.sort_unstable();
        assert_eq!(listed, all);
    }

    #[test]
    fn the_help_lists_the_exit_codes() {
        let codes = |help: &str| -> Vec<u8> {
            let lines = help.lines().skip_while(|line| *line != "Exit codes:");
            lines.filter_map(|line| line.split_whitespace().next()?.parse().ok()).collect()
        };
        assert_eq!(codes(EXAMPLES), [0, 1, 2]);
        let command = Arguments::command();
        let run = command.find_subcommand("run").and_then(clap::Command::get_after_help);
        assert_eq!(codes(&run.expect("it has examples").to_string()), [2, 126, 127]);
    }

    #[test]
    fn the_help_of_each_command_has_examples_that_parse() {
        for command in all_commands() {
            let name = command.get_name();
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.starts_with("Example"), "{name}: {help:?}");
            let lines = help.lines().skip(1);
            let examples: Vec<&str> = lines.map_while(|line| line.strip_prefix("  ")).collect();
            assert!(!examples.is_empty(), "{name}");
            for example in examples {
                assert!(example.contains(name), "{name}: {example}");
                if let Err(error) = Arguments::try_parse_from(words(example)) {
                    panic!("{example}: {error}");
                }
            }
        }
    }
}
