//! The commands that print one list of a recording: `memprof leaks` prints the call sites whose live
//! bytes kept growing, and `memprof ops` the operations, each below the one in which it ran.

use crate::arguments::{PrintingArguments, RecordingArgument, SymbolsArgument};
use crate::failure::Failure;
use crate::terminal::Layout;
use crate::{input, output, terminal};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use memprof_recording::document::{Doubt, Estimate, HeldBy, LeakWatch, OperationRow, Place};
use memprof_recording::{OperationOrder, OperationTable, Recording, Suspect};
use serde::Serialize;

const LEAKS_EXAMPLES: &str = "\
Examples:
  memprof leaks
  memprof leaks --json run.jsonl";

/// Print the call sites whose memory keeps growing
#[derive(Debug, Args)]
#[command(after_help = LEAKS_EXAMPLES)]
pub(crate) struct LeaksArguments {
    #[command(flatten)]
    file: RecordingArgument,
    #[command(flatten)]
    symbols: SymbolsArgument,
    #[command(flatten)]
    printing: PrintingArguments,
    /// Print at most this many call sites of each kind as JSON on one line, without their stacks;
    /// about 1 KB each, for scripts and agents
    #[arg(long, value_name = "SITES", requires = "json")]
    limit: Option<usize>,
    /// Show all frames, including those of the standard library, executors and memprof
    #[arg(long, conflicts_with = "json")]
    all_frames: bool,
    /// Maximum line width in columns [default: the terminal's width, or 100]
    #[arg(long, value_name = "COLUMNS", conflicts_with = "json")]
    width: Option<usize>,
}

#[derive(Serialize)]
struct LeaksJson<'r> {
    at_ns: Option<u64>,
    end_ns: Option<u64>,
    /// The leaks; `null` if they are unknown, for example because the last summary is too old.
    leaks: Option<Vec<SuspectJson<'r>>>,
    /// Call sites that grew and are not certain to keep growing.
    uncertain: Vec<SuspectJson<'r>>,
    replaced: Vec<SuspectJson<'r>>,
    /// The number of call sites that `--limit` leaves out of the three lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<usize>,
    /// The evidence; `null` if no samples were taken.
    watch: Option<LeakWatch>,
}

#[derive(Serialize)]
struct SuspectJson<'r> {
    your_code: Option<&'r Place>,
    calls: Option<&'r Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    allocates: Vec<&'r Place>,
    /// The first of `allocates`.
    place: &'r Place,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    operations: Vec<&'r [String]>,
    /// The first of `operations`.
    operation: &'r [String],
    bytes_per_second: f64,
    bytes_per_call: Option<f64>,
    bytes_per_second_interval: [f64; 2],
    live: Estimate,
    live_blocks: Estimate,
    held_by: Vec<HeldBy>,
    freed_at_end: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    allocated_type: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    doubt: Option<Doubt>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stack: Vec<&'r Place>,
}

impl<'r> SuspectJson<'r> {
    /// Returns the suspect without the lists whose first entry has a key of its own, and without
    /// its stack, which make up most of the output.
    fn brief(suspect: &Suspect<'r>) -> Self {
        let (allocates, operations, stack) = (Vec::new(), Vec::new(), Vec::new());
        Self { allocates, operations, stack, ..Self::of(suspect) }
    }

    fn of(suspect: &Suspect<'r>) -> Self {
        Self {
            your_code: suspect.your_code,
            calls: suspect.called,
            allocates: suspect.all_allocating().collect(),
            place: suspect.allocates,
            operation: suspect.operations.first().copied().unwrap_or_default(),
            operations: suspect.operations.clone(),
            bytes_per_second: suspect.bytes_per_second,
            bytes_per_call: suspect.bytes_per_call,
            bytes_per_second_interval: suspect.bytes_per_second_interval,
            live: suspect.live,
            live_blocks: suspect.live_blocks,
            held_by: suspect.held_by.clone(),
            freed_at_end: suspect.freed_at_end,
            allocated_type: suspect.allocated_type,
            doubt: suspect.doubt,
            stack: suspect.frames(true),
        }
    }
}

