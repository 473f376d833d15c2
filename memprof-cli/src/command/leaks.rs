//! `memprof leaks`: the call stacks whose live bytes kept growing.

use crate::arguments::LeaksArguments;
use crate::failure::Failure;
use crate::{input, json, output, terminal};
use memprof_recording::Suspect;
use memprof_recording::document::{Doubt, Estimate, HeldBy, LeakWatch, Place};
use serde::Serialize;

#[derive(Serialize)]
struct LeaksJson<'r> {
    format: &'static str,
    version: u32,
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

pub(crate) fn run(arguments: &LeaksArguments) -> Result<(), Failure> {
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
            format: "memprof leaks",
            version: 1,
            at_ns: recording.summary.at_ns,
            end_ns: recording.snapshots.last().map(|last| last.at_ns),
            leaks: is_known.then(|| rows(&suspects, limit)),
            uncertain: rows(&uncertain, limit),
            replaced: rows(&replaced, limit),
            left_out: limit.map(left_out),
            watch: recording.summary.leak_watch,
        };
        if limit.is_some() { json::line(&json) } else { json::text(&json) }
    } else {
        let list = recording.leak_list().units(arguments.printing.units.into());
        let list = list.all_frames(arguments.all_frames);
        Ok(list.width(arguments.width.unwrap_or_else(terminal::width)).to_string())
    };
    Ok(output::print(|out| Ok(writeln!(out, "{}", text?)?))?)
}

/// Returns the first suspects of a list; all with everything about them, if there is no limit.
fn rows<'r>(suspects: &[&Suspect<'r>], limit: Option<usize>) -> Vec<SuspectJson<'r>> {
    let row = if limit.is_some() { SuspectJson::brief } else { SuspectJson::of };
    suspects.iter().take(limit.unwrap_or(usize::MAX)).map(|suspect| row(suspect)).collect()
}
