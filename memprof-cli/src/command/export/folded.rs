//! `memprof export --to folded-sites` and `--to folded-operations`.

use crate::arguments::ExportArguments;
use crate::failure::Failure;
use crate::{input, output};
use memprof_export::{ExportError, folded_operations, folded_sites};
use memprof_session::Recording;

pub(super) fn sites(arguments: &ExportArguments) -> Result<(), Failure> {
    session(arguments, folded_sites)
}

pub(super) fn operations(arguments: &ExportArguments) -> Result<(), Failure> {
    session(arguments, folded_operations)
}

fn session(
    arguments: &ExportArguments,
    of: fn(&Recording) -> Result<String, ExportError>,
) -> Result<(), Failure> {
    let (target, force) = (&arguments.output.target, arguments.output.force);
    let source = &arguments.file.source;
    let mut recording = input::whole(source, arguments.root.name())?;
    input::name(&mut recording, &arguments.symbols.search());
    let folded = of(&recording).map_err(|error| Failure::export(source, error))?;
    Ok(output::write(target, force, |out| Ok(out.write_all(folded.as_bytes())?))?)
}
