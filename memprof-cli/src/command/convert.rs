//! The commands that write a file for other programs.
//!
//! `memprof export` converts a profile or a whole session to another format. `memprof flamegraph`
//! draws an SVG of one profile, or of the changes between two. `memprof symbolize` writes a recording
//! with the names of its addresses.

use crate::arguments::{
    FileArgument, OutputArguments, ProfileArguments, RecordingArgument, RootArgument,
    SymbolsArgument,
};
use crate::command::diff;
use crate::failure::Failure;
use crate::input::Source;
use crate::{input, output};
use clap::{Args, ValueEnum};
use memprof_export::{
    ExportError, Pprof, folded_live_stacks, folded_operations, folded_sites, perfetto, prometheus,
};
use memprof_profile::Profile;
use memprof_recording::document::LiveStacks;
use memprof_recording::{Recording, Symbolized};
use std::io::Write;

const EXPORT_EXAMPLES: &str = "\
Examples:
  memprof export --to pprof run.json@peak -o peak.pb.gz
  memprof export --to prometheus run.jsonl -o memprof.prom";

/// Convert a recording or a profile for other tools
#[derive(Debug, Args)]
#[command(after_help = EXPORT_EXAMPLES)]
pub(crate) struct ExportArguments {
    #[command(flatten)]
    profile: ProfileArguments,
    #[command(flatten)]
    symbols: SymbolsArgument,
    /// The format to convert to
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Format,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Folded stacks with one line per branch, for flame graph tools
    Folded,
    /// Folded stacks with one line per leaf: also excess capacity, tables, padding
    FoldedDetailed,
    /// The complete profile as JSON, which memprof can read back
    Json,
    /// The profile as YAML
    Yaml,
    /// A flame graph of the profile
    Svg,
    /// pprof, for `go tool pprof`: the tree
    Pprof,
    /// pprof of a session: stacks with their live bytes, from samples
    PprofSites,
    /// pprof of a session: operations with their allocated and live bytes
    PprofOperations,
    /// Folded stacks of a session: stacks with their live bytes, from samples
    FoldedSites,
    /// Folded stacks of a session: operations with their live bytes, from samples
    FoldedOperations,
    /// A session's calls and curves of bytes, for ui.perfetto.dev (`.pftrace`)
    Perfetto,
    /// A snapshot as metrics, for Prometheus
    Prometheus,
}

pub(crate) fn export(arguments: &ExportArguments) -> Result<(), Failure> {
    use Format::{Perfetto, Pprof as PprofTree, PprofOperations, PprofSites, Svg};
    if matches!(arguments.to, Perfetto | PprofTree | PprofOperations | PprofSites | Svg) {
        output::check_terminal(&arguments.output.target)?;
    }
    match arguments.to {
        Format::Folded => write_profile(arguments, |profile, out| Ok(profile.write_folded(out)?)),
        Format::FoldedDetailed => {
            write_profile(arguments, |profile, out| Ok(profile.write_folded_detailed(out)?))
        }
        Format::Json => write_profile(arguments, |profile, out| Ok(profile.write_json(out)?)),
        Format::Yaml => write_profile(arguments, |profile, out| Ok(profile.write_yaml(out)?)),
        Svg => write_profile(arguments, draw),
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
            let recording =
                input::whole(&arguments.profile.file.source, arguments.profile.root.name())?;
            let write = |out: &mut dyn Write| perfetto::write(&recording, out);
            arguments.output.write(|out| write(out).map_err(|error| about(arguments, error)))
        }
        Format::Prometheus => metrics(arguments),
    }
}

