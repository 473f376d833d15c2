//! `memprof export`: a profile, or a whole session, in another format.

mod folded;
mod perfetto;
mod pprof;
mod prometheus;

use crate::arguments::{ExportArguments, Format};
use crate::command::flamegraph;
use crate::failure::Failure;
use crate::{input, output};
use memprof_profile::Profile;
use std::error::Error;
use std::io::Write;

pub(crate) fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    match arguments.to {
        Format::Folded => profile(arguments, |profile, out| Ok(profile.write_folded(out)?)),
        Format::FoldedDetailed => {
            profile(arguments, |profile, out| Ok(profile.write_folded_detailed(out)?))
        }
        Format::Json => profile(arguments, |profile, out| Ok(profile.write_json(out)?)),
        Format::Yaml => profile(arguments, |profile, out| Ok(profile.write_yaml(out)?)),
        Format::Svg => {
            output::check_drawing(&arguments.output.target)?;
            profile(arguments, flamegraph::draw)
        }
        Format::Pprof => pprof::tree(arguments),
        Format::PprofSites => pprof::sites(arguments),
        Format::PprofOperations => pprof::operations(arguments),
        Format::FoldedSites => folded::sites(arguments),
        Format::FoldedOperations => folded::operations(arguments),
        Format::Perfetto => perfetto::run(arguments),
        Format::Prometheus => prometheus::run(arguments),
    }
}

fn profile(
    arguments: &ExportArguments,
    write: impl FnOnce(&Profile, &mut dyn Write) -> Result<(), Box<dyn Error>>,
) -> Result<(), Failure> {
    let (target, force) = (&arguments.output.target, arguments.output.force);
    let profile = input::profile(&arguments.file.source, arguments.root.name())?;
    Ok(output::write(target, force, |out| write(&profile, out))?)
}