pub(crate) fn leaks(arguments: &LeaksArguments) -> Result<(), Failure> {
    let mut recording = input::recording(&arguments.file.source)?;
    input::name(&mut recording, &arguments.symbols.search()?);
    let text = if arguments.printing.json {
        let suspects = recording.suspects();
        let doubtful = recording.doubtful_suspects();
        let suspects: Vec<_> = suspects.iter().collect();
        let (replaced, uncertain): (Vec<_>, Vec<_>) =
            doubtful.iter().partition(|one| one.doubt == Some(Doubt::Replaced));
        let is_known = recording.leaks_unknown_reason().is_none();
        let limit = arguments.limit;
        let left_out = |limit| {
            let each = [&suspects, &uncertain, &replaced];
            each.map(|list| list.len().saturating_sub(limit)).iter().sum()
        };
        let json = LeaksJson {
            at_ns: recording.summary.at_ns,
            end_ns: recording.snapshots.last().map(|last| last.at_ns),
            leaks: is_known.then(|| rows(&suspects, limit)),
            uncertain: rows(&uncertain, limit),
            replaced: rows(&replaced, limit),
            left_out: limit.map(left_out),
            watch: recording.summary.leak_watch,
        };
        let layout = if limit.is_some() { Layout::Line } else { Layout::Lines };
        terminal::document("memprof leaks", layout, &json)?
    } else {
        let list = recording.leak_list().units(arguments.printing.units.into());
        let list = list.all_frames(arguments.all_frames);
        list.width(arguments.width.unwrap_or_else(terminal::width)).to_string()
    };
    output::print_text(&text)
}

/// Returns the first suspects of a list; all with everything about them, if there is no limit.
fn rows<'r>(suspects: &[&Suspect<'r>], limit: Option<usize>) -> Vec<SuspectJson<'r>> {
    let row = if limit.is_some() { SuspectJson::brief } else { SuspectJson::of };
    suspects.iter().take(limit.unwrap_or(usize::MAX)).map(|suspect| row(suspect)).collect()
}

const OPS_EXAMPLES: &str = "\
Examples:
  memprof ops run.json
  memprof ops --sort peak -n 5 run.json";

/// Print the operations: calls, retained bytes, peak and time
#[derive(Debug, Args)]
#[command(after_help = OPS_EXAMPLES)]
pub(crate) struct OpsArguments {
    #[command(flatten)]
    file: RecordingArgument,
    #[command(flatten)]
    printing: PrintingArguments,
    /// Column to sort by [default: retained, or total without samples]
    #[arg(long, value_name = "COLUMN", value_parser = orders())]
    sort: Option<OperationOrder>,
    /// Number of operations to list, not counting the operations around them
    #[arg(short = 'n', long, value_name = "OPERATIONS", default_value = "20")]
    count: usize,
    /// Maximum line width in columns [default: the terminal's width, or 120]
    #[arg(long, value_name = "COLUMNS", conflicts_with = "json")]
    width: Option<usize>,
}

fn orders() -> impl TypedValueParser<Value = OperationOrder> {
    let names = OperationOrder::ALL.iter().map(|order| order.as_str());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<OperationOrder>())
}

/// The width if the output is not a terminal. The whole table usually fits into this width.
const WIDTH: usize = 120;

#[derive(Serialize)]
struct OpsJson<'r> {
    tracked: bool,
    at_ns: Option<u64>,
    end_ns: Option<u64>,
    /// The operations; `null` if they were counted but the file does not contain them.
    operations: Option<Vec<&'r OperationRow>>,
    more: Option<usize>,
}

pub(crate) fn ops(arguments: &OpsArguments) -> Result<(), Failure> {
    let recording = input::recording(&arguments.file.source)?;
    let width = arguments.width.or_else(terminal::columns).unwrap_or(WIDTH);
    let mut table = recording
        .operation_table()
        .count(arguments.count)
        .units(arguments.printing.units.into())
        .width(width);
    if let Some(sort) = arguments.sort {
        table = table.order(sort);
    }
    let text = if arguments.printing.json {
        terminal::document("memprof ops", Layout::Lines, &OpsJson::of(&recording, &table))?
    } else {
        table.to_string()
    };
    output::print_text(&text)
}

impl<'r> OpsJson<'r> {
    fn of(recording: &'r Recording, table: &OperationTable<'r>) -> Self {
        let tracked = recording.metadata.operations_tracked;
        let is_known = !tracked || recording.operations_unknown_reason().is_none();
        let operations: Option<Vec<_>> = is_known.then(|| table.rows().collect());
        Self {
            tracked,
            at_ns: recording.summary.at_ns,
            end_ns: recording.snapshots.last().map(|last| last.at_ns),
            more: operations.as_ref().map(|rows| recording.summary.operations.len() - rows.len()),
            operations,
        }
    }
}
