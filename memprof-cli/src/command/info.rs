//! `memprof info`: the kind of a file and its totals. A recording fits on a screen, or as JSON in a few
//! kilobytes; a profile has a line for each figure.

mod brief;

use crate::arguments::{FileArgument, PrintingArguments, SymbolsArgument};
use crate::failure::Failure;
use crate::input::{Content, Format};
use crate::terminal::{Layout, brief};
use crate::{input, output, terminal};
use brief::BriefJson;
use clap::Args;
use memprof_profile::Profile;
use memprof_profile::report::{SharingAnalysis, Statistics};
use memprof_profile::text::counted;
use memprof_profile::tree::{Branch, OpaqueReason, Origin, Tensors};
use memprof_profile::views::{Grouped, Units};
use memprof_recording::Recording;
use memprof_recording::document::{Metadata, OutOfMemory, Snapshot, Summary};
use serde::Serialize;
use std::collections::BTreeMap;

const EXAMPLES: &str = "\
Examples:
  memprof info
  memprof info --json run.jsonl";

/// Print a recording on one screen: growth, heap, roots, operations
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InfoArguments {
    #[command(flatten)]
    file: FileArgument,
    #[command(flatten)]
    symbols: SymbolsArgument,
    #[command(flatten)]
    printing: PrintingArguments,
    /// Print a recording in a few KB of JSON, for scripts and agents: three moments, and at most
    /// this many roots, operations and call sites
    #[arg(long, value_name = "ROWS", requires = "json")]
    limit: Option<usize>,
    /// Maximum line width in columns, for recordings [default: the terminal's width, or 100]
    #[arg(long, value_name = "COLUMNS", conflicts_with = "json")]
    width: Option<usize>,
}

const FORMAT: &str = "memprof session info";

/// The parts of the recording as in its file. With `FILE@SNAPSHOT`, only that snapshot.
#[derive(Serialize)]
struct SessionJson<'r> {
    metadata: &'r Metadata,
    unreadable_lines: u64,
    snapshots: &'r [Snapshot],
    out_of_memory: &'r [OutOfMemory],
    /// `None` if the file ends before the first summary.
    summary: Option<&'r Summary>,
}

pub(crate) fn run(arguments: &InfoArguments) -> Result<(), Failure> {
    let mut input = input::read(&arguments.file.source)?;
    if let Content::Recording(recording) = &mut input.content {
        input::name(recording, &arguments.symbols.search()?);
    }
    let text = match &input.content {
        Content::Profile(profile, format) => of_profile(arguments, profile, *format),
        Content::Recording(recording) => {
            of_session(arguments, recording, input.named_snapshot(recording)?)
        }
    };
    output::print_text(&text?)
}

fn of_profile(
    arguments: &InfoArguments,
    profile: &Profile,
    format: Format,
) -> Result<String, Failure> {
    if arguments.printing.json {
        return Ok(profile.to_json()?.trim_end().to_owned());
    }
    Ok(text(profile, format, &Sums::of(profile), arguments.printing.units.into()))
}

fn of_session(
    arguments: &InfoArguments,
    recording: &Recording,
    at: Option<&Snapshot>,
) -> Result<String, Failure> {
    if let Some(limit) = arguments.limit {
        let brief = BriefJson::of(recording, limit);
        return Ok(terminal::document(FORMAT, Layout::Line, &brief)?);
    }
    if arguments.printing.json {
        let all = &recording.snapshots[..];
        let json = SessionJson {
            metadata: &recording.metadata,
            unreadable_lines: recording.unreadable_lines,
            snapshots: at.map_or(all, std::slice::from_ref),
            out_of_memory: &recording.out_of_memory,
            summary: recording.summary_unknown_reason().is_none().then_some(&recording.summary),
        };
        return Ok(terminal::document(FORMAT, Layout::Lines, &json)?);
    }
    let mut overview = recording
        .overview()
        .units(arguments.printing.units.into())
        .width(arguments.width.unwrap_or_else(terminal::width));
    if let Some(snapshot) = at {
        overview = overview.at(snapshot);
    }
    Ok(overview.to_string())
}

