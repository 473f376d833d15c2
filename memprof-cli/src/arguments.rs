//! The arguments of the command line, and their help.

use crate::input::Source;
use crate::output::Target;
use clap::{Args, Parser, Subcommand, ValueEnum};
use memprof_gpu::GpuSourceBuilder;
use memprof_profile::Tolerance;
use memprof_session::OperationOrder;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Reads profiles of memory that the library memprof wrote, prints, draws, compares and converts
/// them.
///
/// FILE is a profile as JSON (`Profile::write_json`), what a session wrote
/// (`memory_profile_….json` and `.jsonl`), or folded stacks of any tool; its content decides, not
/// its name. `-` is standard input.
#[derive(Debug, Parser)]
#[command(name = "memprof", version, arg_required_else_help = true, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "Exit code: 0 when all went well, 1 when a check failed \
                          (`diff --fail-if-grows`), 2 when a file or an argument was wrong.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the tree: who holds how much, widest first
    Tree(TreeArguments),
    /// Print the paths that hold the most, largest first
    Top(TopArguments),
    /// Compare two profiles by path: what is new, gone, grown and shrunk
    Diff(DiffArguments),
    /// Draw a flame graph as SVG, for a browser
    Flamegraph(FlamegraphArguments),
    /// Convert to another format
    Export(ExportArguments),
    /// Print what kind of file it is and what it holds in all
    Info(InfoArguments),
    /// Print what the bytes serve, what is shared, and what to do about it
    Report(ReportArguments),
    /// Print the operations of a session: calls, what they left behind, held and took
    Ops(OpsArguments),
    /// Write a page that shows a session over time, for a browser; it needs no network
    Timeline(TimelineArguments),
    /// Print what GPUs hold and which processes hold it, or record it
    Gpu(GpuArguments),
    /// Print the places whose memory kept growing during a session, with their call stacks
    Leaks(LeaksArguments),
}

