//! `memprof export --to prometheus`: a snapshot as metrics.

use crate::arguments::ExportArguments;
use crate::failure::Failure;
use crate::{input, output};
use memprof_export::prometheus;

pub(super) fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let (target, force) = (&arguments.output.target, arguments.output.force);
    let source = &arguments.file.source;
    let text = input::with_snapshot(source, arguments.root.name(), |recording, snapshot| {
        input::print_unreadable(source, recording);
        prometheus::of_recording(recording, snapshot)
    })?;
    Ok(output::write(target, force, |out| Ok(out.write_all(text.as_bytes())?))?)
}
