//! `memprof info`: what kind of file it is and what it holds in all.

mod document;
mod lines;
mod sums;

use crate::arguments::InfoArguments;
use crate::failure::Failure;
use crate::input::Format;
use crate::{input, json, output};
use document::InfoJson;
use memprof_core::Profile;
use sums::Sums;

pub(crate) fn run(arguments: &InfoArguments) -> Result<(), Failure> {
    let (profile, format) = input::read(&arguments.file.source)?;
    let sums = Sums::of(&profile);
    let text = if arguments.printing.json {
        json::text(&InfoJson::of(&profile, format, &sums))
    } else {
        Ok(lines::text(&profile, format, &sums, arguments.printing.units.into()))
    };
    Ok(output::print(|out| Ok(writeln!(out, "{}", text?)?))?)
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
