//! `memprof export`: the profile in another format.

use crate::arguments::{ExportArguments, Format};
use crate::command::flamegraph;
use crate::failure::Failure;
use crate::{input, output};

pub(crate) fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let (target, force) = (&arguments.output.target, arguments.output.force);
    if matches!(arguments.to, Format::Svg) {
        output::check_drawing(target)?;
    }
    let profile = input::profile(&arguments.file.source, arguments.root.name())?;
    Ok(output::write(target, force, |out| match arguments.to {
        Format::Folded => Ok(profile.write_folded(out)?),
        Format::FoldedDetailed => Ok(profile.write_folded_detailed(out)?),
        Format::Json => Ok(profile.write_json(out)?),
        Format::Yaml => Ok(profile.write_yaml(out)?),
        Format::Svg => flamegraph::draw(&profile, out),
    })?)
}
