//! The arguments of the command line, and their help.

mod examples;
mod limit;

pub(crate) use limit::Limit;

use crate::failure::Failure;
use crate::input::Source;
use crate::output::Target;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use core::ops::RangeInclusive;
use memprof_gpu::GpuSourceBuilder;
use memprof_recording::{OperationOrder, SymbolSearch};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Print, compare, draw and convert memprof's profiles and recordings
///
/// FILE is a profile as JSON (`Profile::write_json`), a recording of a session
/// (`memory_profile_….json` or `.jsonl`), or folded stacks. A folder stands for its newest
/// recording, and so does the current folder if FILE is missing. `-` is standard input.
#[derive(Debug, Parser)]
#[command(name = "memprof", version, arg_required_else_help = true, after_help = examples::MEMPROF)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

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
    /// Run a program with a recording, and print what grew
    #[command(after_help = examples::RUN)]
    Run(RunArguments),
    /// Print the call sites whose memory keeps growing
    #[command(after_help = examples::LEAKS)]
    Leaks(LeaksArguments),
    /// Print a recording on one screen: growth, heap, roots, operations
    #[command(after_help = examples::INFO)]
    Info(InfoArguments),
    /// Write an HTML page of a recording, for a browser
    #[command(after_help = examples::HTML)]
    Html(HtmlArguments),
    /// Print the operations: calls, retained bytes, peak and time
    #[command(after_help = examples::OPS)]
    Ops(OpsArguments),
    /// Convert a recording or a profile for other tools
    #[command(after_help = examples::EXPORT)]
    Export(ExportArguments),
    /// Print the tree: bytes by name, largest first
    #[command(after_help = examples::TREE)]
    Tree(TreeArguments),
    /// Print the paths with the most bytes
    #[command(after_help = examples::TOP)]
    Top(TopArguments),
    /// Print the bytes by role, what is shared, and advice
    #[command(after_help = examples::REPORT)]
    Report(ReportArguments),
    /// Compare two profiles or snapshots, and fail if memory grew
    #[command(after_help = examples::DIFF)]
    Diff(DiffArguments),
    /// Draw a flame graph as SVG
    #[command(after_help = examples::FLAMEGRAPH)]
    Flamegraph(FlamegraphArguments),
    /// Print the memory of GPUs by process
    #[command(after_help = examples::GPU)]
    Gpu(GpuArguments),
    /// Write a recording with the names of its addresses
    #[command(after_help = examples::SYMBOLIZE)]
    Symbolize(SymbolizeArguments),
    /// Print a script that completes these commands in a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArguments),
    /// Print the manual page, or write the pages of all commands
    #[command(after_help = examples::MAN)]
    Man(ManArguments),
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// The program to run, and its arguments
    #[arg(value_name = "COMMAND", required = true, trailing_var_arg = true)]
    pub(crate) command: Vec<OsString>,
    /// Folder for the recording [default: `MEMPROF_OUTPUT_DIR`, or the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) output_dir: Option<PathBuf>,
    /// Time between two snapshots, such as `500ms` [default: `MEMPROF_INTERVAL`, or 1s]
    #[arg(long, value_name = "TIME", value_parser = snapshot_interval)]
    pub(crate) interval: Option<Duration>,
    /// What the allocator records [default: `MEMPROF_LEVEL`, or the program's own setting]
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub(crate) level: Option<Level>,
    /// Open the page of the recording in a browser; set `BROWSER` to choose it
    #[arg(long)]
    pub(crate) open: bool,
    /// The page to write [default with `--open`: the recording's name with `.html`]
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Overwrite the page if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Units of bytes
    #[arg(long, value_enum, default_value = "iec")]
    pub(crate) units: Units,
    #[command(flatten)]
    pub(crate) symbols: SymbolsArgument,
}

