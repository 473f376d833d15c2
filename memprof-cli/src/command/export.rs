//! `memprof export`: a profile, or a whole session, in another format.

use crate::arguments::{ExportArguments, Format};
use crate::command::flamegraph;
use crate::failure::Failure;
use crate::{input, output};
use memprof_export::{
    ExportError, Pprof, folded_live_stacks, folded_operations, folded_sites, perfetto, prometheus,
};
use memprof_profile::Profile;
use memprof_recording::Recording;
use memprof_recording::document::LiveStacks;
use std::error::Error;
use std::io::Write;

type Cause = Box<dyn Error>;

pub(crate) fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    use Format::{Perfetto, Pprof as PprofTree, PprofOperations, PprofSites, Svg};
    if matches!(arguments.to, Perfetto | PprofTree | PprofOperations | PprofSites | Svg) {
        output::check_terminal(&arguments.output.target)?;
    }
    match arguments.to {
        Format::Folded => profile(arguments, |profile, out| Ok(profile.write_folded(out)?)),
        Format::FoldedDetailed => {
            profile(arguments, |profile, out| Ok(profile.write_folded_detailed(out)?))
        }
        Format::Json => profile(arguments, |profile, out| Ok(profile.write_json(out)?)),
        Format::Yaml => profile(arguments, |profile, out| Ok(profile.write_yaml(out)?)),
        Svg => profile(arguments, flamegraph::draw),
        PprofTree => pprof_of_tree(arguments),
        PprofSites => {
            let pprof = live_stacks(arguments, Pprof::of_sites, Pprof::of_live_stacks)?;
            write_pprof(arguments, pprof)
        }
        PprofOperations => write_pprof(arguments, Pprof::of_operations(&named(arguments)?)),
        Format::FoldedSites => {
            let text = live_stacks(arguments, folded_sites, folded_live_stacks)?;
            write_text(arguments, text)
        }
        Format::FoldedOperations => write_text(arguments, folded_operations(&named(arguments)?)),
        Perfetto => {
            let recording = input::whole(&arguments.file.source, arguments.root.name())?;
            write(arguments, |out| Ok(perfetto::write(&recording, out)?))
        }
        Format::Prometheus => metrics(arguments),
    }
}

fn profile(
    arguments: &ExportArguments,
    draw: impl FnOnce(&Profile, &mut dyn Write) -> Result<(), Cause>,
) -> Result<(), Failure> {
    let profile = input::profile(&arguments.file.source, arguments.root.name())?;
    write(arguments, |out| draw(&profile, out))
}

fn pprof_of_tree(arguments: &ExportArguments) -> Result<(), Failure> {
    let picked = input::picked(&arguments.file.source, arguments.root.name())?;
    let moment = picked.moment.clone();
    write_pprof(arguments, Pprof::of_profile(&picked.into_profile(), moment.as_ref()))
}

fn metrics(arguments: &ExportArguments) -> Result<(), Failure> {
    let input = input::read(&arguments.file.source)?;
    let (recording, snapshot) = input.whole_moment(arguments.root.name())?;
    input::print_unreadable(&arguments.file.source, recording);
    write_text(arguments, Ok(prometheus::of_recording(recording, snapshot)))
}

fn named(arguments: &ExportArguments) -> Result<Recording, Failure> {
    let mut recording = input::whole(&arguments.file.source, arguments.root.name())?;
    input::name(&mut recording, &arguments.symbols.search()?);
    Ok(recording)
}

/// Exports the live stacks of the named moment, or the call sites of the whole recording.
fn live_stacks<T>(
    arguments: &ExportArguments,
    of_all: impl FnOnce(&Recording) -> T,
    of_moment: impl FnOnce(&Recording, &LiveStacks) -> T,
) -> Result<T, Failure> {
    let (source, search) = (&arguments.file.source, arguments.symbols.search()?);
    let exported = input::with_live_stacks(
        source,
        arguments.root.name(),
        &search,
        |all, moment| match moment {
            Some(moment) => of_moment(all, moment),
            None => of_all(all),
        },
    );
    Ok(exported?)
}

fn write_text(
    arguments: &ExportArguments,
    text: Result<String, ExportError>,
) -> Result<(), Failure> {
    let text = text.map_err(|error| Failure::export(&arguments.file.source, error))?;
    write(arguments, |out| Ok(out.write_all(text.as_bytes())?))
}

fn write_pprof(
    arguments: &ExportArguments,
    pprof: Result<Pprof, ExportError>,
) -> Result<(), Failure> {
    let pprof = pprof.map_err(|error| Failure::export(&arguments.file.source, error))?;
    write(arguments, |out| Ok(pprof.write(out)?))
}

fn write(
    arguments: &ExportArguments,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Cause>,
) -> Result<(), Failure> {
    output::write(&arguments.output.target, arguments.output.force, write)
        .map_err(|error| Failure::exporting(&arguments.file.source, error))
}