#[derive(Debug, Args)]
pub(crate) struct TreeArguments {
    #[command(flatten)]
    pub(crate) file: FileArgument,
    #[command(flatten)]
    pub(crate) root: RootArgument,
    #[command(flatten)]
    pub(crate) printing: PrintingArguments,
    /// Levels below the root; all unless set
    #[arg(long, value_name = "LEVELS", conflicts_with = "json")]
    pub(crate) depth: Option<usize>,
    /// Leave out what is smaller than so many percent of the whole; 0 keeps all
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = percent)]
    #[arg(conflicts_with = "json")]
    pub(crate) min_share: f64,
    /// Lines below one branch; 12, and whatever takes 5 percent, unless set
    #[arg(long, value_name = "LINES", conflicts_with = "json")]
    pub(crate) widest: Option<usize>,
    /// Keep the bracketed frames: spare capacity, tables, padding
    #[arg(long, conflicts_with = "json")]
    pub(crate) detailed: bool,
    /// Keep lines within so many columns; the terminal's width, or 100, unless set
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
    /// How many paths
    #[arg(short = 'n', long, value_name = "PATHS", default_value = "20")]
    pub(crate) count: usize,
    /// Keep lines within so many columns; the terminal's width, or all of each path, unless set
    #[arg(long, value_name = "COLUMNS", conflicts_with = "json")]
    pub(crate) width: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArguments {
    /// The profile that was: as FILE of `tree`
    #[arg(value_name = "BEFORE")]
    pub(crate) before: Source,
    /// The profile that is: another file, or another snapshot of the same
    #[arg(value_name = "AFTER")]
    pub(crate) after: Source,
    #[command(flatten)]
    pub(crate) root: RootArgument,
    #[command(flatten)]
    pub(crate) printing: PrintingArguments,
    /// End with exit code 1 if the total grew by more than this: `5%`, `10MiB`, `0`
    #[arg(long, value_name = "LIMIT")]
    pub(crate) fail_if_grows: Option<Tolerance>,
    /// Print Markdown, for a pull request
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
    /// How many paths, those that changed most
    #[arg(short = 'n', long, value_name = "PATHS", default_value = "20", conflicts_with = "json")]
    pub(crate) count: usize,
    /// Keep lines within so many columns; the terminal's width, or 100, unless set
    #[arg(long, value_name = "COLUMNS", conflicts_with_all = ["json", "markdown"])]
    pub(crate) width: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct FlamegraphArguments {
    #[command(flatten)]
    pub(crate) file: FileArgument,
    /// Draw what changed from this profile to FILE: another file, or another snapshot of the same
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
    /// The format to convert to
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Format,
    /// With `--to prometheus`: serve the metrics at this address, as `127.0.0.1:9464`, and read FILE
    /// anew for each scrape, until stopped
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["target", "force"])]
    pub(crate) listen: Option<SocketAddr>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(crate) struct InfoArguments {
    #[command(flatten)]
    pub(crate) file: FileArgument,
    #[command(flatten)]
    pub(crate) printing: PrintingArguments,
    /// Keep lines about a session within so many columns; the terminal's width, or 100, unless set
    #[arg(long, value_name = "COLUMNS", conflicts_with = "json")]
    pub(crate) width: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct OpsArguments {
    #[command(flatten)]
    pub(crate) file: RecordingArgument,
    #[command(flatten)]
    pub(crate) printing: PrintingArguments,
    /// What makes an operation wider than another
    #[arg(long, value_enum, default_value = "total", value_name = "COLUMN")]
    pub(crate) sort: Sort,
    /// How many operations, besides those that they ran in
    #[arg(short = 'n', long, value_name = "OPERATIONS", default_value = "20")]
    pub(crate) count: usize,
    /// Keep lines within so many columns; the terminal's width, or 120, unless set
    #[arg(long, value_name = "COLUMNS", conflicts_with = "json")]
    pub(crate) width: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct TimelineArguments {
    /// What a session wrote (`.json`, `.jsonl`), or a profile; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) source: Source,
    /// The page to write, `-` for standard output; called after FILE, in the current folder, unless
    /// set
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) target: Option<Target>,
    /// Overwrite the file if there is one
    #[arg(long)]
    pub(crate) force: bool,
    /// What the page is called; after the program unless set
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// How bytes are shown at first; the page has all three
    #[arg(long, value_enum, default_value = "iec")]
    pub(crate) units: Units,
    /// Single calls of operations in the page: the longest, and those that changed most
    #[arg(long, value_name = "CALLS", default_value = "1000000")]
    pub(crate) most_calls: usize,
}

#[derive(Debug, Args)]
pub(crate) struct LeaksArguments {
    #[command(flatten)]
    pub(crate) file: RecordingArgument,
    #[command(flatten)]
    pub(crate) printing: PrintingArguments,
    /// Keep lines within so many columns; the terminal's width, or 100, unless set
    #[arg(long, value_name = "COLUMNS", conflicts_with = "json")]
    pub(crate) width: Option<usize>,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct GpuArguments {
    #[command(subcommand)]
    pub(crate) record: Option<GpuCommand>,
    #[command(flatten)]
    pub(crate) driver: DriverArgument,
    /// Read what `memprof gpu record` wrote, and not this machine's GPUs
    #[arg(long, value_name = "FILE", conflicts_with = "library")]
    pub(crate) trace: Option<PathBuf>,
    /// Print again each so often, such as `1s`, until it is stopped or the trace ends
    #[arg(long, value_name = "TIME", value_parser = interval)]
    pub(crate) every: Option<Duration>,
    #[command(flatten)]
    pub(crate) printing: PrintingArguments,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GpuCommand {
    /// Write readings to a file, a line each, as `--trace` reads them
    Record(GpuRecordArguments),
}

#[derive(Debug, Args)]
pub(crate) struct GpuRecordArguments {
    /// The file to write; `-` is standard output
    #[arg(value_name = "FILE")]
    pub(crate) target: Target,
    /// Overwrite the file if there is one
    #[arg(long)]
    pub(crate) force: bool,
    /// Time between two readings of the memory; what takes longer is read each second
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = interval)]
    pub(crate) every: Duration,
    /// How long; until it is stopped unless set
    #[arg(long = "for", value_name = "TIME", value_parser = humantime::parse_duration)]
    pub(crate) duration: Option<Duration>,
    #[command(flatten)]
    pub(crate) driver: DriverArgument,
}

#[derive(Debug, Args)]
pub(crate) struct DriverArgument {
    /// The driver's management library, where the system does not find it (`libnvidia-ml.so.1`)
    #[arg(long, value_name = "FILE")]
    pub(crate) library: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    #[command(flatten)]
    pub(crate) file: FileArgument,
    #[command(flatten)]
    pub(crate) root: RootArgument,
    #[command(flatten)]
    pub(crate) printing: PrintingArguments,
    /// Add a line for each part right below the root
    #[arg(long)]
    pub(crate) detailed: bool,
    /// Print Markdown, for a pull request
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
    /// Keep lines within so many columns; the terminal's width, or 100, unless set
    #[arg(long, value_name = "COLUMNS", conflicts_with_all = ["json", "markdown"])]
    pub(crate) width: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct FileArgument {
    /// A profile as JSON or folded stacks, or what a session wrote; `-` is standard input.
    /// FILE@SNAPSHOT is a snapshot of a session: `start`, `end` (unless set), `peak`, a
    /// checkpoint's name, a number
    #[arg(value_name = "FILE")]
    pub(crate) source: Source,
}

/// Which part of a snapshot.
#[derive(Debug, Args)]
pub(crate) struct RootArgument {
    /// Only this root or source of a session's snapshot; all of them unless set
    #[arg(long = "root", value_name = "NAME")]
    name: Option<String>,
}

impl RootArgument {
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

/// A file that a session wrote.
#[derive(Debug, Args)]
pub(crate) struct RecordingArgument {
    /// What a session wrote: a report (`.json`) or a timeline (`.jsonl`); `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) source: Source,
}

/// What every command has that prints.
#[derive(Debug, Args)]
pub(crate) struct PrintingArguments {
    /// How bytes are shown
    #[arg(long, value_enum, default_value = "iec")]
    pub(crate) units: Units,
    /// Print JSON for programs: whole bytes, nothing left out
    #[arg(long)]
    pub(crate) json: bool,
    /// Colours; automatic ones need a terminal, and `NO_COLOR` not to be set
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: Color,
}

/// What every command has that writes files.
#[derive(Debug, Args)]
pub(crate) struct OutputArguments {
    /// The file to write; standard output (`-`) unless set
    #[arg(short = 'o', long = "output", value_name = "FILE", default_value = "-")]
    pub(crate) target: Target,
    /// Overwrite the file if there is one
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Format {
    /// Folded stacks, a line per name: for flame graph tools
    Folded,
    /// Folded stacks, a line per leaf: with spare capacity, tables, padding
    FoldedDetailed,
    /// The profile as memprof reads it, nothing lost
    Json,
    /// The same as YAML
    Yaml,
    /// A flame graph
    Svg,
    /// pprof, as `go tool pprof` reads it: the tree
    Pprof,
    /// pprof of a session: call stacks and what is live of them, from samples
    PprofSites,
    /// pprof of a session: operations, what they allocated, and what is live of it
    PprofOperations,
    /// Folded stacks of a session: call stacks and what is live of them, from samples
    FoldedSites,
    /// Folded stacks of a session: operations and what is live of them, from samples
    FoldedOperations,
    /// A session's calls and curves of bytes, for ui.perfetto.dev (`.pftrace`)
    Perfetto,
    /// A snapshot's trees and a session's calls, for speedscope.app (`.json`)
    Speedscope,
    /// A snapshot's figures as metrics, for Prometheus
    Prometheus,
}

/// A column of the table of operations.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Sort {
    /// What all calls left behind
    Total,
    /// How many calls
    Calls,
    /// What a call left behind on average
    Average,
    /// The most that a call left behind
    Max,
    /// The most that a call held at once
    Peak,
    /// What all calls allocated
    Allocated,
    /// How long all calls took
    Time,
    /// What is live of what it allocated
    Retained,
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

impl From<Sort> for OperationOrder {
    fn from(sort: Sort) -> Self {
        match sort {
            Sort::Total => Self::Total,
            Sort::Calls => Self::Calls,
            Sort::Average => Self::Average,
            Sort::Max => Self::Max,
            Sort::Peak => Self::Peak,
            Sort::Allocated => Self::Allocated,
            Sort::Time => Self::Time,
            Sort::Retained => Self::Retained,
        }
    }
}

impl From<Units> for memprof_profile::Units {
    fn from(units: Units) -> Self {
        match units {
            Units::Iec => Self::Iec,
            Units::Si => Self::Si,
            Units::Bytes => Self::Bytes,
        }
    }
}

/// Parses the time between two readings. It has a minimum, because frequent readings slow the
/// driver.
fn interval(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(interval) if interval >= GpuSourceBuilder::LEAST_INTERVAL => Ok(interval),
        Ok(_) => {
            let least = humantime::format_duration(GpuSourceBuilder::LEAST_INTERVAL);
            Err(format!("expected at least {least}"))
        }
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
    use super::Arguments;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        Arguments::command().debug_assert();
    }
}