type Line = (&'static str, String);

fn text(profile: &Profile, format: Format, sums: &Sums, units: Units) -> String {
    let mut lines = of_file(profile, format, sums, units);
    let from_values = profile.origin() == Origin::Values;
    let values = of_values(profile, sums, units);
    lines.extend(values.into_iter().map(|(label, text)| match text {
        _ if !from_values && (label != "devices" || text.is_empty()) => (label, "unknown".into()),
        text if text.is_empty() => (label, "none".into()),
        text => (label, text),
    }));
    let width = lines.iter().map(|line| line.0.len()).max().unwrap_or_default();
    let lines = lines.iter().map(|(label, text)| format!("{label:width$}  {text}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the lines that a profile of any origin has.
fn of_file(profile: &Profile, format: Format, sums: &Sums, units: Units) -> Vec<Line> {
    let format = match format {
        Format::Json => format!("{}, version {}", Profile::JSON_FORMAT, Profile::JSON_VERSION),
        Format::Folded => "folded stacks".to_owned(),
    };
    let least = if profile.is_lower_bound() { "≥ " } else { "" };
    vec![
        ("format", format),
        ("root", brief(profile.root().name())),
        ("total", format!("{least}{}", amount(profile.total_bytes(), units))),
        ("branches", Grouped(sums.branches).to_string()),
        ("leaves", Grouped(sums.leaves).to_string()),
        ("depth", Grouped(sums.depth).to_string()),
    ]
}

/// Returns the lines of a profile of values. A figure that it lacks has an empty text.
fn of_values(profile: &Profile, sums: &Sums, units: Units) -> Vec<Line> {
    let statistics = profile.statistics();
    let sharing = profile.sharing();
    let shallow = profile.shallow_bytes();
    let mut lines = vec![
        ("exact", exactness(profile, sums, units)),
        ("shallow", shallow.map_or_else(|| "unknown".into(), |bytes| amount(bytes, units))),
    ];
    lines.extend(sums.counts().map(|(label, count)| (label, Grouped(count).to_string())));
    lines.extend([
        ("data", amount(statistics.data, units)),
        ("metadata", metadata(&statistics, units)),
        ("auxiliary", amount(statistics.auxiliary, units)),
        ("spare", amount(statistics.spare, units)),
        ("padding", amount(statistics.padding, units)),
        ("shared", shared(profile, units)),
        ("duplicates", duplicates(&sharing, units)),
        ("tensors", tensors(profile.tensors(), units)),
    ]);
    let devices = profile.devices();
    let devices = devices.iter().map(|(device, bytes)| format!("{device} {}", units.show(*bytes)));
    lines.push(("devices", devices.collect::<Vec<_>>().join(", ")));
    lines
}

fn amount(bytes: u64, units: Units) -> String {
    match units.show(bytes).to_string() {
        short if bytes < 1000 || matches!(units, Units::Bytes) => short,
        short => format!("{short} ({})", Units::Bytes.show(bytes)),
    }
}

fn exactness(profile: &Profile, sums: &Sums, units: Units) -> String {
    if profile.is_exact() {
        return "yes".into();
    }
    let mut reasons: Vec<String> =
        sums.opaque.iter().map(|(reason, count)| format!("{} {reason}", Grouped(*count))).collect();
    if sums.estimated_bytes > 0 {
        reasons.push(format!("{} estimated", units.show(sums.estimated_bytes)));
    }
    format!("no: {}", reasons.join(", "))
}

fn metadata(statistics: &Statistics, units: Units) -> String {
    let mut parts = vec![amount(statistics.metadata, units)];
    if let Some(ratio) = statistics.overhead_ratio() {
        parts.push(format!("overhead ratio {ratio:.4}"));
    }
    if statistics.is_metadata_shared() {
        parts.push(format!("{} of it shared", units.show(statistics.shared_metadata)));
    }
    parts.join(", ")
}

fn shared(profile: &Profile, units: Units) -> String {
    let shared = profile.shared();
    if shared.allocations == 0 {
        return String::new();
    }
    let mut parts = vec![
        format!(
            "{} in {} with {}",
            units.show(shared.bytes),
            counted(shared.allocations, "allocation"),
            counted(shared.handles, "handle"),
        ),
        format!("{} if nothing were shared", units.show(shared.bytes_if_unshared)),
    ];
    if shared.externally_held_bytes > 0 {
        let most = if shared.is_upper_bound { "at most " } else { "" };
        parts.push(format!("{most}{} externally held", units.show(shared.externally_held_bytes)));
    }
    if shared.leaked_bytes > 0 {
        parts.push(format!("{} leaked in a cycle", units.show(shared.leaked_bytes)));
    }
    parts.join(", ")
}

fn duplicates(sharing: &SharingAnalysis, units: Units) -> String {
    match sharing.duplicates {
        0 => String::new(),
        values => {
            format!("{} in {}", units.show(sharing.duplicate_bytes), counted(values, "value"))
        }
    }
}

fn tensors(tensors: &Tensors, units: Units) -> String {
    let Some(largest) = tensors.largest().first() else { return String::new() };
    let dtype = brief(&largest.dtype);
    format!(
        "{}, the largest {dtype} {:?} on {}: {} at {}",
        Grouped(tensors.count()),
        largest.shape,
        largest.device,
        units.show(largest.bytes),
        brief(&largest.path),
    )
}

/// The totals of a profile that the library does not compute.
#[derive(Debug, Default)]
struct Sums {
    branches: u64,
    leaves: u64,
    /// The number of levels of names; the root is level 1.
    depth: u64,
    values: u64,
    allocations: u64,
    nodes: u64,
    estimated_bytes: u64,
    /// The number of values that could not be read, by reason.
    opaque: Vec<(OpaqueReason, u64)>,
}

impl Sums {
    fn of(profile: &Profile) -> Self {
        let mut sums = Self { depth: depth(profile.root()), ..Self::default() };
        let mut opaque = BTreeMap::new();
        for branch in profile.root().subtree() {
            sums.branches += 1;
            sums.leaves += branch.leaves().len() as u64;
            let counts = branch.counts();
            sums.values = sums.values.saturating_add(counts.values);
            sums.allocations = sums.allocations.saturating_add(counts.allocations);
            sums.nodes = sums.nodes.saturating_add(counts.nodes);
            for (reason, count) in branch.opaque() {
                *opaque.entry(reason).or_default() += count;
            }
            for leaf in branch.leaves() {
                sums.estimated_bytes += leaf.estimated_bytes();
            }
        }
        sums.opaque = opaque.into_iter().collect();
        sums
    }

    fn counts(&self) -> [(&'static str, u64); 3] {
        [("values", self.values), ("allocations", self.allocations), ("nodes", self.nodes)]
    }
}

/// Readers reject profiles deeper than 1024 levels, so the recursion is bounded.
fn depth(branch: Branch<'_>) -> u64 {
    1 + branch.children().map(depth).max().unwrap_or_default()
}
