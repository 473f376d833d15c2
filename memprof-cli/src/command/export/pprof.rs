//! `memprof export --to pprof`, `--to pprof-sites` and `--to pprof-operations`.

use crate::arguments::ExportArguments;
use crate::failure::Failure;
use crate::{input, output};
use memprof_export::Pprof;

/// Exports the tree of a snapshot or of a profile.
pub(super) fn tree(arguments: &ExportArguments) -> Result<(), Failure> {
    output::check_binary(&arguments.output.target)?;
    let source = &arguments.file.source;
    let picked = input::picked(source, arguments.root.name())?;
    let moment = picked.moment.clone();
    let pprof = Pprof::of_profile(&picked.into_profile(), moment.as_ref());
    write(arguments, &pprof.map_err(|error| Failure::export(source, error))?)
}

pub(super) fn sites(arguments: &ExportArguments) -> Result<(), Failure> {
    output::check_binary(&arguments.output.target)?;
    let (source, search) = (&arguments.file.source, arguments.symbols.search()?);
    let pprof = input::with_live_stacks(source, arguments.root.name(), &search, |all, moment| {
        moment.map_or_else(|| Pprof::of_sites(all), |moment| Pprof::of_live_stacks(all, moment))
    })?;
    write(arguments, &pprof.map_err(|error| Failure::export(source, error))?)
}

pub(super) fn operations(arguments: &ExportArguments) -> Result<(), Failure> {
    output::check_binary(&arguments.output.target)?;
    let source = &arguments.file.source;
    let mut recording = input::whole(source, arguments.root.name())?;
    input::name(&mut recording, &arguments.symbols.search()?);
    let pprof = Pprof::of_operations(&recording);
    write(arguments, &pprof.map_err(|error| Failure::export(source, error))?)
}

fn write(arguments: &ExportArguments, pprof: &Pprof) -> Result<(), Failure> {
    let (target, force) = (&arguments.output.target, arguments.output.force);
    Ok(output::write(target, force, |out| Ok(pprof.write(out)?))?)
}
