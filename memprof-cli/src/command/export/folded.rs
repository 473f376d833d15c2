//! `memprof export --to folded-sites` and `--to folded-operations`.

use crate::arguments::ExportArguments;
use crate::failure::Failure;
use crate::{input, output};
use memprof_export::{ExportError, folded_live_stacks, folded_operations, folded_sites};

pub(super) fn sites(arguments: &ExportArguments) -> Result<(), Failure> {
    let (source, search) = (&arguments.file.source, arguments.symbols.search()?);
    let folded = input::with_live_stacks(source, arguments.root.name(), &search, |all, moment| {
        moment.map_or_else(|| folded_sites(all), |moment| folded_live_stacks(all, moment))
    })?;
    write(arguments, folded)
}

pub(super) fn operations(arguments: &ExportArguments) -> Result<(), Failure> {
    let mut recording = input::whole(&arguments.file.source, arguments.root.name())?;
    input::name(&mut recording, &arguments.symbols.search()?);
    write(arguments, folded_operations(&recording))
}

fn write(arguments: &ExportArguments, folded: Result<String, ExportError>) -> Result<(), Failure> {
    let (target, force) = (&arguments.output.target, arguments.output.force);
    let folded = folded.map_err(|error| Failure::export(&arguments.file.source, error))?;
    Ok(output::write(target, force, |out| Ok(out.write_all(folded.as_bytes())?))?)
}
