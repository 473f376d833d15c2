//! `memprof info`: the kind of a file and its totals.

mod at_peak;
mod document;
mod lines;
mod session;
mod sums;

use crate::arguments::InfoArguments;
use crate::failure::Failure;
use crate::input::{Content, Format};
use crate::{input, json, output, terminal};
use document::InfoJson;
use memprof_profile::Profile;
use memprof_recording::Recording;
use memprof_recording::document::Snapshot;
use session::SessionJson;
use sums::Sums;

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
    let sums = Sums::of(profile);
    if arguments.printing.json {
        json::text(&InfoJson::of(profile, format, &sums))
    } else {
        Ok(lines::text(profile, format, &sums, arguments.printing.units.into()))
    }
}

fn of_session(
    arguments: &InfoArguments,
    recording: &Recording,
    at: Option<&Snapshot>,
) -> Result<String, serde_json::Error> {
    if arguments.printing.json {
        return json::text(&SessionJson::of(recording, at));
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
