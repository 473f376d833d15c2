//! `memprof leaks`: the call stacks whose live bytes kept growing.

use crate::arguments::LeaksArguments;
use crate::failure::Failure;
use crate::{input, json, output, terminal};
use memprof_recording::Suspect;
use memprof_recording::document::{Doubt, Estimate, HeldBy, LeakWatch, Place};
use serde::Serialize;

/// The JSON output; `docs/format.md` describes its keys.
#[derive(Serialize)]
struct LeaksJson<'r> {
    format: &'static str,
    version: u32,
    /// The time of the leaks; `null` if there is no summary.
    at_ns: Option<u64>,
    /// The time of the last snapshot.
    end_ns: Option<u64>,
    /// The leaks; `null` if they are unknown, for example because the last summary is too old.
    leaks: Option<Vec<SuspectJson<'r>>>,
    /// Call sites that grew and are not certain to keep growing.
    uncertain: Vec<SuspectJson<'r>>,
    /// Call sites whose new blocks replace old ones that were never sampled.
    replaced: Vec<SuspectJson<'r>>,
    /// The evidence; `null` if no samples were taken.
    watch: Option<LeakWatch>,
}

/// A suspect as the text shows it.
#[derive(Serialize)]
struct SuspectJson<'r> {
    your_code: Option<&'r Place>,
    calls: Option<&'r Place>,
    allocates: Vec<&'r Place>,
    /// The first of `allocates`.
    place: &'r Place,
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
    doubt: Option<Doubt>,
    stack: Vec<&'r Place>,
}

impl<'r> SuspectJson<'r> {
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
            doubt: suspect.doubt,
            stack: suspect.frames(true),
        }
    }
}

pub(crate) fn run(arguments: &LeaksArguments) -> Result<(), Failure> {
    let mut recording = input::recording(&arguments.file.source)?;
    input::name(&mut recording, &arguments.symbols.search()?);
    let text = if arguments.printing.json {
        let is_known = recording.leaks_unknown_reason().is_none();
        let leaks = || recording.suspects().iter().map(SuspectJson::of).collect();
        let leaks = is_known.then(leaks);
        let doubtful = recording.doubtful_suspects();
        let (replaced, uncertain): (Vec<_>, Vec<_>) =
            doubtful.iter().partition(|one| one.doubt == Some(Doubt::Replaced));
        let rows = |of: Vec<_>| of.into_iter().map(SuspectJson::of).collect();
        json::text(&LeaksJson {
            format: "memprof leaks",
            version: 1,
            at_ns: recording.summary.at_ns,
            end_ns: recording.snapshots.last().map(|last| last.at_ns),
            leaks,
            uncertain: rows(uncertain),
            replaced: rows(replaced),
            watch: recording.summary.leak_watch,
        })
    } else {
        let list = recording.leak_list().units(arguments.printing.units.into());
        let list = list.all_frames(arguments.all_frames);
        Ok(list.width(arguments.width.unwrap_or_else(terminal::width)).to_string())
    };
    Ok(output::print(|out| Ok(writeln!(out, "{}", text?)?))?)
}
