//! The commands that print one profile: `memprof tree` prints the bytes by name, `memprof top` the
//! largest paths, and `memprof report` the roles of the bytes, shared allocations, and advice.

use crate::arguments::{PrintingArguments, ProfileArguments};
use crate::failure::Failure;
use crate::terminal::Layout;
use crate::{output, terminal};
use clap::Args;
use memprof_gpu::GpuRule;
use memprof_profile::Profile;
use memprof_profile::report::{Advisor, Recommendation, Report, Statistics};
use memprof_profile::tree::Origin;
use memprof_profile::views::{Top, TopPath};
use serde::Serialize;

const TREE_EXAMPLES: &str = "\
Examples:
  memprof tree model.json
  memprof tree --depth 2 --root index run.json@peak";

/// Print the tree: bytes by name, largest first
#[derive(Debug, Args)]
#[command(after_help = TREE_EXAMPLES)]
pub(crate) struct TreeArguments {
    #[command(flatten)]
    profile: ProfileArguments,
    #[command(flatten)]
    printing: PrintingArguments,
    /// Levels below the root [default: all]
    #[arg(long, value_name = "LEVELS", conflicts_with = "json")]
    depth: Option<usize>,
    /// Hide lines below this percentage of the total; 0 shows all
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = percent)]
    #[arg(conflicts_with = "json")]
    min_share: f64,
    /// Maximum number of lines below one branch [default: 12, plus each line with at least 5
    /// percent]
    #[arg(long, value_name = "LINES", conflicts_with = "json")]
    widest: Option<usize>,
    /// Show the bracketed frames: excess capacity, tables, padding
    #[arg(long, conflicts_with = "json")]
    detailed: bool,
    /// Maximum line width in columns [default: the terminal's width, or 100]
    #[arg(long, value_name = "COLUMNS", conflicts_with = "json")]
    width: Option<usize>,
}

pub(crate) fn tree(arguments: &TreeArguments) -> Result<(), Failure> {
    let profile = arguments.profile.read()?;
    if arguments.printing.json {
        // The reading program selects parts of the JSON itself.
        return output::print(|out| Ok(profile.write_json(out)?));
    }
    let mut tree = profile
        .tree()
        .units(arguments.printing.units.into())
        .width(arguments.width.unwrap_or_else(terminal::width))
        .min_share(arguments.min_share);
    if let Some(levels) = arguments.depth {
        tree = tree.depth(levels);
    }
    if let Some(lines) = arguments.widest {
        tree = tree.widest(lines);
    }
    if arguments.detailed {
        tree = tree.detailed();
    }
    output::print_text(&terminal::painted(&tree.styled(), arguments.printing.color))
}

/// Parses a percentage from 0 to 100; rejects `NaN`.
fn percent(text: &str) -> Result<f64, String> {
    match text.strip_suffix('%').unwrap_or(text).trim().parse() {
        Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(percent),
        _ => Err("expected a number from 0 to 100".into()),
    }
}

const TOP_EXAMPLES: &str = "\
Examples:
  memprof top model.json
  memprof top -n 5 --units bytes run.json@peak";

/// Print the paths with the most bytes
#[derive(Debug, Args)]
#[command(after_help = TOP_EXAMPLES)]
pub(crate) struct TopArguments {
    #[command(flatten)]
    profile: ProfileArguments,
    #[command(flatten)]
    printing: PrintingArguments,
    /// Number of paths to list
    #[arg(short = 'n', long, value_name = "PATHS", default_value = "20")]
    count: usize,
    /// Maximum line width in columns [default: the terminal's width, or whole paths]
    #[arg(long, value_name = "COLUMNS", conflicts_with = "json")]
    width: Option<usize>,
}

#[derive(Serialize)]
struct TopJson<'p> {
    total_bytes: u64,
    paths: Vec<PathJson<'p>>,
    more: MoreJson,
}

#[derive(Serialize)]
struct PathJson<'p> {
    path: &'p [&'p str],
    bytes: u64,
}

#[derive(Serialize)]
struct MoreJson {
    paths: u64,
    bytes: u64,
}

pub(crate) fn top(arguments: &TopArguments) -> Result<(), Failure> {
    let profile = arguments.profile.read()?;
    // Output for programs such as `grep` has whole paths.
    let width = arguments.width.or_else(terminal::columns).unwrap_or(usize::MAX);
    let top = profile.top(arguments.count).units(arguments.printing.units.into()).width(width);
    let text = if arguments.printing.json {
        terminal::document("memprof top", Layout::Lines, &TopJson::of(&top, profile.total_bytes()))?
    } else {
        top.to_string()
    };
    output::print_text(&text)
}

