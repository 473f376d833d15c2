//! A session as Perfetto's trace.

use crate::arguments::ExportArguments;
use crate::failure::Failure;
use crate::{input, output};
use memprof_report::export::perfetto;

pub(super) fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let (target, force) = (&arguments.output.target, arguments.output.force);
    output::check_binary(target)?;
    let recording = input::whole(&arguments.file.source, arguments.root.name())?;
    Ok(output::write(target, force, |out| Ok(perfetto::write(&recording, out)?))?)
}
