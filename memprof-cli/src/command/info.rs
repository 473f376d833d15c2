//! `memprof info`: the kind of a file and its totals.

mod brief;
mod lines;
mod sums;

use crate::arguments::InfoArguments;
use crate::failure::Failure;
use crate::input::{Content, Format};
use crate::{input, json, output, terminal};
use brief::BriefJson;
use memprof_profile::Profile;
use memprof_recording::Recording;
use memprof_recording::document::{Metadata, OutOfMemory, Snapshot, Summary};
use serde::Serialize;
use sums::Sums;

/// The JSON output: the parts of the recording as in its file. With `FILE@SNAPSHOT`, only that
/// snapshot.
#[derive(Serialize)]
struct SessionJson<'r> {
    format: &'static str,
    version: u32,
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
    Ok(output::print(|out| Ok(writeln!(out, "{}", text?)?))?)
}

fn of_profile(
    arguments: &InfoArguments,
    profile: &Profile,
    format: Format,
) -> Result<String, serde_json::Error> {
    if arguments.printing.json {
        let json = profile.to_json().map_err(serde::ser::Error::custom)?;
        return Ok(json.trim_end().to_owned());
    }
    Ok(lines::text(profile, format, &Sums::of(profile), arguments.printing.units.into()))
}

fn of_session(
    arguments: &InfoArguments,
    recording: &Recording,
    at: Option<&Snapshot>,
) -> Result<String, serde_json::Error> {
    if let Some(limit) = arguments.limit {
        return json::line(&BriefJson::of(recording, limit));
    }
    if arguments.printing.json {
        let all = &recording.snapshots[..];
        return json::text(&SessionJson {
            format: "memprof session info",
            version: 1,
            metadata: &recording.metadata,
            unreadable_lines: recording.unreadable_lines,
            snapshots: at.map_or(all, std::slice::from_ref),
            out_of_memory: &recording.out_of_memory,
            summary: recording.summary_unknown_reason().is_none().then_some(&recording.summary),
        });
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

fn version(format: Format) -> Option<u64> {
    (format == Format::Json).then_some(Profile::JSON_VERSION)
}

fn format_name(format: Format) -> &'static str {
    match format {
        Format::Json => Profile::JSON_FORMAT,
        Format::Folded => "folded stacks",
    }
}
