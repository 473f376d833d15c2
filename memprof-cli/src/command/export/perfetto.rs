//! `memprof export --to perfetto`: a session as a Perfetto trace.

use crate::arguments::ExportArguments;
use crate::failure::Failure;
use crate::{input, output};
use memprof_export::perfetto;

pub(super) fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let (target, force) = (&arguments.output.target, arguments.output.force);
    output::check_binary(target)?;
    let source = &arguments.file.source;
    let recording = input::whole(source, arguments.root.name())?;
    output::write(target, force, |out| Ok(perfetto::write(&recording, out)?))
        .map_err(|error| Failure::exporting(source, error))
}