impl<'p> TopJson<'p> {
    fn of(top: &'p Top<'_>, total_bytes: u64) -> Self {
        let path =
            |top: &'p TopPath<'_>| PathJson { path: top.path().frames(), bytes: top.bytes() };
        Self {
            total_bytes,
            paths: top.paths().iter().map(path).collect(),
            more: MoreJson { paths: top.more(), bytes: top.more_bytes() },
        }
    }
}

const REPORT_EXAMPLES: &str = "\
Examples:
  memprof report model.json
  memprof report --markdown --root index run.json";

/// Print the bytes by role, what is shared, and advice
#[derive(Debug, Args)]
#[command(after_help = REPORT_EXAMPLES)]
pub(crate) struct ReportArguments {
    #[command(flatten)]
    profile: ProfileArguments,
    #[command(flatten)]
    printing: PrintingArguments,
    /// Add a line for each branch directly below the root
    #[arg(long)]
    detailed: bool,
    /// Print Markdown, for a pull request
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Maximum line width in columns [default: the terminal's width, or 100]
    #[arg(long, value_name = "COLUMNS", conflicts_with_all = ["json", "markdown"])]
    width: Option<usize>,
}

/// `docs/format.md` describes the keys. Figures that the origin does not have are `null`.
#[derive(Serialize)]
struct ReportJson<'p> {
    root: &'p str,
    origin: &'static str,
    total_bytes: u64,
    shallow_bytes: Option<u64>,
    exact: Option<bool>,
    lower_bound: Option<bool>,
    statistics: Option<StatisticsJson>,
    components: Vec<ComponentJson<'p>>,
    advice: Vec<AdviceJson<'p>>,
}

#[derive(Serialize)]
struct ComponentJson<'p> {
    name: &'p str,
    total_bytes: u64,
    statistics: Option<StatisticsJson>,
}

#[derive(Serialize)]
struct AdviceJson<'p> {
    rule: &'p str,
    severity: &'static str,
    path: Option<&'p str>,
    evidence: &'p str,
    what_to_do: Option<&'p str>,
    saves: Option<u64>,
    saves_at_most: bool,
}

pub(crate) fn report(arguments: &ReportArguments) -> Result<(), Failure> {
    let profile = arguments.profile.read()?;
    let printing = &arguments.printing;
    let width = arguments.width.unwrap_or_else(terminal::width);
    let advisor = Advisor::new().rule(GpuRule);
    let mut report = profile.report_by(&advisor).units(printing.units.into()).width(width);
    if arguments.detailed {
        report = report.detailed();
    }
    let text = if printing.json {
        terminal::document("memprof report", Layout::Lines, &document(&profile, &report))?
    } else if arguments.markdown {
        report.to_markdown().trim_end().into()
    } else {
        terminal::painted(&report.styled(), printing.color)
    };
    output::print_text(&text)
}

fn document<'p>(profile: &'p Profile, report: &'p Report<'_>) -> ReportJson<'p> {
    let from_values = profile.origin() == Origin::Values;
    let components = report.components().map(|(name, statistics)| ComponentJson {
        name,
        total_bytes: statistics.total(),
        statistics: from_values.then(|| statistics.into()),
    });
    ReportJson {
        root: profile.root().name(),
        origin: profile.origin().as_str(),
        total_bytes: profile.total_bytes(),
        shallow_bytes: profile.shallow_bytes(),
        exact: from_values.then(|| profile.is_exact()),
        lower_bound: from_values.then(|| profile.is_lower_bound()),
        statistics: from_values.then(|| report.statistics().into()),
        components: components.collect(),
        advice: report.recommendations().iter().map(AdviceJson::of).collect(),
    }
}

impl<'p> AdviceJson<'p> {
    fn of(recommendation: &'p Recommendation) -> Self {
        Self {
            rule: recommendation.rule(),
            severity: recommendation.severity().as_str(),
            path: recommendation.path(),
            evidence: recommendation.evidence(),
            what_to_do: recommendation.action(),
            saves: recommendation.savings(),
            saves_at_most: recommendation.is_upper_bound(),
        }
    }
}

/// The statistics of a profile; `docs/format.md` describes the keys.
#[derive(Serialize)]
struct StatisticsJson {
    data: u64,
    metadata: u64,
    auxiliary: u64,
    shared_metadata: u64,
    spare: u64,
    padding: u64,
    allocations: u64,
    overhead_ratio: Option<f64>,
    metadata_share: Option<f64>,
    auxiliary_ratio: Option<f64>,
}

impl From<Statistics> for StatisticsJson {
    fn from(statistics: Statistics) -> Self {
        Self {
            data: statistics.data,
            metadata: statistics.metadata,
            auxiliary: statistics.auxiliary,
            shared_metadata: statistics.shared_metadata,
            spare: statistics.spare,
            padding: statistics.padding,
            allocations: statistics.allocations,
            overhead_ratio: statistics.overhead_ratio(),
            metadata_share: statistics.metadata_share(),
            auxiliary_ratio: statistics.auxiliary_ratio(),
        }
    }
}
