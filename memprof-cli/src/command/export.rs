//! `memprof export`: the profile, or the session, in another format.

mod metrics;
mod perfetto;
mod speedscope;

use crate::arguments::{ExportArguments, Format};
use crate::command::flamegraph;
use crate::failure::Failure;
use crate::{input, output};
use memprof_core::Profile;
use std::error::Error;
use std::io::Write;

/// How a profile is written.
type Form = fn(&Profile, &mut dyn Write) -> Result<(), Box<dyn Error>>;

pub(crate) fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    if let Some(address) = arguments.listen {
        return metrics::listen(arguments, address);
    }
    let form: Form = match arguments.to {
        Format::Folded => |profile, out| Ok(profile.write_folded(out)?),
        Format::FoldedDetailed => |profile, out| Ok(profile.write_folded_detailed(out)?),
        Format::Json => |profile, out| Ok(profile.write_json(out)?),
        Format::Yaml => |profile, out| Ok(profile.write_yaml(out)?),
        Format::Svg => flamegraph::draw,
        Format::Perfetto => return perfetto::run(arguments),
        Format::Speedscope => return speedscope::run(arguments),
        Format::Prometheus => return metrics::run(arguments),
    };
    let (target, force) = (&arguments.output.target, arguments.output.force);
    if matches!(arguments.to, Format::Svg) {
        output::check_drawing(target)?;
    }
    let profile = input::profile(&arguments.file.source, arguments.root.name())?;
    Ok(output::write(target, force, |out| form(&profile, out))?)
}