#[derive(Debug, Args)]
pub(crate) struct TreeArguments {
    #[command(flatten)]
    pub(crate) file: FileArgument,
    #[command(flatten)]
    pub(crate) root: RootArgument,
    #[command(flatten)]
    pub(crate) printing: PrintingArguments,
    /// Levels below the root [default: all]
    #[arg(long, value_name = "LEVELS", conflicts_with = "json")]
    pub(crate) depth: Option<usize>,
    /// Leave out lines below this percentage of the total; 0 keeps all
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = percent)]
    #[arg(conflicts_with = "json")]
    pub(crate) min_share: f64,
    /// Maximum number of lines below one branch [default: 12, and each line with at least 5
    /// percent]
    #[arg(long, value_name = "LINES", conflicts_with = "json")]
    pub(crate) widest: Option<usize>,
    /// Show the bracketed frames: excess capacity, tables, padding
    #[arg(long, conflicts_with = "json")]
    pub(crate) detailed: bool,
    /// Columns of a line [default: the terminal's width, or 100]
    #[arg(long, value_name = "COLUMNS", conflicts_with = "json")]
    pub(crate) width: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct TopArguments {
    #[command(flatten)]
    pub(crate) file: FileArgument,
    #[command(flatten)]
    pub(crate) root: RootArgument,
    #[command(flatten)]
    pub(crate) printing: PrintingArguments,
    /// Number of paths
    #[arg(short = 'n', long, value_name = "PATHS", default_value = "20")]
    pub(crate) count: usize,
    /// Columns of a line [default: the terminal's width, or whole paths]
    #[arg(long, value_name = "COLUMNS", conflicts_with = "json")]
    pub(crate) width: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArguments {
    /// The earlier profile, in any form that `memprof tree` accepts
    #[arg(value_name = "BEFORE")]
    pub(crate) before: Source,
    /// The later profile: another file, or another snapshot of the same one
    #[arg(value_name = "AFTER")]
    pub(crate) after: Source,
    #[command(flatten)]
    pub(crate) root: RootArgument,
    #[command(flatten)]
    pub(crate) printing: PrintingArguments,
    /// Compare all recordings in two folders, as median and range; the names for `--fail-if-grows`
    /// are `peak`, `end`, `allocated`, `allocations` and paths
    #[arg(long, conflicts_with = "RootArgument")]
    pub(crate) runs: bool,
    /// Exit with code 1 if the total grew by more than this limit: `5%`, `10MiB`, `0`, or if the
    /// growth is unknown.
    /// `Model;matrix=5%` limits a path and the paths below it. Can be repeated
    #[arg(long, value_name = "[PATH=]LIMIT")]
    pub(crate) fail_if_grows: Vec<Limit>,
    /// Print Markdown, for a pull request
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
    /// Number of paths, largest changes first
    #[arg(short = 'n', long, value_name = "PATHS", default_value = "20", conflicts_with = "json")]
    pub(crate) count: usize,
    /// Columns of a line [default: the terminal's width, or 100]
    #[arg(long, value_name = "COLUMNS", conflicts_with_all = ["json", "markdown"])]
    pub(crate) width: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct FlamegraphArguments {
    #[command(flatten)]
    pub(crate) file: FileArgument,
    /// Draw the changes from this profile to FILE: another file, or another snapshot of the same
    /// one
    #[arg(long, value_name = "BEFORE")]
    pub(crate) before: Option<Source>,
    #[command(flatten)]
    pub(crate) root: RootArgument,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    #[command(flatten)]
    pub(crate) file: FileArgument,
    #[command(flatten)]
    pub(crate) root: RootArgument,
    #[command(flatten)]
    pub(crate) symbols: SymbolsArgument,
    /// The format to convert to
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Format,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(crate) struct InfoArguments {
    #[command(flatten)]
    pub(crate) file: FileArgument,
    #[command(flatten)]
    pub(crate) symbols: SymbolsArgument,
    #[command(flatten)]
    pub(crate) printing: PrintingArguments,
    /// Print a recording in a few KB of JSON, for scripts and agents: three moments, and at most
    /// this many roots, operations and call sites
    #[arg(long, value_name = "ROWS", requires = "json")]
    pub(crate) limit: Option<usize>,
    /// Columns of a line, for recordings [default: the terminal's width, or 100]
    #[arg(long, value_name = "COLUMNS", conflicts_with = "json")]
    pub(crate) width: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct OpsArguments {
    #[command(flatten)]
    pub(crate) file: RecordingArgument,
    #[command(flatten)]
    pub(crate) printing: PrintingArguments,
    /// Column to sort by [default: retained, or total without samples]
    #[arg(long, value_name = "COLUMN", value_parser = orders())]
    pub(crate) sort: Option<OperationOrder>,
    /// Number of operations, without the operations around them
    #[arg(short = 'n', long, value_name = "OPERATIONS", default_value = "20")]
    pub(crate) count: usize,
    /// Columns of a line [default: the terminal's width, or 120]
    #[arg(long, value_name = "COLUMNS", conflicts_with = "json")]
    pub(crate) width: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct HtmlArguments {
    /// A recording of a session (`.json`, `.jsonl`), a folder (its newest recording), or a profile;
    /// `-` is standard input
    #[arg(value_name = "FILE", default_value = ".")]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) symbols: SymbolsArgument,
    /// The page to write, `-` for standard output [default: FILE's name with `.html`, in the
    /// current directory]
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) target: Option<Target>,
    /// Overwrite the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Open the page in a browser; set `BROWSER` to choose it
    #[arg(long)]
    pub(crate) open: bool,
    /// Title of the page [default: the program's name]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// Initial units; the page can switch between all three
    #[arg(long, value_enum, default_value = "iec")]
    pub(crate) units: Units,
    /// Maximum number of individual calls in the page; it keeps the longest and those with the
    /// largest changes
    #[arg(long, value_name = "CALLS", default_value = "1000000")]
    pub(crate) max_calls: usize,
}

#[derive(Debug, Args)]
pub(crate) struct LeaksArguments {
    #[command(flatten)]
    pub(crate) file: RecordingArgument,
    #[command(flatten)]
    pub(crate) symbols: SymbolsArgument,
    #[command(flatten)]
    pub(crate) printing: PrintingArguments,
    /// Print at most this many call sites of each kind as JSON on one line, without their stacks;
    /// about 1 KB each, for scripts and agents
    #[arg(long, value_name = "SITES", requires = "json")]
    pub(crate) limit: Option<usize>,
    /// Show all frames, including those of the standard library, executors and memprof
    #[arg(long, conflicts_with = "json")]
    pub(crate) all_frames: bool,
    /// Columns of a line [default: the terminal's width, or 100]
    #[arg(long, value_name = "COLUMNS", conflicts_with = "json")]
    pub(crate) width: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct GpuArguments {
    /// The driver's management library (`libnvidia-ml.so.1`), if the system does not find it
    #[arg(long, value_name = "FILE")]
    pub(crate) library: Option<PathBuf>,
    /// Print again after each interval, such as `1s`, until stopped
    #[arg(long, value_name = "TIME", value_parser = interval)]
    pub(crate) every: Option<Duration>,
    #[command(flatten)]
    pub(crate) printing: PrintingArguments,
}

#[derive(Debug, Args)]
pub(crate) struct SymbolizeArguments {
    #[command(flatten)]
    pub(crate) file: RecordingArgument,
    #[command(flatten)]
    pub(crate) symbols: SymbolsArgument,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell that runs the script
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// Write the pages of all commands to this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) output_dir: Option<PathBuf>,
    /// Overwrite pages that exist
    #[arg(long, requires = "output_dir")]
    pub(crate) force: bool,
}

/// The argument that names folders of debug files.
#[derive(Debug, Args)]
pub(crate) struct SymbolsArgument {
    /// Folder of debug files, which are found by their build id; can be repeated
    #[arg(long = "debug-dir", value_name = "DIR")]
    debug_dirs: Vec<PathBuf>,
}

impl SymbolsArgument {
    pub(crate) fn search(&self) -> Result<SymbolSearch, Failure> {
        if let Some(missing) = self.debug_dirs.iter().find(|folder| !folder.is_dir()) {
            return Err(Failure::DebugDir(missing.clone()));
        }
        Ok(self.debug_dirs.iter().fold(SymbolSearch::new(), SymbolSearch::debug_dir))
    }
}

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    #[command(flatten)]
    pub(crate) file: FileArgument,
    #[command(flatten)]
    pub(crate) root: RootArgument,
    #[command(flatten)]
    pub(crate) printing: PrintingArguments,
    /// Add a line for each branch directly below the root
    #[arg(long)]
    pub(crate) detailed: bool,
    /// Print Markdown, for a pull request
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
    /// Columns of a line [default: the terminal's width, or 100]
    #[arg(long, value_name = "COLUMNS", conflicts_with_all = ["json", "markdown"])]
    pub(crate) width: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct FileArgument {
    /// A profile as JSON or folded stacks, or a recording of a session; `-` is standard input.
    /// FILE@SNAPSHOT selects a snapshot: `start`, `end` (the default), `peak`, a checkpoint's
    /// name, or a number. A folder stands for its newest recording
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

/// The argument that names a recording.
#[derive(Debug, Args)]
pub(crate) struct RecordingArgument {
    /// A recording of a session (`.json`, `.jsonl`), or a folder (its newest recording); `-` is
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
    /// Print JSON for programs, with exact bytes and nothing left out
    #[arg(long)]
    pub(crate) json: bool,
    /// Colours; `auto` uses them on a terminal unless `NO_COLOR` is set
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: Color,
}

/// The arguments of every command that writes files.
#[derive(Debug, Args)]
pub(crate) struct OutputArguments {
    /// The file to write; `-` is standard output
    #[arg(short = 'o', long = "output", value_name = "FILE", default_value = "-")]
    pub(crate) target: Target,
    /// Overwrite the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Format {
    /// Folded stacks with one line per branch, for flame graph tools
    Folded,
    /// Folded stacks with one line per leaf: also excess capacity, tables, padding
    FoldedDetailed,
    /// The profile as JSON, without loss; memprof reads it back
    Json,
    /// The profile as YAML
    Yaml,
    /// A flame graph of the profile
    Svg,
    /// pprof, for `go tool pprof`: the tree
    Pprof,
    /// pprof of a session: stacks with their live bytes, from samples
    PprofSites,
    /// pprof of a session: operations with their allocated and live bytes
    PprofOperations,
    /// Folded stacks of a session: stacks with their live bytes, from samples
    FoldedSites,
    /// Folded stacks of a session: operations with their live bytes, from samples
    FoldedOperations,
    /// The calls and curves of bytes of a session, for ui.perfetto.dev (`.pftrace`)
    Perfetto,
    /// The figures of a snapshot as metrics, for Prometheus
    Prometheus,
}

/// What the allocator records.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Level {
    /// Nothing: roots only
    Off,
    /// Totals and operations
    Counters,
    /// Totals, operations and call sites
    Sampled,
}

impl Level {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Counters => "counters",
            Self::Sampled => "sampled",
        }
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

fn orders() -> impl TypedValueParser<Value = OperationOrder> {
    let names = OperationOrder::ALL.iter().map(|order| order.as_str());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<OperationOrder>())
}

/// Parses the time between two readings. Frequent readings slow the driver.
fn interval(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(interval) if interval >= GpuSourceBuilder::MIN_INTERVAL => Ok(interval),
        Ok(_) => {
            let least = humantime::format_duration(GpuSourceBuilder::MIN_INTERVAL);
            Err(format!("expected at least {least}"))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Parses the time between two snapshots. The limits are those of a session, because a session
/// ignores a value beyond them with a warning.
fn snapshot_interval(text: &str) -> Result<Duration, String> {
    const LIMITS: RangeInclusive<Duration> = Duration::from_millis(10)..=Duration::from_hours(24);
    match humantime::parse_duration(text) {
        Ok(interval) if LIMITS.contains(&interval) => Ok(interval),
        Ok(_) => Err("expected a time from 10ms to 1day".into()),
        Err(error) => Err(error.to_string()),
    }
}

/// Parses a percentage from 0 to 100; rejects `NaN`.
fn percent(text: &str) -> Result<f64, String> {
    match text.strip_suffix('%').unwrap_or(text).trim().parse() {
        Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(percent),
        _ => Err("expected a number from 0 to 100".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Arguments, CommandFactory, GROUPS, examples};
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
        assert_eq!(codes(examples::MEMPROF), [0, 1, 2]);
        assert_eq!(codes(examples::RUN), [2, 126, 127]);
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