fn write_profile(
    arguments: &ExportArguments,
    draw: impl FnOnce(&Profile, &mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let profile = arguments.profile.read()?;
    arguments.output.write(|out| draw(&profile, out))
}

fn pprof_of_tree(arguments: &ExportArguments) -> Result<(), Failure> {
    let picked = input::picked(&arguments.profile.file.source, arguments.profile.root.name())?;
    let moment = picked.moment.clone();
    write_pprof(arguments, Pprof::of_profile(&picked.into_profile(), moment.as_ref()))
}

fn metrics(arguments: &ExportArguments) -> Result<(), Failure> {
    let input = input::read(&arguments.profile.file.source)?;
    let (recording, snapshot) = input.whole_moment(arguments.profile.root.name())?;
    input::print_unreadable(&arguments.profile.file.source, recording);
    write_text(arguments, Ok(prometheus::of_recording(recording, snapshot)))
}

fn named(arguments: &ExportArguments) -> Result<Recording, Failure> {
    let mut recording =
        input::whole(&arguments.profile.file.source, arguments.profile.root.name())?;
    input::name(&mut recording, &arguments.symbols.search()?);
    Ok(recording)
}

/// Exports the live stacks of the named moment, or the call sites of the whole recording.
fn live_stacks<T>(
    arguments: &ExportArguments,
    of_all: impl FnOnce(&Recording) -> T,
    of_moment: impl FnOnce(&Recording, &LiveStacks) -> T,
) -> Result<T, Failure> {
    let (source, search) = (&arguments.profile.file.source, arguments.symbols.search()?);
    let root = arguments.profile.root.name();
    input::with_live_stacks(source, root, &search, |all, moment| match moment {
        Some(moment) => of_moment(all, moment),
        None => of_all(all),
    })
}

fn write_text(
    arguments: &ExportArguments,
    text: Result<String, ExportError>,
) -> Result<(), Failure> {
    let text = text.map_err(|error| about(arguments, error))?;
    arguments.output.write(|out| Ok(out.write_all(text.as_bytes())?))
}

fn write_pprof(
    arguments: &ExportArguments,
    pprof: Result<Pprof, ExportError>,
) -> Result<(), Failure> {
    let pprof = pprof.map_err(|error| about(arguments, error))?;
    arguments.output.write(|out| Ok(pprof.write(out)?))
}

fn about(arguments: &ExportArguments, error: ExportError) -> Failure {
    Failure::from(error).about(&arguments.profile.file.source)
}

const FLAMEGRAPH_EXAMPLES: &str = "\
Examples:
  memprof flamegraph model.json -o model.svg
  memprof flamegraph --before run.json@start run.json@end -o changes.svg";

/// Draw a flame graph as SVG
#[derive(Debug, Args)]
#[command(after_help = FLAMEGRAPH_EXAMPLES)]
pub(crate) struct FlamegraphArguments {
    #[command(flatten)]
    file: FileArgument,
    /// Draw the changes from this profile to FILE: another file, or another snapshot of the same
    /// one
    #[arg(long, value_name = "BEFORE")]
    before: Option<Source>,
    #[command(flatten)]
    root: RootArgument,
    #[command(flatten)]
    output: OutputArguments,
}

pub(crate) fn flamegraph(arguments: &FlamegraphArguments) -> Result<(), Failure> {
    output::check_terminal(&arguments.output.target)?;
    let (file, root) = (&arguments.file.source, arguments.root.name());
    let Some(source) = &arguments.before else {
        let profile = input::profile(file, root)?;
        return arguments.output.write(|out| draw(&profile, out));
    };
    let (before, after) = diff::read(source, file, root)?;
    // Users share these pictures, so folder names are left out unless the file names are equal.
    let short = [source, file].map(Source::file_name);
    let whole = [source, file].map(ToString::to_string);
    let [was, is] = if short[0] == short[1] { whole } else { short };
    let picture = after.to_flamegraph_since(&before, [&was, &is]);
    arguments.output.write(|out| Ok(out.write_all(picture?.as_bytes())?))
}

fn draw(profile: &Profile, out: &mut dyn Write) -> Result<(), Failure> {
    Ok(out.write_all(profile.to_flamegraph()?.as_bytes())?)
}

const SYMBOLIZE_EXAMPLES: &str = "\
Examples:
  memprof symbolize run.json -o named.json
  memprof symbolize --debug-dir /srv/debug run.jsonl -o named.jsonl";

/// Write a copy of a recording with the names of its addresses
#[derive(Debug, Args)]
#[command(after_help = SYMBOLIZE_EXAMPLES)]
pub(crate) struct SymbolizeArguments {
    #[command(flatten)]
    file: RecordingArgument,
    #[command(flatten)]
    symbols: SymbolsArgument,
    #[command(flatten)]
    output: OutputArguments,
}

pub(crate) fn symbolize(arguments: &SymbolizeArguments) -> Result<(), Failure> {
    let source = &arguments.file.source;
    let Symbolized { text, named, missing, .. } =
        input::symbolized(source, &arguments.symbols.search()?)?;
    if named == 0 && !missing.is_empty() {
        return Err(Failure::of_checks(vec![format!(
            "{source}: no names found; nothing was written"
        )]));
    }
    arguments.output.write(|out| Ok(out.write_all(text.as_bytes())?))
}
